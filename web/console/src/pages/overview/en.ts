import type { overviewPt } from './pt.js';

export const overviewEn = {
  title: 'Overview',
  subtitle: 'What happens now, and what needs you.',
  stats: {
    waiting: 'Customers waiting',
    live: 'Calls going on',
    today: 'Calls today',
    balance: 'Balance',
    spentToday: 'Spent today',
  },
  attention: {
    title: 'Needs you',
    none: 'Nobody waits for a person.',
    all: 'Show all',
    since: (time: string) => `waiting since ${time}`,
    alert: (name: string) => `A limit has refused visitors: ${name}`,
    account: 'whole account',
  },
  conversations: { title: 'Recent conversations', none: 'No conversations yet.', all: 'Open the inbox' },
  calls: { title: 'Recent calls', none: 'No calls yet.', all: 'Show all' },
  guide: {
    title: 'First steps',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide',
    done: 'Done',
    assistant: {
      title: 'Make an assistant',
      text: 'Say who it is, what it knows and how it speaks.',
      action: 'Assistants',
    },
    chat: {
      title: 'Talk to it',
      text: 'The test chat is free and stands beside the editor.',
      action: 'Try it',
    },
    knowledge: {
      title: 'Give it something to know',
      text: 'Upload a document or the address of your site, or connect a tool.',
      action: 'Knowledge',
    },
    widget: {
      title: 'Put the chat on your site',
      text: 'Copy one line of code from the page of the assistant.',
      action: 'Copy the code',
    },
    takeover: {
      title: 'Answer a customer',
      text: 'When somebody writes, take the conversation over in the inbox.',
      action: 'Inbox',
    },
  },
} satisfies typeof overviewPt;
