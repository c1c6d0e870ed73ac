import type { settingsPt } from './pt.js';

export const settingsEn = {
  title: 'Settings',
  subtitle: 'The account, your password, and where you are signed in.',
  profile: { title: 'Account', name: 'Name', email: 'E-mail' },
  region: {
    title: 'Country and time zone',
    text: 'For everybody who uses the account.',
    country: 'Country',
    countryText: 'Of phone numbers that are written without a country code.',
    timezone: 'Time zone',
    timezoneText: 'Days of filters, and times of calls and leads, are told in it.',
    saved: 'Country and time zone saved',
  },
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
