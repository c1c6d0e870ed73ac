export const sessionPt = {
  title: 'Entrar na Prosa',
  subtitle: 'Assistentes que conversam, ligam e resolvem.',
  email: 'E-mail',
  password: 'Senha',
  submit: 'Entrar',
  wrong: 'E-mail ou senha incorretos.',
  hint: 'Na primeira vez, o terminal em que a Prosa foi iniciada mostra o e-mail e a senha da conta.',
  lost: 'Esqueceu a senha? No servidor: npm run account -- password',
  expired: 'Sua sessão terminou',
  expiredText: 'Entre de novo para continuar. O que você digitou continua aqui.',
  leave: 'Ir para a tela de entrada',
};
