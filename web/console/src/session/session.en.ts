import type { sessionPt } from './session.pt.js';

export const sessionEn = {
  title: 'Sign in to Prosa',
  subtitle: 'Assistants that chat, call and get things done.',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Wrong e-mail or password.',
  hint: 'The first time, the terminal in which Prosa was started shows the e-mail and password of the account.',
  lost: 'Forgot the password? Ask an owner of the account for a link, or on the server: npm run account -- password-link E-MAIL',
  expired: 'Your session is over',
  expiredText: 'Sign in again to go on. What you have typed is still here.',
  leave: 'Go to the sign-in page',
  join: {
    title: 'Accept the invitation',
    subtitle: 'Choose the name that is shown, and a password of your own.',
    name: 'Your name',
    passwordHint: 'At least 8 characters.',
    submit: 'Join the account',
    noToken: 'The link is not complete. Copy all of it, or ask for a new invitation.',
    signIn: 'I have access already: sign in',
  },
  newPassword: {
    title: 'Set a new password',
    subtitle: 'It counts from now on, and sessions that were begun with the old one end.',
    password: 'New password',
    submit: 'Save and sign in',
    noToken: 'The link is not complete. Copy all of it, or ask for another one.',
    signIn: 'I remember the password: sign in',
  },
} satisfies typeof sessionPt;
