import { setTimeout as sleep } from 'node:timers/promises';
import { CallCarrierError } from '../call-carrier-error.js';
import { LiveKitApiError } from '../livekit/livekit-api.js';
import { type TrunkNumber, writtenNumber } from '../sip/carrier/trunk-number.js';
import { CLOSE } from '../web/web-call-protocol.js';
import type { CalleeRoomListener } from './callee-room.js';
import type { CallRooms } from './call-rooms.js';
import type { LiveKitSipCall } from './livekit-sip-call.js';
import {
  type LiveKitSipRequests,
  MAX_RINGING_MS,
  toRejection,
  type SipDestination,
} from './livekit-sip-requests.js';
import { endOfFailure, endOfLeaving, endOfSipStatus } from './sip-end.js';

export interface DialTimes {
  /** How long this process may take to be in the room. */
  readonly joinMs: number;
  /** How long LiveKit may take to bring who is called into the room. */
  readonly takenMs: number;
  /** Who is called leaves the room before LiveKit says why. */
  readonly reasonMs: number;
  /** How long a call in doubt may be looked for. */
  readonly doubtMs: number;
  /** How long the far end of a call may take to say that it does not transfer. */
  readonly referMs: number;
}

export const DIAL_TIMES: DialTimes = {
  joinMs: 6_000,
  takenMs: 6_000,
  reasonMs: 2_000,
  doubtMs: 15_000,
  referMs: 2_000,
};
/** After this long past the allowed time the call counts as unanswered, even if LiveKit reports nothing. */
const OVERDUE_MS = 12_000;

/** Has people called into rooms, and tells their calls how that goes. */
export class LiveKitSipDialling {
  constructor(
    private readonly requests: LiveKitSipRequests,
    private readonly rooms: CallRooms,
    private readonly times: DialTimes,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  /**
   * Dials. Returns when who is called is in the room, or has refused.
   *
   * @throws CallCarrierError
   */
  async dial(
    call: LiveKitSipCall,
    number: TrunkNumber,
    destination: SipDestination,
    ringingTimeoutMs: number,
  ): Promise<void> {
    const { callId, from } = call.facts;
    const { begun } = await this.enter(call);
    // It may have been hung up in the meantime.
    if (call.record.end) return;
    const ringingMs = Math.min(ringingTimeoutMs, MAX_RINGING_MS);
    const startedMs = performance.now();
    const answer = this.requests.call(callId, writtenNumber(from, number), destination, ringingMs).then(
      () => null,
      (error: unknown) => error,
    );
    const answered = answer.then((failure) => {
      const hasRungOut = performance.now() - startedMs > ringingMs - 1_000;
      return this.takeAnswer(call, failure, hasRungOut);
    });
    const overdue = setTimeout(
      () => this.finishUnanswered(call, 'deadline_exceeded'),
      ringingMs + OVERDUE_MS,
    ).unref();
    void answered.finally(() => clearTimeout(overdue));
    const late = sleep(this.times.takenMs, 'late' as const, { ref: false });
    const first = await Promise.race([begun, answered, late]);
    if (first === 'late') throw new CallCarrierError('timeout', 'maybe');
    if (first instanceof CallCarrierError) throw first;
  }

  /** Enters the room. `begun` is when who is called is there as well. */
  private async enter(call: LiveKitSipCall): Promise<{ begun: Promise<'begun'> }> {
    let begin = (_begun: 'begun'): void => {};
    const begun = new Promise<'begun'>((resolve) => {
      begin = resolve;
    });
    const listener: CalleeRoomListener = {
      onStatus: (status) => {
        call.hasBegun = true;
        begin('begun');
        if (status === 'ringing') call.record.ring();
        // `automation`: keys are played that the request had, and ours has none.
        if (status === 'active') call.answer();
      },
      onGone: (reason) => void this.gone(call, reason),
      onLeft: (reason) => call.finish(endOfLeaving(reason, call.record.lastedMs)),
      onTrouble: (error) => this.onTrouble(error),
    };
    const joining = this.rooms.join(call.facts.callId, listener);
    const late = sleep(this.times.joinMs, null, { ref: false });
    const room = await Promise.race([joining, late]).catch((cause: unknown) => {
      throw new CallCarrierError('unavailable', 'no', { cause });
    });
    if (!room) {
      void joining.then(
        (joined) => joined.close(CLOSE.over),
        (error: unknown) => this.onTrouble(error),
      );
      throw new CallCarrierError('timeout', 'no');
    }
    call.room = room;
    if (call.record.end) room.close(CLOSE.over);
    return { begun };
  }

  /** @returns why no call was placed, where that is so */
  private takeAnswer(call: LiveKitSipCall, failure: unknown, hasRungOut: boolean): CallCarrierError | null {
    // It was hung up before LiveKit had the room: what has come of it since is over as well.
    if (call.record.end) this.rooms.endLater(call.facts.callId);
    if (failure === null) {
      call.hasBegun = true;
      call.answer();
      return null;
    }
    const error =
      failure instanceof LiveKitApiError
        ? failure
        : new LiveKitApiError('CreateSIPParticipant', 'lost', null, { cause: failure });
    const refusal = toRejection(error);
    if (refusal && !call.hasBegun && !call.record.end) {
      // Of a call in doubt the room is kept: it may still begin there.
      if (refusal.sent === 'no') {
        call.leave();
        this.rooms.endLater(call.facts.callId);
      }
      return refusal;
    }
    // An answer that is lost says nothing: what happens in the room tells.
    if (error.sipStatus !== null) call.finish(endOfSipStatus(error.sipStatus));
    else if (error.code === 'canceled' && !hasRungOut) void this.finishCancelled(call);
    else if (error.code !== 'lost') this.finishUnanswered(call, error.code, hasRungOut);
    return null;
  }

  private finishUnanswered(call: LiveKitSipCall, code: string, hasRungOut = true): void {
    if (call.record.lastedMs === null) call.finish(endOfFailure(code, hasRungOut));
  }

  /** By whom, the room tells: where another process has ended it, LiveKit cancels as well. */
  private async finishCancelled(call: LiveKitSipCall): Promise<void> {
    await sleep(this.times.reasonMs, undefined, { ref: false });
    this.finishUnanswered(call, 'canceled', false);
  }

  private async gone(call: LiveKitSipCall, reason: number | undefined): Promise<void> {
    if (call.record.lastedMs === null) await sleep(this.times.reasonMs, undefined, { ref: false });
    call.finish(endOfLeaving(reason, call.record.lastedMs));
  }
}
