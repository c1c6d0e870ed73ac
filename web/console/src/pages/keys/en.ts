import type { keysPt } from './pt.js';

export const keysEn = {
  title: 'API keys',
  subtitle: 'For your programs. Whoever has a key acts for the account.',
  create: 'Create key',
  name: 'Name of the key',
  namePlaceholder: 'For example: Online shop',
  columns: { name: 'Name', may: 'May do', created: 'Created', used: 'Last used', actions: 'Actions' },
  never: 'Never used',
  kind: 'What the key may do',
  kinds: {
    all: 'Everything',
    scoped: 'Only what I choose',
    publishable: 'Only open conversations (for pages)',
  },
  kindsText: {
    all: 'As whoever opened the account. Keep it on servers of your own.',
    scoped: 'What is not ticked is refused.',
    publishable:
      'May stand in the source of a page: it opens conversations with your assistants, as any visitor does.',
  },
  scopesLabel: 'Permissions',
  scopes: {
    read: 'Read',
    chat: 'Conversations',
    calls: 'Calls',
    campaigns: 'Campaigns',
    admin: 'Administration',
  },
  scopesText: {
    read: 'See everything that is no secret.',
    chat: 'Answer, take over and test conversations.',
    calls: 'Place, end and delete calls.',
    campaigns: 'Campaigns and leads.',
    admin: 'Assistants, tools, numbers, keys, members and limits.',
  },
  origins: 'Pages it works on',
  originsText: 'Origins such as https://www.shop.com. Empty: anywhere.',
  lastDay: 'Last day',
  lastDayText: 'Empty: it does not expire.',
  until: (day: string) => `Expires ${day}`,
  expired: 'Expired',
  onlyAt: (origins: string) => `Only on ${origins}`,
  delete: (name: string) => `Delete the key ${name}`,
  deleteTitle: 'Delete key',
  deleteQuestion: (name: string) =>
    `Programs that use the key “${name}” stop working at once. Sessions begun with it end.`,
  created: 'Your new key',
  createdText: 'Copy it now: it is not shown again.',
  done: 'I have copied it',
  empty: {
    title: 'No keys yet',
    text: 'With a key your site or system makes assistants, places calls and reads conversations by the API.',
  },
} satisfies typeof keysPt;
