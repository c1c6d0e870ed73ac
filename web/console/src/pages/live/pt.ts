import { pluralOf } from '../../texts/plural.js';
import { deskPt } from './desk/pt.js';

const plural = pluralOf('pt');

export const livePt = {
  title: 'Ao vivo',
  subtitle: 'Ligações em andamento e clientes na fila, em tempo real.',
  list: 'Ligações ao vivo',
  /** In a sentence, where the customer of a web call has no name. */
  visitor: 'visitante da web',
  waiting: (count: number) => `${count} na fila`,
  running: (count: number) => `${count} em andamento`,
  newest: (shown: number, total: number) => `Mostrando as ${shown} ligações mais recentes de ${total}.`,
  holders: {
    assistant: 'Com o assistente',
    agent: 'Com um atendente',
    queue: 'Na fila',
    transfer: 'Em transferência',
  },
  heldBy: (name: string) => `Com ${name}`,
  position: (position: number) => `${position}º na fila`,
  wait: 'Espera',
  duration: 'Duração',
  speakers: { customer: 'Cliente', assistant: 'Assistente', agent: 'Atendente' },
  joined: (who: string, count: number) =>
    `${who} entrou na fila. ${count} ${plural(count, 'cliente', 'clientes')} na fila.`,
  availability: {
    label: 'Disponível para transferências',
    hint: 'Termina um minuto depois que você fecha o console.',
  },
  shortcuts: {
    next: 'Próxima ligação',
    previous: 'Ligação anterior',
    listen: 'Ouvir a ligação',
    whisper: 'Sussurrar para o assistente',
    takeOver: 'Assumir a ligação',
    handBack: 'Devolver ao assistente',
    mute: 'Silenciar ou ativar o microfone',
    help: 'Mostrar estes atalhos',
  },
  hangUp: 'Desligar',
  hangUpOn: (who: string) => `Desligar a ligação de ${who}`,
  hangUpQuestion: (who: string) => `Desligar agora a ligação de ${who}?`,
  empty: {
    title: 'Nenhuma ligação em andamento',
    text: 'As ligações aparecem aqui enquanto acontecem: quem é o cliente, quem está atendendo, há quanto tempo e o que foi dito por último. Quem espera na fila aparece primeiro.',
    action: 'Ver ligações encerradas',
  },
  desk: deskPt,
};
