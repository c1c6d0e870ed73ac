/** How calls of a number are routed, on every page that shows it. */
export const routingPt = {
  now: (isOpen: boolean, target: string) => `Agora: ${isOpen ? 'aberto' : 'fechado'} → ${target}`,
  targets: {
    assistant: 'assistente',
    forward: 'encaminhada',
    message: 'mensagem',
    busy: 'sinal de ocupado',
    reject: 'chamada recusada',
  },
  noOne: 'ninguém',
  branches: {
    open: 'Aberto',
    closed: 'Fechado',
    lookup: 'Consulta do cliente',
    unavailable: 'Ninguém pôde atender',
  },
  reasons: {
    hours: 'fora do horário',
    closed_date: 'data fechada',
    no_assistant: 'nenhum assistente disponível',
    account_full: 'todas as linhas do plano em uso',
    platform_full: 'todas as linhas do servidor em uso',
    trunk_full: 'todas as linhas do tronco em uso',
    balance: 'saldo insuficiente',
    no_voice: 'serviço de voz indisponível',
    queue_full: 'fila de espera cheia',
    queue_timeout: 'tempo máximo de espera atingido',
    lookup: 'decisão da consulta do cliente',
  },
};
