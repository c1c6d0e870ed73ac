import { randomUUID } from 'node:crypto';
import type { AudioLine, CallAudio } from '@prosa/audio';
import type { AssistantState, CallMedia, ShownTurn } from '../call/call-line.js';
import { CallCarrier } from '../call-carrier.js';
import type { CallCarrierCapabilities } from '../call/call-capabilities.js';
import type { CallEnd, CallEvent } from '../call/carrier-call.js';
import type { CallLookup, PlaceCall, PlacedCall } from '../call/call-placing.js';
import type { InboundOffer } from '../call/incoming-calls.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { CallRecord } from '../call-record.js';
import { EventQueue } from '../event-queue.js';
import { LineClock } from '../line-clock.js';
import type { WebCallConnection } from './web-call-connection.js';
import { WEB_CALL_TIMES, WebCallLeg, type WebCallTimes } from './web-call-leg.js';

/** Ended calls are found by their key for so long. */
const REMEMBERED_MS = 60_000;

const CAPABILITIES: CallCarrierCapabilities = {
  keyRetentionMs: REMEMBERED_MS,
  provesAbsence: false,
  transfer: 'none',
  sendDigits: false,
  inBandDigits: false,
  inbound: false,
  machineDetection: true,
  reachesPeople: false,
  reattachable: false,
  livesInProcess: true,
  placementsPerSecond: null,
  placementsPerSecondOfTrunk: null,
  speed: 1,
};

interface WebCall {
  readonly callId: string;
  readonly request: PlaceCall;
  readonly leg: WebCallLeg;
  readonly record: CallRecord;
  readonly ringing: NodeJS.Timeout;
  stopTicking: () => void;
}

/**
 * Calls between an assistant and a browser. Placing one lets it ring until the browser connects (`connect`), which is
 * the answer. The audio lives in this process: no other can take the call over.
 */
export class WebCallCarrier extends CallCarrier {
  readonly name = 'web';
  readonly capabilities = CAPABILITIES;
  readonly media: CallMedia;
  private readonly calls = new Map<string, WebCall>();
  private readonly keys = new Map<string, WebCall>();

  constructor(
    private readonly clock = new LineClock(),
    private readonly times: WebCallTimes = WEB_CALL_TIMES,
  ) {
    super();
    const audio: AudioLine = { open: (callId, signal) => this.open(callId, signal) };
    this.media = { audio };
  }

  place(request: PlaceCall): Promise<PlacedCall> {
    const known = this.keys.get(request.key);
    if (known) {
      const isSame = known.request.to === request.to && known.request.from === request.from;
      if (!isSame) return Promise.reject(new CallCarrierError('rejected', 'no'));
      return Promise.resolve({ callId: known.callId, repeated: true });
    }
    const callId = randomUUID();
    const end = (by: CallEnd['by'], reason: string | null) => this.finish(callId, by, reason);
    const { key, from, to } = request;
    const record = new CallRecord(() => ({ callId, key, direction: 'outbound', from, to }), 'ringing');
    const leg = new WebCallLeg(
      {
        onKey: (digits) => record.emit({ type: 'digits', digits }),
        onTyped: (text) => record.emit({ type: 'heard', text }),
        onGone: end,
      },
      this.times,
    );
    const call: WebCall = {
      callId,
      request,
      leg,
      record,
      ringing: setTimeout(() => end('carrier', null), request.ringingTimeoutMs),
      stopTicking: () => {},
    };
    this.calls.set(callId, call);
    this.keys.set(key, call);
    return Promise.resolve({ callId, repeated: false });
  }

  /**
   * The browser of a placed call, at its first connection or a later one.
   *
   * @returns false when the call is not there, or over
   */
  connect(key: string, connection: WebCallConnection): boolean {
    const call = this.keys.get(key);
    if (!call || call.record.end) return false;
    call.leg.attach(connection);
    if (call.record.isAnswered) return true;
    clearTimeout(call.ringing);
    call.stopTicking = this.clock.add((skipped) => call.leg.tick(skipped));
    call.record.answer('human');
    return true;
  }

  showTurn(callId: string, turn: ShownTurn): void {
    this.calls.get(callId)?.leg.showTurn(turn);
  }

  showState(callId: string, state: AssistantState): void {
    this.calls.get(callId)?.leg.showState(state);
  }

  findCall(key: string): Promise<CallLookup> {
    const call = this.keys.get(key);
    return Promise.resolve(call ? { found: 'yes', call: call.record.state } : { found: 'unknown' });
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const events = new EventQueue<CallEvent>(signal);
    const call = this.calls.get(callId);
    if (call) call.record.watch(events);
    else events.fail(new CallCarrierError('no-such-call', 'no'));
    return events;
  }

  hangUp(callId: string): Promise<void> {
    if (!this.calls.has(callId)) return Promise.reject(new CallCarrierError('no-such-call', 'no'));
    this.finish(callId, 'platform', null);
    return Promise.resolve();
  }

  transfer(): Promise<void> {
    return Promise.reject(new CallCarrierError('not-supported', 'no'));
  }

  sendDigits(): Promise<void> {
    return Promise.reject(new CallCarrierError('not-supported', 'no'));
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return new EventQueue<InboundOffer>(signal);
  }

  accept(): Promise<void> {
    return Promise.reject(new CallCarrierError('no-such-call', 'no'));
  }

  reject(): Promise<void> {
    return Promise.reject(new CallCarrierError('no-such-call', 'no'));
  }

  close(): Promise<void> {
    for (const callId of this.calls.keys()) this.finish(callId, 'carrier', 'closing');
    return Promise.resolve();
  }

  private async open(callId: string, signal: AbortSignal): Promise<CallAudio> {
    const call = this.calls.get(callId);
    if (!call) throw new CallCarrierError('no-such-call', 'no');
    call.record.requireAnswered();
    const close = () => void call.leg.heard.return();
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
    return call.leg;
  }

  private finish(callId: string, by: CallEnd['by'], reason: string | null): void {
    const call = this.calls.get(callId);
    if (!call || call.record.end) return;
    clearTimeout(call.ringing);
    call.stopTicking();
    const answeredMs = call.record.lastedMs;
    const outcome = answeredMs === null ? 'no-answer' : 'hung-up';
    call.record.finish({ outcome, by, reason, answeredMs: answeredMs ?? 0 });
    call.leg.close(reason ?? by);
    setTimeout(() => this.forget(call), REMEMBERED_MS).unref();
  }

  private forget({ callId, request }: WebCall): void {
    this.calls.delete(callId);
    this.keys.delete(request.key);
  }
}
