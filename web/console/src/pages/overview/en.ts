import type { overviewPt } from './pt.js';

export const overviewEn = {
  title: 'Overview',
  subtitle: "What's happening right now, and what needs your attention.",
  quick: {
    assistant: 'New assistant',
    number: 'Rent a number',
    campaign: 'New campaign',
    call: 'Call my phone',
  },
  stats: {
    waiting: 'Customers waiting',
    live: 'Live calls',
    today: 'Calls today',
    balance: 'Balance',
    spentToday: 'Spent today',
  },
  attention: {
    title: 'Needs attention',
    none: 'No customers are waiting.',
    all: 'View all',
    since: (time: string) => `waiting since ${time}`,
    alert: (name: string) => `Visitors were turned away by a limit: ${name}`,
    account: 'whole account',
    limits: {
      conversations_per_address_per_hour: 'Conversations per hour per IP address',
      conversations_per_hour: 'Conversations per hour',
      messages_per_hour: 'Messages per hour',
      daily_spend_per_assistant: 'Daily spend of the assistant',
      daily_spend_per_account: 'Daily spend of the account',
    },
  },
  conversations: { title: 'Recent conversations', none: 'No conversations yet.', all: 'Open the inbox' },
  calls: { title: 'Recent calls', none: 'No calls yet.', all: 'View all' },
  guide: {
    title: 'Get started',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Dismiss',
    done: 'Done',
    assistant: {
      title: 'Create an assistant',
      text: 'Describe who it is, what it knows and how it should sound.',
      action: 'Create assistant',
    },
    chat: {
      title: 'Test it',
      text: 'The test chat is free and sits next to the editor.',
      action: 'Try it',
    },
    knowledge: {
      title: 'Teach it something',
      text: 'Upload a document, add your website, or connect a tool.',
      action: 'Knowledge',
    },
    widget: {
      title: 'Add the chat to your website',
      text: "Copy one line of code from the assistant's “Website” tab.",
      action: 'Copy the code',
    },
    takeover: {
      title: 'Reply to a customer',
      text: 'When someone writes, take over the conversation in the inbox.',
      action: 'Inbox',
    },
  },
} satisfies typeof overviewPt;
