import { pluralOf } from '../../texts/plural.js';
import { deskEn } from './desk/en.js';
import type { livePt } from './pt.js';

const plural = pluralOf('en');

export const liveEn = {
  title: 'Live',
  subtitle: 'Calls in progress and callers in the queue, in real time.',
  list: 'Live calls',
  visitor: 'a web visitor',
  waiting: (count: number) => `${count} in queue`,
  running: (count: number) => `${count} in progress`,
  newest: (shown: number, total: number) => `Showing the newest ${shown} of ${total} calls.`,
  holders: {
    assistant: 'With the assistant',
    agent: 'With an agent',
    queue: 'In queue',
    transfer: 'In transfer',
  },
  heldBy: (name: string) => `With ${name}`,
  position: (position: number) => `No. ${position} in queue`,
  wait: 'Wait',
  duration: 'Duration',
  speakers: { customer: 'Customer', assistant: 'Assistant', agent: 'Agent' },
  joined: (who: string, count: number) =>
    `${who} joined the queue. ${count} ${plural(count, 'caller', 'callers')} in the queue.`,
  availability: {
    label: 'Available for transfers',
    hint: 'Ends a minute after you close the console.',
  },
  shortcuts: {
    next: 'Next call',
    previous: 'Previous call',
    listen: 'Listen to the call',
    whisper: 'Whisper to the assistant',
    takeOver: 'Take over the call',
    handBack: 'Hand back to the assistant',
    mute: 'Mute or unmute the microphone',
    help: 'Show these shortcuts',
  },
  hangUp: 'Hang up',
  hangUpOn: (who: string) => `Hang up the call with ${who}`,
  hangUpQuestion: (who: string) => `Hang up the call with ${who} now?`,
  empty: {
    title: 'No calls in progress',
    text: 'Calls appear here while they happen: who the customer is, who has them, for how long, and what was said last. Callers in the queue come first.',
    action: 'View past calls',
  },
  desk: deskEn,
} satisfies typeof livePt;
