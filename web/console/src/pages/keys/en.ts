import type { keysPt } from './pt.js';

export const keysEn = {
  title: 'API keys',
  subtitle: 'For your applications. Anyone with a key can act on behalf of this account.',
  create: 'Create key',
  name: 'Key name',
  namePlaceholder: 'For example: Online shop',
  columns: { name: 'Name', may: 'Permissions', created: 'Created', used: 'Last used', actions: 'Actions' },
  never: 'Never used',
  kind: 'Permissions',
  kinds: {
    all: 'Full access',
    scoped: 'Restricted',
    publishable: 'Publishable (for websites)',
  },
  kindsText: {
    all: 'Can do everything. Use only on your own servers.',
    scoped: 'Only the permissions you select.',
    publishable:
      'Safe to use in a web page: it can only start conversations with your assistants, like any visitor.',
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
    read: 'View everything except secrets.',
    chat: 'Reply to, take over and test conversations.',
    calls: 'Place, hang up and delete calls.',
    campaigns: 'Manage campaigns and contacts.',
    admin: 'Manage assistants, tools, numbers, keys, members and limits.',
  },
  origins: 'Allowed origins',
  originsText: 'For example https://www.shop.com. Leave empty to allow any origin.',
  lastDay: 'Expires on',
  lastDayText: 'Leave empty for no expiry.',
  until: (day: string) => `Expires ${day}`,
  expired: 'Expired',
  onlyAt: (origins: string) => `Only on ${origins}`,
  delete: (name: string) => `Delete key ${name}`,
  deleteTitle: 'Delete key',
  deleteQuestion: (name: string) =>
    `Applications using “${name}” stop working immediately. Sessions started with it end.`,
  created: 'Your new key',
  createdText: "Copy it now. You won't be able to see it again.",
  done: 'Done',
  empty: {
    title: 'No keys yet',
    text: 'Use a key to create assistants, place calls and read conversations through the API.',
  },
} satisfies typeof keysPt;
