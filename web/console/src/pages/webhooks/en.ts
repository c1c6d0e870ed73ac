import type { webhooksPt } from './pt.js';

export const webhooksEn = {
  title: 'Webhooks',
  subtitle: 'Notices that Prosa sends to your system, and what it answered.',
  none: {
    title: 'No notice sent yet',
    text: 'In each assistant, among its abilities, say where the results of calls and chats go.',
    action: 'Open assistants',
    filtered: 'No notice matches the filters',
  },
  columns: { event: 'Event', url: 'Address', status: 'Status', tries: 'Tries', when: 'When' },
  kinds: {
    'post-call': 'Call ended',
    inbound: 'Call came in',
    'conversation-ended': 'Chat ended',
    'limit-reached': 'Limit reached',
  },
  status: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
  filters: { status: 'Status', kind: 'Event', all: 'All' },
  reasons: {
    tries_exhausted: 'All tries failed.',
    endpoint_gone: 'The address answered that it no longer exists.',
    endpoint_disabled: 'The address is disabled because it failed too often.',
    switched_off: 'The notice was switched off in the assistant.',
  },
  endpoint: {
    paused: 'The address fails too often and is tried only now and then.',
    disabled:
      'The address is disabled until it is saved again in the assistant. Sending again enables it, too.',
  },
  details: 'Notice',
  payload: 'Content',
  attempts: 'Tries',
  attempt: (number: string) => `Try ${number}`,
  running: 'running',
  noAnswer: 'no answer',
  next: (when: string) => `Next try: ${when}`,
  response: 'Answer',
  replay: 'Send again',
  replayed: 'It will be sent again',
  pages: 'Pages of notices',
  page: (page: number) => `Page ${page}`,
  secret: {
    title: 'Signing secret',
    text: 'With it your system checks that a notice came from Prosa (Standard Webhooks).',
    show: 'Show',
    hide: 'Hide',
    label: 'Secret',
    rotate: 'Change the secret',
    rotateText: 'For a time notices carry both signatures; change it in your system before that ends.',
    previous: (when: string) => `The previous secret is valid until ${when}.`,
  },
} satisfies typeof webhooksPt;
