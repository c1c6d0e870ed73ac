export const settingsPt = {
  title: 'Configurações',
  subtitle: 'Sua senha e os lugares em que você entrou.',
  profile: { title: 'Conta', name: 'Nome', email: 'E-mail' },
  password: {
    title: 'Mudar a senha',
    text: 'As outras sessões terminam quando a senha muda.',
    current: 'Senha atual',
    next: 'Nova senha',
    submit: 'Mudar a senha',
    done: 'A senha foi mudada. As outras sessões terminaram.',
    wrong: 'Não é a sua senha atual.',
  },
  sessions: {
    title: 'Sessões',
    current: 'Esta sessão',
    unknown: 'Navegador desconhecido',
    began: (when: string) => `Desde ${when}`,
    from: (address: string) => `de ${address}`,
    end: 'Terminar',
    endOf: (name: string) => `Terminar a sessão de ${name}`,
    endOthers: 'Terminar todas as outras',
    endOthersQuestion:
      'Todas as sessões terminam, menos esta. Quem usa a conta noutro lugar precisa entrar de novo.',
  },
};
