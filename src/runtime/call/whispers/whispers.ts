import { WhisperFilter } from './whisper-filter.js';

/** The newest ones count: each takes room in every request to the model. */
const MAX_WHISPERS = 10;

const INTRODUCTION =
  'A colleague who listens to this call has written to you. The customer does not know of it. ' +
  'Follow it in your next answers, the newest message first of all. Do not mention the colleague, and do not read the messages out:';

/** Instructions of people who listen to a call, which the customer must not hear. */
export class Whispers {
  private readonly texts: string[] = [];

  add(text: string): void {
    this.texts.push(text);
    if (this.texts.length > MAX_WHISPERS) this.texts.shift();
  }

  /** The instructions with them. */
  addTo(instructions: string): string {
    if (this.texts.length === 0) return instructions;
    const messages = this.texts.map((text) => `- ${text}`).join('\n');
    return `${instructions}\n\n${INTRODUCTION}\n${messages}`;
  }

  /** Removes quotations of them from one answer; null where there are none. */
  filter(): WhisperFilter | null {
    return this.texts.length === 0 ? null : new WhisperFilter(this.texts);
  }
}
