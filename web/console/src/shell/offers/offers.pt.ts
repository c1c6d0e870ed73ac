export const offersPt = {
  title: 'Transferências para você',
  visitor: 'um visitante do site',
  from: (customer: string) => `Ligação de ${customer}`,
  by: (assistant: string) => `Transferida pelo assistente ${assistant}`,
  left: (seconds: number) => `${seconds} s`,
  noBriefing: 'Sem resumo da conversa.',
  spoken: (customer: string, assistant: string, briefing: string) =>
    `Nova transferência: ligação de ${customer}, do assistente ${assistant}. ${briefing}`,
  accept: 'Atender',
  decline: 'Recusar',
};
