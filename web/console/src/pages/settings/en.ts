import type { settingsPt } from './pt.js';

export const settingsEn = {
  title: 'Settings',
  subtitle: 'Your password, and where you are signed in.',
  profile: { title: 'Account', name: 'Name', email: 'E-mail' },
  password: {
    title: 'Change the password',
    text: 'The other sessions end when the password changes.',
    current: 'Current password',
    next: 'New password',
    submit: 'Change the password',
    done: 'The password is changed. The other sessions have ended.',
    wrong: 'That is not your current password.',
  },
  sessions: {
    title: 'Sessions',
    current: 'This session',
    unknown: 'Unknown browser',
    began: (when: string) => `Since ${when}`,
    from: (address: string) => `from ${address}`,
    end: 'End',
    endOf: (name: string) => `End the session of ${name}`,
    endOthers: 'End all others',
    endOthersQuestion:
      'All sessions end but this one. Whoever uses the account elsewhere has to sign in again.',
  },
} satisfies typeof settingsPt;
