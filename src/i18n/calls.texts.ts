export const callsTexts = {
  'calls.initiated': { pt: 'Chamada iniciada com sucesso', en: 'Call initiated' },
  'calls.deleted': { pt: 'Chamada excluída com sucesso', en: 'Call deleted' },
  'calls.hung_up': { pt: 'Chamada encerrada com sucesso', en: 'Call ended' },
  'calls.over': { pt: 'A ligação já terminou', en: 'The call has already ended' },
  'calls.not_found': { pt: 'Ligação não encontrada', en: 'Call not found' },
  'calls.no_recording': { pt: 'Gravação não encontrada', en: 'Recording not found' },
  'calls.no_such_part': {
    pt: 'O intervalo solicitado está além do fim da gravação',
    en: 'The requested range is beyond the end of the recording',
  },
  'calls.still_running': {
    pt: 'A ligação ainda está em andamento e não pode ser excluída. Encerre-a primeiro',
    en: 'The call is still in progress and cannot be deleted. Hang up first',
  },
  'calls.search_without_words': {
    pt: 'O campo {field} deve conter pelo menos uma letra ou um dígito.',
    en: 'The {field} field must contain at least one letter or digit.',
  },
  'calls.bad_number': { pt: 'Formato do número de telefone inválido', en: 'Invalid phone number format' },
  'calls.being_placed': {
    pt: 'Já há uma ligação sendo iniciada para este número. Aguarde ou envie um cabeçalho Idempotency-Key',
    en: 'A call to this number is already being placed. Wait, or send an Idempotency-Key header',
  },
  'calls.no_caller_number': {
    pt: 'Nem o assistente nem a conta têm um número de origem. Adicione um primeiro',
    en: 'Neither the assistant nor the account has a phone number to call from. Add one first',
  },
  'calls.do_not_call': {
    pt: 'O número está na lista “não ligar”',
    en: 'The number is on the do-not-call list',
  },
  'calls.destination_country': {
    pt: 'Chamadas para o país deste número não são permitidas',
    en: 'Calls to the country of this number are not allowed',
  },
  'calls.destination_type': {
    pt: 'Chamadas para este tipo de número não são permitidas: tarifa especial, satélite e serviços semelhantes',
    en: 'Calls to this kind of number are not allowed: premium, satellite and similar services',
  },
  'calls.outside_hours': {
    pt: 'Não é permitido ligar para o número neste horário',
    en: 'The number cannot be called at this time',
  },
  'calls.parallel_limit': {
    pt: 'O limite de {limit} {limit:ligação simultânea|ligações simultâneas} foi atingido. Tente novamente quando uma terminar',
    en: 'The limit of {limit} concurrent {limit:call|calls} has been reached. Try again when one has ended',
  },
  'calls.trunk_limit': {
    pt: 'O limite de {limit} {limit:ligação simultânea|ligações simultâneas} do tronco SIP foi atingido. Tente novamente quando uma terminar',
    en: "The SIP trunk's limit of {limit} concurrent {limit:call|calls} has been reached. Try again when one has ended",
  },
  'calls.platform_busy': {
    pt: 'O servidor atingiu o limite de ligações simultâneas. Tente novamente em instantes',
    en: 'The server has reached its limit of concurrent calls. Try again in a moment',
  },
  'calls.carrier_unavailable': {
    pt: 'A operadora não está aceitando ligações no momento. Tente novamente em {seconds} {seconds:segundo|segundos}',
    en: 'The carrier is not accepting calls right now. Try again in {seconds} {seconds:second|seconds}',
  },
  'calls.illegal_move': {
    pt: 'Uma ligação não pode passar de {from} para {to}',
    en: 'A call cannot go from {from} to {to}',
  },
  'call_notes.added': { pt: 'Nota adicionada com sucesso', en: 'Note added' },
  'call_notes.deleted': { pt: 'Nota excluída com sucesso', en: 'Note deleted' },
  'call_notes.not_found': { pt: 'Nota não encontrada', en: 'Note not found' },
  'call_notes.too_many': {
    pt: 'A ligação já tem {limit} {limit:nota|notas}. Exclua uma delas primeiro',
    en: 'The call already has {limit} {limit:note|notes}. Delete one of them first',
  },
  'call_tags.updated': { pt: 'Tags atualizadas com sucesso', en: 'Tags updated' },
  'call_shares.created': { pt: 'Link criado com sucesso', en: 'Link created' },
  'call_shares.revoked': { pt: 'Link revogado com sucesso', en: 'Link revoked' },
  'call_shares.off': {
    pt: 'O compartilhamento de ligações está desativado nesta conta. Um administrador pode ativá-lo nas configurações',
    en: 'Sharing of calls is off in this account. An administrator can turn it on in the settings',
  },
  'call_shares.running': {
    pt: 'A ligação ainda está em andamento. Compartilhe-a quando terminar',
    en: 'The call is still in progress. Share it when it has ended',
  },
  'call_shares.too_many': {
    pt: 'A ligação já tem {limit} {limit:link válido|links válidos}. Revogue um deles primeiro',
    en: 'The call already has {limit} valid {limit:link|links}. Revoke one of them first',
  },
  'call_shares.not_found': { pt: 'Link não encontrado', en: 'Link not found' },
  'call_shares.no_call': {
    pt: 'Esta ligação não está mais disponível',
    en: 'This call is not available any more',
  },
  'call_monitors.granted': { pt: 'Acesso à ligação liberado', en: 'Access to the call granted' },
  'call_monitors.not_answered': {
    pt: 'A ligação ainda não foi atendida. Tente novamente quando ela começar',
    en: 'The call has not been answered yet. Try again when it has started',
  },
  'call_monitors.no_sound': {
    pt: 'Esta ligação não tem áudio para ouvir',
    en: 'This call has no audio to listen to',
  },
  'call_monitors.too_many': {
    pt: 'Esta ligação já tem {limit} {limit:ouvinte|ouvintes}. Tente novamente quando alguém sair',
    en: 'This call already has {limit} {limit:listener|listeners}. Try again when one has left',
  },
  'call_monitors.no_process': {
    pt: 'Nenhum processo de voz está com esta ligação no momento. Tente novamente em instantes',
    en: 'No voice process has this call right now. Try again in a moment',
  },
  'transfer_offers.accepted': { pt: 'Ligação aceita', en: 'Call accepted' },
  'transfer_offers.declined': { pt: 'Ligação recusada', en: 'Call declined' },
  'transfer_offers.not_found': { pt: 'Oferta não encontrada', en: 'Offer not found' },
  'transfer_offers.taken': {
    pt: 'Outra pessoa já atendeu esta ligação',
    en: 'Another person has already taken this call',
  },
  'transfer_offers.gone': {
    pt: 'Esta ligação não está mais disponível para atender',
    en: 'This call can no longer be accepted',
  },
  'web_calls.opened': { pt: 'Chamada criada com sucesso', en: 'Call created' },
  'web_calls.too_many': {
    pt: 'Este assistente está em muitas ligações no momento. Tente novamente em instantes',
    en: 'This assistant is on too many calls right now. Try again in a moment',
  },
  'web_calls.not_allowed': {
    pt: 'Este assistente não aceita ligações de visitantes',
    en: 'This assistant does not accept calls from visitors',
  },
  'web_calls.starting': {
    pt: 'O servidor está iniciando. Tente novamente em alguns segundos',
    en: 'The server is starting. Try again in a few seconds',
  },
  'web_calls.no_process': {
    pt: 'Nenhum processo de voz está em execução no momento. Tente novamente em instantes',
    en: 'No voice process is running right now. Try again in a moment',
  },
  'web_calls.unavailable': {
    pt: 'Este servidor não aceita ligações pelo navegador',
    en: 'This server does not accept calls from browsers',
  },
} as const;
