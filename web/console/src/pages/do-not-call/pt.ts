import { pluralOf } from '../../texts/plural.js';

const plural = pluralOf('pt');

export const doNotCallPt = {
  title: 'Não ligar',
  subtitle: 'Números para os quais a sua conta nunca liga, nem em campanhas.',
  add: 'Adicionar números',
  search: 'Buscar número',
  clear: 'Limpar busca',
  columns: { number: 'Número', reason: 'Motivo', added: 'Adicionado', actions: 'Ações' },
  empty: {
    title: 'Nenhum número na lista',
    text: 'Adicione aqui quem pediu para não receber ligações.',
    filtered: 'Este número não está na lista',
  },
  dialog: {
    numbers: 'Números',
    numbersHint: (most: number) => `Um por linha, no máximo ${most}. Sem código do país, vale o da conta.`,
    reason: 'Motivo',
    reasonHint: 'Opcional. Vale para todos os números acima.',
    submit: 'Adicionar',
    tooMany: (most: number) => `No máximo ${most} números por vez.`,
    failed: (count: number) =>
      count === 1
        ? 'Um número não foi adicionado. Corrija e tente de novo.'
        : `${count} números não foram adicionados. Corrija e tente de novo.`,
  },
  added: (count: number) => (count === 1 ? 'Número adicionado' : `${count} números adicionados`),
  remove: (number: string) => `Remover ${number}`,
  removeTitle: 'Remover número',
  removeQuestion: (number: string) => `${number} poderá receber ligações novamente. Remover da lista?`,
  removeSome: (count: number) =>
    `${count} ${plural(count, 'número poderá', 'números poderão')} receber ligações novamente. Remover da lista?`,
  removeAction: 'Remover',
};
