import type { sessionPt } from './session.pt.js';

export const sessionEn = {
  title: 'Sign in to Prosa',
  subtitle: 'Assistants that chat, call and get things done.',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Wrong e-mail or password.',
  hint: 'The first time, the terminal in which Prosa was started shows the e-mail and password of the account.',
  lost: 'Forgot the password? On the server: npm run account -- password',
  expired: 'Your session is over',
  expiredText: 'Sign in again to go on. What you have typed is still here.',
  leave: 'Go to the sign-in page',
} satisfies typeof sessionPt;
