import type { Clock } from '../../../common/time/clock.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { TextLine } from '../../../providers/telephony/call/call-line.js';
import { waitOn } from '../state/call-termination.js';
import type { TranscriptTurn, TurnAssistant } from '../session/call-setup.js';
import type { Spoken, SessionSetup } from '../session/assistant-session.js';

/** How long the end of a call may lag behind the first request that was refused because of it. */
const END_LAG_MS = 10_000;

/** Says words on a line of text, and waits for as long as they take. */
export class TextSpeech {
  /** @param onTurn see `SessionListener.onTurn` */
  constructor(
    private readonly line: TextLine,
    private readonly call: Pick<SessionSetup, 'callId' | 'elapsedMs' | 'signal'>,
    private readonly clock: Clock,
    private readonly onTurn: (turn: TranscriptTurn, earlier?: TranscriptTurn) => void,
  ) {}

  /**
   * Returns when the words are spoken, or cut off.
   *
   * @param cut stops waiting for them to be over
   * @param assistant as in TranscriptTurn
   * @throws CallCarrierError
   */
  async say(text: string, cut: AbortSignal, assistant?: TurnAssistant): Promise<Spoken> {
    const words = text.trim();
    const { elapsedMs, signal } = this.call;
    if (signal.aborted || cut.aborted) return 'cut';
    if (words === '') return 'heard';
    const startMs = elapsedMs();
    const begun: TranscriptTurn = {
      speaker: 'assistant',
      text: words,
      startMs,
      endMs: startMs,
      interrupted: false,
      ...(assistant ? { assistant } : {}),
    };
    this.onTurn(begun);
    const durationMs = await this.begin(words);
    const spoken = { ...begun, endMs: startMs + (durationMs ?? 0), interrupted: durationMs === null };
    this.onTurn(spoken, begun);
    if (durationMs === null) return 'cut';
    await waitOn(this.clock, durationMs, signal, cut);
    const endMs = elapsedMs();
    if (!(signal.aborted || cut.aborted) || endMs >= spoken.endMs) return 'heard';
    this.onTurn({ ...spoken, endMs, interrupted: true }, spoken);
    return 'cut';
  }

  /** Returns how long it will take; null when the customer has hung up, and the event that tells so has come. */
  private async begin(words: string): Promise<number | null> {
    try {
      const { durationMs } = await this.line.say(this.call.callId, words);
      return durationMs;
    } catch (error) {
      if (!(error instanceof CallCarrierError && error.code === 'call-over')) throw error;
      await waitOn(this.clock, END_LAG_MS, this.call.signal);
      if (this.call.signal.aborted) return null;
      throw error;
    }
  }
}
