import { messageOf } from '../session/colleague-words.js';
import type { ChatMessage } from '../../../providers/llm/chat-model.js';
import type { FunctionCall } from '../../function-call.js';
import { earlierMessages } from '../../history/earlier-messages.js';
import type { TranscriptTurn } from '../session/call-setup.js';

/** What a model is shown of a conversation; customer and assistant take turns in it. */
export class ConversationMemory {
  private readonly messages: ChatMessage[] = [];
  private calls = 0;

  constructor(earlier: readonly TranscriptTurn[]) {
    for (const { role, content } of earlier.map(messageOf)) this.remember(role, content);
  }

  /** A copy, which later turns do not change. */
  get history(): readonly ChatMessage[] {
    return [...this.messages];
  }

  /** What a tool has answered; the words that come of it follow. */
  rememberCall(call: FunctionCall): void {
    const silent = {
      id: `call/${this.calls++}`,
      role: 'assistant',
      content: '',
      functionCalls: [call],
    } as const;
    this.messages.push(...earlierMessages([silent], true).slice(0, -1));
  }

  remember(role: 'user' | 'assistant', text: string): void {
    const last = this.messages.at(-1);
    if (last?.role === role) this.messages.splice(-1, 1, { role, content: `${last.content}\n${text}` });
    else this.messages.push({ role, content: text });
  }
}
