import type { TranscriptTurn } from './call-setup.js';

/** For the instructions, once a person has spoken to the customer. */
export const COLLEAGUE_SPOKE =
  'A colleague of yours has spoken to the customer for a while. What they said is in the conversation as messages that begin with ' +
  '"[colleague", and holds as if you had said it. Go on from there. Never begin a message of your own like that.';

/** For the assistant that has the customer again, and owes an answer. */
export const ANSWER_OWED =
  "Your colleague has handed the conversation back to you. Answer the customer's last words. Do not greet again.";

/** What was said, as a message of the conversation that models read. */
export function messageOf({ speaker, text, memberName }: TranscriptTurn): {
  readonly role: 'user' | 'assistant';
  readonly content: string;
} {
  if (speaker === 'customer') return { role: 'user', content: text };
  if (speaker === 'assistant') return { role: 'assistant', content: text };
  return { role: 'assistant', content: `[colleague${memberName ? ` ${memberName}` : ''}] ${text}` };
}
