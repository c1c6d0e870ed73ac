export const overviewPt = {
  title: 'Visão geral',
  subtitle: 'O que está acontecendo agora e o que precisa da sua atenção.',
  quick: {
    assistant: 'Novo assistente',
    number: 'Alugar número',
    campaign: 'Nova campanha',
    call: 'Ligar para mim',
  },
  stats: {
    waiting: 'Clientes aguardando',
    live: 'Ligações em andamento',
    today: 'Ligações hoje',
    balance: 'Saldo',
    spentToday: 'Gasto de hoje',
  },
  attention: {
    title: 'Precisa da sua atenção',
    none: 'Nenhum cliente aguardando.',
    all: 'Ver todas',
    since: (time: string) => `aguardando desde ${time}`,
    alert: (name: string) => `Visitantes foram recusados por um limite: ${name}`,
    account: 'conta inteira',
    limits: {
      conversations_per_address_per_hour: 'Conversas por hora por IP',
      conversations_per_hour: 'Conversas por hora',
      messages_per_hour: 'Mensagens por hora',
      daily_spend_per_assistant: 'Gasto diário do assistente',
      daily_spend_per_account: 'Gasto diário da conta',
    },
  },
  conversations: {
    title: 'Conversas recentes',
    none: 'Nenhuma conversa ainda.',
    all: 'Abrir a caixa de entrada',
  },
  calls: { title: 'Ligações recentes', none: 'Nenhuma ligação ainda.', all: 'Ver todas' },
  guide: {
    title: 'Primeiros passos',
    progress: (done: number, all: number) => `${done} de ${all} concluídos`,
    hide: 'Ocultar',
    done: 'Concluído',
    assistant: {
      title: 'Crie um assistente',
      text: 'Defina quem ele é, o que sabe e como fala.',
      action: 'Criar assistente',
    },
    chat: {
      title: 'Teste',
      text: 'O chat de teste é grátis e fica ao lado do editor.',
      action: 'Testar',
    },
    knowledge: {
      title: 'Ensine algo a ele',
      text: 'Envie um documento, adicione seu site ou conecte uma ferramenta.',
      action: 'Conhecimento',
    },
    widget: {
      title: 'Coloque o chat no seu site',
      text: 'Copie uma linha de código da aba “Site” do assistente.',
      action: 'Copiar o código',
    },
    takeover: {
      title: 'Responda a um cliente',
      text: 'Quando alguém escrever, assuma a conversa na caixa de entrada.',
      action: 'Caixa de entrada',
    },
  },
};
