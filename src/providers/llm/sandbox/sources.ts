import type { ChatMessage } from '../chat-model.js';
import { DATA_RULE, PASSAGE } from '../platform-rules.js';

/** What the sandbox model may answer from. */
export interface Sources {
  /** Passages of documents. */
  readonly documents: string;
  /** The assistant's prompt: a fact in it answers a question, and nothing else of it is ever said. */
  readonly prompt: string;
  readonly greeting: string;
}

const OPENING = `<${PASSAGE} `;
const CLOSING = `</${PASSAGE}>`;
/** Where the platform's own rules begin, behind the prompt. */
const RULES = /\n\nAnswer in [^\n]{1,200}\n/;

/** Later system messages are notes on how the conversation goes, for the model alone. */
export function sourcesOf(messages: readonly ChatMessage[]): Sources {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  const { inside, outside } = partByPassages(system.replaceAll(DATA_RULE, ''));
  const [prompt = ''] = outside.split(RULES);
  const greeting = messages.find(({ role }) => role === 'assistant')?.content ?? '';
  return { documents: inside.join('\n'), prompt, greeting };
}

/** The texts of passages, and all that is around them. One pass: a prompt may hold any number of marks that are never closed. */
function partByPassages(text: string): { inside: string[]; outside: string } {
  const inside: string[] = [];
  const outside: string[] = [];
  let at = 0;
  for (;;) {
    const opening = text.indexOf(OPENING, at);
    const start = opening === -1 ? -1 : text.indexOf('>', opening) + 1;
    const end = start <= 0 ? -1 : text.indexOf(CLOSING, start);
    if (end === -1) break;
    outside.push(text.slice(at, opening));
    inside.push(text.slice(start, end));
    at = end + CLOSING.length;
  }
  outside.push(text.slice(at));
  return { inside, outside: outside.join('') };
}
