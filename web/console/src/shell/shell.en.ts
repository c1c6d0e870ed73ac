import type { shellPt } from './shell.pt.js';

export const shellEn = {
  skip: 'Skip to content',
  navigation: 'Main navigation',
  openNavigation: 'Open navigation',
  closeNavigation: 'Close navigation',
  groups: { work: 'Work', build: 'Build', account: 'Account' },
  links: {
    overview: 'Overview',
    inbox: 'Inbox',
    campaigns: 'Campaigns',
    calls: 'Calls',
    assistants: 'Assistants',
    tools: 'Tools',
    knowledge: 'Knowledge',
    numbers: 'Numbers',
    webhooks: 'Webhooks',
    keys: 'API keys',
    billing: 'Billing',
    settings: 'Settings',
  },
  account: 'Account',
  balance: 'Balance',
  theme: { title: 'Theme', light: 'Light', dark: 'Dark', auto: 'As the system' },
  language: { title: 'Language', pt: 'Português', en: 'English' },
  docs: 'API documentation',
  signOut: 'Sign out',
} satisfies typeof shellPt;
