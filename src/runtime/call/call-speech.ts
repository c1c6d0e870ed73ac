import type { TextLine } from '../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import type { CallTermination } from './call-termination.js';
import type { CallRecord } from './call-record.js';

/** How long the end of a call may lag behind the first request that was refused because of it. */
const END_LAG_MS = 10_000;

/** What the assistant says on one call, and when it may be cut off. */
export class CallSpeech {
  /** Words of the model that have not been spoken yet. */
  unspoken = '';
  private activity = new AbortController();

  constructor(
    private readonly line: TextLine,
    private readonly callId: string,
    private readonly termination: CallTermination,
    private readonly record: CallRecord,
  ) {}

  /** Fires when what is being said or thought now is to be dropped. */
  get cutSignal(): AbortSignal {
    return this.activity.signal;
  }

  /** Drops what is being said or thought. Nothing is said until `begin`. */
  cut(): void {
    this.activity.abort();
  }

  begin(): void {
    this.activity = new AbortController();
    this.unspoken = '';
  }

  /** @throws CallOver, CallCarrierError */
  async sayUnspoken(): Promise<void> {
    const words = this.unspoken;
    this.unspoken = '';
    await this.say(words);
  }

  /**
   * Returns when the words are spoken, or cut off.
   *
   * @throws CallOver, CallCarrierError
   */
  async say(text: string): Promise<void> {
    const words = text.trim();
    if (words === '') return;
    this.termination.check();
    const { cutSignal } = this;
    if (cutSignal.aborted) return;
    const durationMs = await this.speak(words);
    await this.termination.wait(durationMs, cutSignal);
  }

  /**
   * Begins to speak, and returns how long it will take.
   *
   * @throws CallOver, CallCarrierError
   */
  async speak(words: string): Promise<number> {
    this.record.turn('assistant', words);
    this.record.remember('assistant', words);
    try {
      const { durationMs } = await this.line.say(this.callId, words);
      return durationMs;
    } catch (error) {
      // The customer has hung up, and the event that tells so is under way.
      if (error instanceof CallCarrierError && error.code === 'call-over') {
        await this.termination.wait(END_LAG_MS);
      }
      throw error;
    }
  }
}
