export const callNowPt = {
  action: 'Ligar agora',
  phone: 'Número',
  phoneHint: 'Com DDD. Para outros países, comece com + e o código do país.',
  assistant: 'Assistente',
  variables: 'Variáveis do assistente',
  cost: (perMinute: string) => `Cerca de ${perMinute} por minuto, pelas últimas ligações deste assistente.`,
  noAssistant: 'Nenhum assistente de saída pode ligar. Crie ou ative um.',
  toAssistants: 'Ver assistentes',
  submit: 'Ligar',
};
