import type { Message } from '../message.entity.js';

const SPEAKERS: Readonly<Record<Message['author'], string>> = {
  customer: 'Customer',
  ai: 'AI',
  agent: 'Agent',
};

/** Line by line, as transcripts of calls are. */
export function formattedTranscript(messages: readonly Pick<Message, 'author' | 'content'>[]): string {
  return messages.map(({ author, content }) => `${SPEAKERS[author]}: ${content}`).join('\n');
}
