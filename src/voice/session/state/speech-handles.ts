import type { voice } from '@livekit/agents';
import type { Spoken } from '../../../runtime/call/session/assistant-session.js';

/** What the assistant says now or is going to say, and how it ended. */
export class SpeechHandles {
  private readonly open = new Set<voice.SpeechHandle>();
  private readonly cut = new WeakSet<voice.SpeechHandle>();
  private readonly suspended = new WeakSet<voice.SpeechHandle>();
  private readonly callIsOver: Promise<void>;

  /** @param signal aborted when the call is over */
  constructor(private readonly signal: AbortSignal) {
    this.callIsOver = new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  add(speech: voice.SpeechHandle): void {
    this.open.add(speech);
    speech.addDoneCallback(() => this.open.delete(speech));
  }

  /** Whether the customer may interrupt all of it. */
  get areInterruptible(): boolean {
    return [...this.open].every((speech) => speech.allowInterruptions || speech.interrupted);
  }

  /** From now on the session may interrupt all of it, and none of it counts as heard. */
  cutAll(): void {
    for (const speech of this.open) {
      this.cut.add(speech);
      if (!speech.interrupted && !speech.done()) speech.allowInterruptions = true;
    }
  }

  /** As `cutAll`, because the far end has put the call on hold. */
  suspendAll(): void {
    for (const speech of this.open) this.suspended.add(speech);
    this.cutAll();
  }

  /** Whether a hold has cut it off. */
  wasSuspended(speech: voice.SpeechHandle): boolean {
    return this.suspended.has(speech);
  }

  /** @param played resolves when the speech, or the part of it that is asked for, is over */
  async outcomeOf(speech: voice.SpeechHandle, played: Promise<unknown>): Promise<Spoken> {
    await Promise.race([played, this.callIsOver]);
    if (this.signal.aborted || this.cut.has(speech)) return 'cut';
    return speech.interrupted ? 'interrupted' : 'heard';
  }
}
