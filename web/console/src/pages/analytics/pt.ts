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
  groups: {
    title: 'Comparação',
    assistant: 'Por assistente',
    campaign: 'Por campanha',
    of: { assistant: 'Assistente', campaign: 'Campanha' },
    without: { assistant: 'Assistente excluído', campaign: 'Sem campanha' },
    tokens: 'Tokens',
  },
};
