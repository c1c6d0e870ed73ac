export const assistantsTexts = {
  'assistants.created': { pt: 'Assistente criado com sucesso', en: 'Assistant created' },
  'assistants.updated': { pt: 'Assistente atualizado com sucesso', en: 'Assistant updated' },
  'assistants.deleted': { pt: 'Assistente excluído com sucesso', en: 'Assistant deleted' },
  'assistants.prompt_not_found': { pt: 'Versão do prompt não encontrada', en: 'Prompt version not found' },
  'assistants.not_found': { pt: 'Assistente não encontrado', en: 'Assistant not found' },
  'assistants.webhook_enabled': { pt: 'Webhook ativado com sucesso', en: 'Webhook enabled' },
  'assistants.webhook_disabled': { pt: 'Webhook desativado com sucesso', en: 'Webhook disabled' },
  'assistants.inbound_webhook_enabled': {
    pt: 'Webhook de chamadas recebidas ativado com sucesso',
    en: 'Inbound webhook enabled',
  },
  'assistants.inbound_webhook_disabled': {
    pt: 'Webhook de chamadas recebidas desativado com sucesso',
    en: 'Inbound webhook disabled',
  },
  'assistants.conversation_webhook_enabled': {
    pt: 'Webhook de conversa encerrada ativado com sucesso',
    en: 'Conversation ended webhook enabled',
  },
  'assistants.conversation_webhook_disabled': {
    pt: 'Webhook de conversa encerrada desativado com sucesso',
    en: 'Conversation ended webhook disabled',
  },
  'assistants.required_for_mode': {
    pt: 'O campo {field} é obrigatório no modo {mode}.',
    en: 'The {field} field is required in {mode} mode.',
  },
  'assistants.pipeline_only': {
    pt: 'O campo {field} só pode ser usado no modo pipeline.',
    en: 'The {field} field can only be used in pipeline mode.',
  },
  'assistants.voice_mode': {
    pt: 'A voz selecionada não é compatível com o modo {mode}.',
    en: 'The selected voice is not compatible with {mode} mode.',
  },
  'assistants.voice_language': {
    pt: 'A voz selecionada não está disponível para o idioma do assistente.',
    en: "The selected voice is not available in the assistant's language.",
  },
  'assistants.voice_model': {
    pt: 'A voz selecionada não pertence ao modelo multimodal do assistente.',
    en: "The selected voice does not belong to the assistant's multimodal model.",
  },
  'assistants.provider_language': {
    pt: 'O provedor do campo {field} não está disponível para o idioma do assistente.',
    en: "The provider in the {field} field is not available in the assistant's language.",
  },
  'assistants.knowledgebase_mode': {
    pt: 'Nos modos multimodal e dualplex, o campo {field} deve ser function_call.',
    en: 'In multimodal and dualplex modes, the {field} field must be function_call.',
  },
  'assistants.interruptions_locked': {
    pt: 'As interrupções não podem ser desativadas nos modos multimodal e dualplex.',
    en: 'Interruptions cannot be disabled in multimodal and dualplex modes.',
  },
  'assistants.webhook_url_required': {
    pt: 'O campo {field} é obrigatório quando o webhook está ativo.',
    en: 'The {field} field is required when the webhook is active.',
  },
  'assistants.page_too_large': {
    pt: 'A página tem mais de 16 MB de configurações. Peça menos assistentes por página no campo {field}.',
    en: 'The page has more than 16 MB of settings. Request fewer assistants per page with the {field} field.',
  },
  'assistants.number_caller_id_inbound': {
    pt: 'Um número do tipo Caller ID não pode receber chamadas.',
    en: 'A number of the Caller ID type cannot receive calls.',
  },
  'assistants.number_taken': {
    pt: 'Este número já está atribuído a outro assistente de entrada.',
    en: 'This number is already assigned to another inbound assistant.',
  },
  'assistants.transfer_target': {
    pt: 'O campo {field} deve ser um número de telefone ou um endereço SIP.',
    en: 'The {field} field must be a phone number or a SIP address.',
  },
  'assistants.phone_target': {
    pt: 'O campo {field} deve ser um número de telefone.',
    en: 'The {field} field must be a phone number.',
  },
  'assistants.sip_target': {
    pt: 'O campo {field} deve ser um endereço SIP ou um ramal.',
    en: 'The {field} field must be a SIP address or an extension.',
  },
  'assistants.duplicate_tool_name': {
    pt: 'O campo {field} tem duas ferramentas com o nome {name}.',
    en: 'The {field} field has two tools named {name}.',
  },
  'assistants.built_in_tool_name': {
    pt: 'O campo {field} tem uma ferramenta com o nome {name}, que é o nome de uma ferramenta interna.',
    en: 'The {field} field has a tool named {name}, which is the name of a built-in tool.',
  },
  'assistants.private_sip_target': {
    pt: 'O campo {field} não pode ser um endereço local, privado ou reservado.',
    en: 'The {field} field cannot be a local, private or reserved address.',
  },
  'assistants.handoff_to_itself': {
    pt: 'O campo {field} não pode ser o próprio assistente.',
    en: 'The {field} field cannot be the assistant itself.',
  },
  'assistants.repeated_handoff': {
    pt: 'O campo {field} repete outro assistente da lista.',
    en: 'The {field} field repeats another assistant in the list.',
  },
  'assistants.masked_key': {
    pt: 'O campo {field} está mascarado e não corresponde à chave salva para este endpoint. Envie a chave completa.',
    en: 'The {field} field is masked and does not match the key stored for this endpoint. Send the full key.',
  },
  'assistants.post_call_name': {
    pt: 'O campo {field} deve ter apenas letras minúsculas, números e sublinhados.',
    en: 'The {field} field must have only lowercase letters, digits and underscores.',
  },
  'assistants.duplicate_post_call_name': {
    pt: 'O campo {field} repete o nome de outro item.',
    en: 'The {field} field repeats the name of another item.',
  },
} as const;
