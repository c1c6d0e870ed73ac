export const membersPt = {
  title: 'Membros',
  subtitle: 'Pessoas com acesso a esta conta, cada uma com sua senha e função.',
  invite: 'Convidar',
  columns: { name: 'Nome', email: 'E-mail', role: 'Função', since: 'Desde', actions: 'Ações' },
  you: 'Você',
  roles: { owner: 'Proprietário', operator: 'Operador', viewer: 'Visualizador' },
  rolesText: {
    owner: 'Acesso total.',
    operator: 'Pode ver tudo, responder conversas, fazer ligações e cuidar das campanhas.',
    viewer: 'Pode ver tudo, mas não altera nada.',
  },
  roleOf: (name: string) => `Função de ${name}`,
  changed: (name: string) => `A função de ${name} foi alterada.`,
  remove: (name: string) => `Remover ${name}`,
  removeTitle: 'Remover membro',
  removeQuestion: (name: string) =>
    `${name} perde o acesso imediatamente e é desconectado. O nome permanece nas respostas que escreveu.`,
  removeAction: 'Remover',
  passwordLink: {
    of: (name: string) => `Link de redefinição de senha para ${name}`,
    title: 'Link de redefinição de senha',
    question: (name: string) =>
      `${name} pode usar o link para definir uma nova senha. Links anteriores deixam de funcionar.`,
    submit: 'Criar link',
    copy: (name: string) =>
      `Envie este link a ${name}. Ele não será mostrado de novo, vale uma vez e expira em 24 horas.`,
    emailed: (name: string) =>
      `Estamos enviando este link por e-mail a ${name}. Se preferir, copie agora. Ele vale uma vez e expira em 24 horas.`,
    done: 'Concluir',
  },
  invitations: {
    title: 'Convites pendentes',
    until: 'Expira em',
    again: 'Novo link',
    againFor: (email: string) => `Novo link para ${email}`,
    cancel: (email: string) => `Cancelar o convite de ${email}`,
    cancelTitle: 'Cancelar convite',
    cancelQuestion: (email: string) => `O link enviado a ${email} deixa de funcionar.`,
    cancelAction: 'Cancelar convite',
  },
  dialog: {
    email: 'E-mail',
    emailPlaceholder: 'pessoa@empresa.com.br',
    role: 'Função',
    submit: 'Criar convite',
    made: 'Convite criado',
    copy: 'Envie este link à pessoa. Ele não será mostrado de novo, vale uma vez e expira em 7 dias.',
    emailed: (email: string) =>
      `Estamos enviando este link para ${email}. Se preferir, copie agora. Ele vale uma vez e expira em 7 dias.`,
    link: 'Link do convite',
    done: 'Concluir',
  },
  empty: {
    title: 'Só você por enquanto',
    text: 'Convide pessoas para responder, ligar ou acompanhar.',
  },
};
