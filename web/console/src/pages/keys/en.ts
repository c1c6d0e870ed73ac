import type { keysPt } from './pt.js';

export const keysEn = {
  title: 'API keys',
  subtitle: 'For your programs. Whoever has a key acts for the account.',
  create: 'Create key',
  name: 'Name of the key',
  namePlaceholder: 'For example: Online shop',
  columns: { name: 'Name', created: 'Created', used: 'Last used', actions: 'Actions' },
  never: 'Never used',
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
