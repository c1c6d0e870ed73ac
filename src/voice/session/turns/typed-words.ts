import { setImmediate } from 'node:timers/promises';
import { llm, type voice } from '@livekit/agents';

export interface TypedWordsHost {
  /** The session that is to answer; null while nothing may be answered. */
  session(): voice.AgentSession | null;
  /** Whether the customer may interrupt what is being said. */
  readonly mayInterrupt: boolean;
  /** They are about to be answered. @param message what the engine will tell of as the customer's */
  onAnswer(words: string, message: llm.ChatMessage): void;
}

/** Words of the customer that were not spoken, and that have no answer yet. */
export class TypedWords {
  private readonly waiting: string[] = [];

  constructor(private readonly host: TypedWordsHost) {}

  add(words: string): void {
    this.waiting.push(words);
  }

  drop(): void {
    this.waiting.length = 0;
  }

  /** After what is being said or done; words that come together are answered together. @returns whether there were any */
  async answer(): Promise<boolean> {
    await setImmediate();
    const session = this.host.session();
    if (!session) return false;
    const words = this.waiting.splice(0).join(' ');
    if (words === '') return false;
    if (this.host.mayInterrupt) session.interrupt();
    const message = llm.ChatMessage.create({ role: 'user', content: words });
    this.host.onAnswer(words, message);
    session.generateReply({ userInput: message });
    return true;
  }
}
