import type { sessionPt } from './session.pt.js';

export const sessionEn = {
  title: 'Sign in to Prosa',
  subtitle: 'AI assistants that chat, call and get things done.',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Incorrect email or password.',
  hint: 'First time here? Your email and password were printed in the terminal where Prosa was started.',
  lost: 'Forgot your password? Ask an account owner for a reset link, or run this on the server: npm run account -- password-link EMAIL',
  expired: 'Your session has expired',
  expiredText: 'Sign in again to continue. Nothing you typed has been lost.',
  leave: 'Go to the sign-in page',
  join: {
    title: 'Accept the invitation',
    subtitle: 'Choose your display name and a password.',
    name: 'Your name',
    passwordHint: 'At least 8 characters.',
    submit: 'Join the account',
    noToken: 'This link is incomplete. Copy the whole link, or ask for a new invitation.',
    signIn: 'Already have access? Sign in',
  },
  newPassword: {
    title: 'Set a new password',
    subtitle: 'Sessions that were started with the old password will be signed out.',
    password: 'New password',
    submit: 'Save and sign in',
    noToken: 'This link is incomplete. Copy the whole link, or ask for a new one.',
    signIn: 'Remembered your password? Sign in',
  },
} satisfies typeof sessionPt;
