import type { CallAudio } from '@prosa/audio';
import type { CallEnd, CallEvent, TransferOutcome } from '../../../providers/telephony/call/carrier-call.js';
import type { PlaceCall } from '../../../providers/telephony/call/call-placing.js';
import type { SecondLegLine } from '../../../providers/telephony/call/call-line.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';

/** The call to whom a customer is to be transferred to. Made for a single `dial`. */
export class SecondLeg {
  /** Hears of the keys that the far end presses. */
  onKeys: (digits: string) => void = () => {};
  /** Hears that the far end has put the leg on hold, or has resumed it. */
  onHold: (isHeld: boolean) => void = () => {};
  private readonly over = new AbortController();
  private readonly released = new AbortController();
  private callId: string | null = null;
  private isRinging = false;

  /** @param signal fires when the customer has gone: the far end is not waited for any more */
  constructor(
    private readonly line: SecondLegLine,
    private readonly request: PlaceCall,
    private readonly signal: AbortSignal,
  ) {}

  /** Of the carrier; empty before it has taken the call. */
  get id(): string {
    return this.callId ?? '';
  }

  /** Whether the phone of the far end has rung. */
  get hasRung(): boolean {
    return this.isRinging;
  }

  get media(): SecondLegLine['media'] {
    return this.line.media;
  }

  /** Fires when the far end has hung up, or was never reached. */
  get ended(): AbortSignal {
    return this.over.signal;
  }

  /**
   * Calls, and waits for an answer or for the end of the attempt.
   *
   * @throws CallCarrierError when the carrier does not take the call, or cannot be watched
   */
  async dial(): Promise<TransferOutcome> {
    const unwanted = AbortSignal.any([this.released.signal, this.signal]);
    const { callId } = await this.line.place(this.request, unwanted);
    this.callId = callId;
    // A leg that was released while it was being placed had no call to hang up yet.
    if (this.released.signal.aborted) await this.line.hangUp(callId);
    const events = this.line.watch(callId, unwanted);
    const outcome = await answerOf(events, () => {
      this.isRinging = true;
    });
    if (outcome === 'answered') void this.follow(events);
    else if (outcome !== null) this.over.abort();
    return outcome ?? 'failed';
  }

  /**
   * Its sound, for one reader at a time: an earlier reader receives no more.
   *
   * @throws CallCarrierError
   */
  openAudio(signal: AbortSignal): Promise<CallAudio> {
    if (!('audio' in this.line.media)) throw new CallCarrierError('not-supported', 'no');
    return this.line.media.audio.open(this.id, signal);
  }

  sendDigits(digits: string): Promise<void> {
    return this.line.sendDigits(this.id, digits);
  }

  /** Ends it in any state; one that was never placed, or has ended, is no error. */
  async hangUp(): Promise<void> {
    const wasPlaced = this.callId !== null;
    this.released.abort();
    if (wasPlaced && !this.over.signal.aborted) await this.line.hangUp(this.id);
    this.over.abort();
  }

  private async follow(events: AsyncIterableIterator<CallEvent>): Promise<void> {
    try {
      for await (const event of events) {
        if (event.type === 'digits') this.onKeys(event.digits);
        else if (event.type === 'hold') this.onHold(event.isHeld);
      }
    } catch (error) {
      // A leg that cannot be watched any more is given up.
      if (!(error instanceof CallCarrierError)) throw error;
    }
    if (!this.released.signal.aborted && !this.signal.aborted) this.over.abort();
  }
}

/** How the dial went; null where the events stop without an end, as the leg was released while it rang. */
async function answerOf(
  events: AsyncIterableIterator<CallEvent>,
  onRinging: () => void,
): Promise<TransferOutcome | null> {
  for (;;) {
    const { done, value: event } = await events.next();
    if (done) return null;
    if (event.type === 'ringing' || (event.type === 'state' && event.call.progress === 'ringing'))
      onRinging();
    if (event.type === 'answered') return 'answered';
    if (event.type === 'ended') return outcomeOf(event.call.end);
    if (event.type !== 'state') continue;
    if (event.call.progress === 'answered') return 'answered';
    if (event.call.end) return outcomeOf(event.call.end);
  }
}

function outcomeOf(end: CallEnd | null): TransferOutcome {
  switch (end?.outcome) {
    case 'busy':
    case 'no-answer':
      return end.outcome;
    case 'hung-up':
      return 'declined';
    case 'failed':
    case undefined:
      return 'failed';
  }
}
