import { pluralOf } from '../../texts/plural.js';

const plural = pluralOf('pt');

export const analyticsPt = {
  title: 'Relatórios',
  subtitle: 'Resultados, custos e tempos de resposta de ligações e conversas.',
  period: 'Período',
  days: (days: number) => `${days} ${plural(days, 'dia', 'dias')}`,
  byDay: 'Por dia',
  zone: (zone: string) => `Fuso horário: ${zone}`,
  measure: 'Métrica',
  measures: {
    calls: 'Ligações',
    minutes: 'Minutos',
    conversations: 'Conversas',
    messages: 'Mensagens',
    cost: 'Custo',
  },
  minutes: (minutes: string) => `${minutes} min falados`,
  messages: (shown: string, count: number) => `${shown} ${plural(count, 'mensagem', 'mensagens')}`,
  ofConversations: ({
    withPerson,
    ended,
    tests,
  }: Readonly<Record<'withPerson' | 'ended' | 'tests', string>>) =>
    `Com atendente: ${withPerson} · encerradas: ${ended} · de teste: ${tests}`,
  ofCarrier: (money: string) => `inclui ${money} da operadora`,
  wait: 'Tempo de resposta',
  slowest: (ms: string) => `Mediana; p95: ${ms} ms`,
  notMeasured: 'Sem dados',
  tokens: 'Tokens de entrada',
  tokensOut: (tokens: string) => `${tokens} de saída`,
  none: 'Nenhuma atividade no período.',
  outcomes: {
    title: 'Resultado das ligações',
    talked: 'Atendidas',
    live: 'Em andamento',
    noAnswer: 'Sem resposta',
    busy: 'Ocupado',
    failed: 'Falhou',
  },
  inbound: {
    title: 'Ligações recebidas',
    summary: (calls: string, count: number, missed: string, missedCount: number) =>
      `${calls} ${plural(count, 'ligação', 'ligações')}, ${missed} ${plural(missedCount, 'perdida', 'perdidas')}`,
    missed: 'Chamadas perdidas',
    show: 'Ver chamadas perdidas',
    byHour: 'Chamadas perdidas por hora do dia',
    hour: 'Hora',
    hourOf: (hour: number) => `${hour}h`,
    none: 'Nenhuma chamada perdida no período.',
    reasons: 'Motivos',
    reasonsHint: 'Por que ligações não foram atendidas como no horário de atendimento.',
    noReasons: 'Todas as ligações foram atendidas como no horário de atendimento.',
    number: 'Número',
    waits: {
      title: 'Fila de espera',
      count: 'Aguardaram na fila',
      median: 'Espera mediana',
      p95: 'Espera (p95)',
      abandoned: 'Desistiram',
      share: (count: string, percent: string) => `${count} (${percent}%)`,
    },
  },
  groups: {
    title: 'Comparação',
    assistant: 'Por assistente',
    campaign: 'Por campanha',
    of: { assistant: 'Assistente', campaign: 'Campanha' },
    without: { assistant: 'Assistente excluído', campaign: 'Sem campanha' },
    tokens: 'Tokens',
  },
};
