export const callsTexts = {
  'calls.initiated': { pt: 'Chamada iniciada com sucesso', en: 'Call initiated' },
  'calls.deleted': { pt: 'Chamada excluída com sucesso', en: 'Call deleted' },
  'calls.hung_up': { pt: 'Chamada encerrada com sucesso', en: 'Call ended' },
  'calls.over': { pt: 'A chamada já terminou', en: 'The call is over already' },
  'calls.not_found': { pt: 'Chamada não encontrada', en: 'Call not found' },
  'calls.no_recording': { pt: 'Gravação não encontrada', en: 'Recording not found' },
  'calls.no_such_part': {
    pt: 'A parte pedida está além do fim da gravação',
    en: 'The part asked for lies beyond the end of the recording',
  },
  'calls.still_running': {
    pt: 'A chamada ainda está em andamento e não pode ser excluída',
    en: 'The call is still running and cannot be deleted',
  },
  'calls.bad_number': { pt: 'Formato do número de telefone inválido', en: 'Invalid phone number format' },
  'calls.being_placed': {
    pt: 'Já há uma chamada sendo feita para este número. Aguarde ou envie um cabeçalho Idempotency-Key',
    en: 'A call to this number is being placed already. Wait, or send an Idempotency-Key header',
  },
  'calls.no_caller_number': {
    pt: 'O assistente e a conta não têm um número de telefone para ligar',
    en: 'Neither the assistant nor the account has a phone number to call from',
  },
  'calls.do_not_call': {
    pt: 'O número está na lista de não perturbe',
    en: 'The number is on the do-not-call list',
  },
  'calls.outside_hours': {
    pt: 'O número não pode ser chamado neste horário',
    en: 'The number must not be called at this hour',
  },
  'calls.parallel_limit': {
    pt: 'O limite de chamadas simultâneas ({limit}) foi atingido',
    en: 'The limit of parallel calls ({limit}) has been reached',
  },
  'calls.trunk_limit': {
    pt: 'O limite de chamadas simultâneas do tronco SIP ({limit}) foi atingido',
    en: 'The limit of parallel calls of the SIP trunk ({limit}) has been reached',
  },
  'calls.platform_busy': {
    pt: 'A plataforma atingiu o limite de chamadas simultâneas, tente novamente em instantes',
    en: 'The platform has reached its limit of parallel calls, try again in a moment',
  },
  'calls.carrier_unavailable': {
    pt: 'A operadora não está aceitando chamadas no momento. Tente novamente em {seconds} {seconds:segundo|segundos}',
    en: 'The carrier takes no calls at the moment. Try again in {seconds} {seconds:second|seconds}',
  },
  'calls.illegal_move': {
    pt: 'Uma chamada não pode passar de {from} para {to}',
    en: 'A call cannot go from {from} to {to}',
  },
  'web_calls.opened': { pt: 'Chamada criada com sucesso', en: 'Call created' },
  'web_calls.too_many': {
    pt: 'Há chamadas demais com este assistente no momento, tente novamente em instantes',
    en: 'There are too many calls with this assistant at the moment, try again in a moment',
  },
  'web_calls.not_allowed': {
    pt: 'Este assistente não atende chamadas de visitantes',
    en: 'This assistant takes no calls from visitors',
  },
  'web_calls.starting': {
    pt: 'O servidor está iniciando e em instantes poderá atender chamadas. Tente novamente em alguns segundos',
    en: 'The server is starting and will take calls in a moment. Try again in a few seconds',
  },
  'web_calls.no_process': {
    pt: 'Nenhum processo de voz está em execução no momento. Tente novamente em instantes',
    en: 'No voice process is running at the moment. Try again in a moment',
  },
  'web_calls.unavailable': {
    pt: 'Esta instalação não atende chamadas pelo navegador',
    en: 'This installation takes no calls from browsers',
  },
} as const;
