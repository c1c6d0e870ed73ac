export const overviewPt = {
  title: 'Visão geral',
  subtitle: 'O que acontece agora, e o que precisa de você.',
  stats: {
    waiting: 'Clientes na espera',
    live: 'Ligações em andamento',
    today: 'Ligações hoje',
    balance: 'Saldo',
    spentToday: 'Gasto hoje',
  },
  attention: {
    title: 'Precisa de você',
    none: 'Nada espera por uma pessoa.',
    all: 'Ver todas',
    since: (time: string) => `espera desde ${time}`,
    alert: (name: string) => `Um limite recusou visitantes: ${name}`,
    account: 'conta inteira',
  },
  conversations: {
    title: 'Conversas recentes',
    none: 'Ainda não há conversas.',
    all: 'Abrir a caixa de entrada',
  },
  calls: { title: 'Ligações recentes', none: 'Ainda não há ligações.', all: 'Ver todas' },
  guide: {
    title: 'Primeiros passos',
    progress: (done: number, all: number) => `${done} de ${all} feitos`,
    hide: 'Esconder',
    done: 'Feito',
    assistant: {
      title: 'Crie um assistente',
      text: 'Diga quem ele é, o que sabe e como fala.',
      action: 'Assistentes',
    },
    chat: {
      title: 'Converse com ele',
      text: 'A conversa de teste é grátis e fica ao lado do editor.',
      action: 'Testar',
    },
    knowledge: {
      title: 'Dê a ele o que saber',
      text: 'Envie um documento ou o endereço do seu site, ou ligue uma ferramenta.',
      action: 'Conhecimento',
    },
    widget: {
      title: 'Ponha o chat no seu site',
      text: 'Copie uma linha de código da tela do assistente.',
      action: 'Copiar o código',
    },
    takeover: {
      title: 'Responda a um cliente',
      text: 'Quando alguém escrever, assuma a conversa na caixa de entrada.',
      action: 'Caixa de entrada',
    },
  },
};
