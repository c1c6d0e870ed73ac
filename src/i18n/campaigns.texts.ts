export const campaignsTexts = {
  'campaigns.created': { pt: 'Campanha criada com sucesso', en: 'Campaign created' },
  'campaigns.updated': { pt: 'Campanha atualizada com sucesso', en: 'Campaign updated' },
  'campaigns.deleted': { pt: 'Campanha excluída com sucesso', en: 'Campaign deleted' },
  'campaigns.started': { pt: 'Campanha iniciada com sucesso', en: 'Campaign started' },
  'campaigns.stopped': { pt: 'Campanha parada com sucesso', en: 'Campaign stopped' },
  'campaigns.not_found': { pt: 'Campanha não encontrada', en: 'Campaign not found' },
  'campaigns.limit': {
    pt: 'Você atingiu o limite de {limit} {limit:campanha|campanhas} do seu plano',
    en: "Your plan's limit of {limit} {limit:campaign|campaigns} has been reached",
  },
  'campaigns.assistant_not_found': {
    pt: 'Assistente não encontrado, ou o tipo dele não é outbound',
    en: 'Assistant not found, or its type is not outbound',
  },
  'campaigns.assistant_missing': {
    pt: 'A campanha não tem um assistente. Escolha um para iniciá-la',
    en: 'The campaign has no assistant. Choose one to start it',
  },
  'campaigns.assistant_inactive': {
    pt: 'O assistente da campanha está desativado. Ative-o para iniciar a campanha.',
    en: "The campaign's assistant is deactivated. Activate it to start the campaign.",
  },
  'campaigns.no_phone_number': {
    pt: 'Nem a campanha nem o assistente têm um número de telefone. Adicione um primeiro',
    en: 'Neither the campaign nor its assistant has a phone number. Add one first',
  },
  'campaigns.no_leads': {
    pt: 'A campanha não tem contatos para ligar. Adicione contatos primeiro',
    en: 'The campaign has no contacts to call. Add contacts first',
  },
  'campaigns.move_refused': {
    pt: 'A campanha não está em andamento e não pode ser parada',
    en: 'The campaign is not in progress and cannot be stopped',
  },
  'campaigns.time_format': {
    pt: 'O campo {field} deve ser um horário no formato HH:MM.',
    en: 'The {field} field must be a time in the form HH:MM.',
  },
  'campaigns.hours_order': {
    pt: 'O campo {field} deve ser depois do horário de início.',
    en: 'The {field} field must be after the start time.',
  },
  'campaigns.goal_variable': {
    pt: 'O campo {field} deve ser o nome de um item do tipo bool do post_call_schema do assistente.',
    en: "The {field} field must name an item of type bool of the assistant's post_call_schema.",
  },
} as const;
