export const membersPt = {
  title: 'Membros',
  subtitle: 'Quem trabalha nesta conta, cada um com sua senha e seu papel.',
  invite: 'Convidar',
  columns: { name: 'Nome', email: 'E-mail', role: 'Papel', since: 'Desde', actions: 'Ações' },
  you: 'Você',
  roles: { owner: 'Dono', operator: 'Operador', viewer: 'Leitor' },
  rolesText: {
    owner: 'Faz tudo, como quem abriu a conta.',
    operator: 'Lê tudo, responde conversas, faz ligações e cuida das campanhas.',
    viewer: 'Lê tudo e não muda nada.',
  },
  roleOf: (name: string) => `Papel de ${name}`,
  changed: (name: string) => `O papel de ${name} mudou.`,
  remove: (name: string) => `Remover ${name}`,
  removeTitle: 'Remover membro',
  removeQuestion: (name: string) =>
    `${name} sai da conta na hora, e suas sessões terminam. As respostas que escreveu continuam com o nome.`,
  removeAction: 'Remover',
  passwordLink: {
    of: (name: string) => `Link de senha para ${name}`,
    title: 'Link para uma nova senha',
    question: (name: string) =>
      `Com o link, ${name} define uma nova senha sem a antiga. Links anteriores deixam de funcionar.`,
    submit: 'Criar link',
    copy: (name: string) =>
      `Envie este link a ${name}. Ele não será mostrado de novo e vale uma vez, por um dia.`,
    done: 'Já copiei',
  },
  invitations: {
    title: 'Convites em aberto',
    until: 'Vale até',
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
    role: 'Papel',
    submit: 'Criar convite',
    made: 'Convite criado',
    copy: 'Envie este link à pessoa. Ele não será mostrado de novo e vale uma vez, por sete dias.',
    link: 'Link do convite',
    done: 'Já copiei',
  },
  empty: {
    title: 'Só você por enquanto',
    text: 'Convide quem atende, liga ou acompanha. Nada é enviado por e-mail: você passa o link adiante.',
  },
};
