import { pluralOf } from '../../texts/plural.js';

const plural = pluralOf('pt');

export const livePt = {
  title: 'Ao vivo',
  subtitle: 'Ligações em andamento e clientes na fila, em tempo real.',
  list: 'Ligações ao vivo',
  waiting: (count: number) => `${count} na fila`,
  running: (count: number) => `${count} em andamento`,
  newest: (shown: number, total: number) => `Mostrando as ${shown} ligações mais recentes de ${total}.`,
  holders: { assistant: 'Com o assistente', queue: 'Na fila', transfer: 'Em transferência' },
  position: (position: number) => `${position}º na fila`,
  wait: 'Espera',
  duration: 'Duração',
  speakers: { customer: 'Cliente', assistant: 'Assistente' },
  joined: (who: string, count: number) =>
    `${who} entrou na fila. ${count} ${plural(count, 'cliente', 'clientes')} na fila.`,
  hangUp: 'Desligar',
  hangUpOn: (who: string) => `Desligar a ligação de ${who}`,
  hangUpQuestion: (who: string) => `Desligar agora a ligação de ${who}?`,
  empty: {
    title: 'Nenhuma ligação em andamento',
    text: 'As ligações aparecem aqui enquanto acontecem: quem é o cliente, quem está atendendo, há quanto tempo e o que foi dito por último. Quem espera na fila aparece primeiro.',
    action: 'Ver ligações encerradas',
  },
};
