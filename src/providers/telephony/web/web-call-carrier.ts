import { randomUUID } from 'node:crypto';
import type { AudioLine, CallAudio } from '../call-audio.js';
import {
  CallCarrier,
  type CallCarrierCapabilities,
  type CallEnd,
  type CallEvent,
  type CallLookup,
  type CallMedia,
  type CarrierCall,
  type InboundOffer,
  type PlaceCall,
  type PlacedCall,
  type ShownTurn,
} from '../call-carrier.js';
import { CallCarrierError } from '../call-carrier-error.js';
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
  readonly watchers: Set<EventQueue<CallEvent>>;
  readonly ringing: NodeJS.Timeout;
  answeredAt: Date | null;
  answeredMs: number;
  endedAt: Date | null;
  end: CallEnd | null;
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
    const leg = new WebCallLeg(
      {
        onKey: (digits) => this.emit(callId, { type: 'digits', digits }),
        onTyped: (text) => this.emit(callId, { type: 'heard', text }),
        onGone: end,
      },
      this.times,
    );
    const call: WebCall = {
      callId,
      request,
      leg,
      watchers: new Set(),
      ringing: setTimeout(() => end('carrier', null), request.ringingTimeoutMs),
      answeredAt: null,
      answeredMs: 0,
      endedAt: null,
      end: null,
      stopTicking: () => {},
    };
    this.calls.set(callId, call);
    this.keys.set(request.key, call);
    return Promise.resolve({ callId, repeated: false });
  }

  /**
   * The browser of a placed call, at its first connection or a later one.
   *
   * @returns false when the call is not there, or over
   */
  connect(key: string, connection: WebCallConnection): boolean {
    const call = this.keys.get(key);
    if (!call || call.end) return false;
    call.leg.attach(connection);
    if (call.answeredAt) return true;
    clearTimeout(call.ringing);
    call.answeredAt = new Date();
    call.answeredMs = performance.now();
    call.stopTicking = this.clock.add(() => call.leg.tick());
    this.emit(call.callId, { type: 'answered' });
    return true;
  }

  showTurn(callId: string, turn: ShownTurn): void {
    this.calls.get(callId)?.leg.showTurn(turn);
  }

  showThinking(callId: string, isThinking: boolean): void {
    this.calls.get(callId)?.leg.showThinking(isThinking);
  }

  findCall(key: string): Promise<CallLookup> {
    const call = this.keys.get(key);
    return Promise.resolve(call ? { found: 'yes', call: stateOf(call) } : { found: 'unknown' });
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const events = new EventQueue<CallEvent>(signal);
    const call = this.calls.get(callId);
    if (!call) {
      events.fail(new CallCarrierError('no-such-call', 'no'));
      return events;
    }
    events.push({ type: 'state', call: stateOf(call) });
    if (call.end) {
      events.push({ type: 'ended', call: stateOf(call) });
      events.end();
      return events;
    }
    call.watchers.add(events);
    events.onClose = () => call.watchers.delete(events);
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

  private open(callId: string, signal: AbortSignal): Promise<CallAudio> {
    const call = this.calls.get(callId);
    if (!call) return Promise.reject(new CallCarrierError('no-such-call', 'no'));
    if (call.end) return Promise.reject(new CallCarrierError('call-over', 'no'));
    if (!call.answeredAt) return Promise.reject(new CallCarrierError('not-answered', 'no'));
    const letGo = () => void call.leg.heard.return();
    if (signal.aborted) letGo();
    else signal.addEventListener('abort', letGo, { once: true });
    return Promise.resolve(call.leg);
  }

  private emit(callId: string, event: CallEvent): void {
    for (const events of this.calls.get(callId)?.watchers ?? []) events.push(event);
  }

  private finish(callId: string, by: CallEnd['by'], reason: string | null): void {
    const call = this.calls.get(callId);
    if (!call || call.end) return;
    clearTimeout(call.ringing);
    call.stopTicking();
    call.endedAt = new Date();
    const answeredMs = call.answeredAt ? Math.round(performance.now() - call.answeredMs) : 0;
    call.end = { outcome: call.answeredAt ? 'hung-up' : 'no-answer', by, reason, answeredMs };
    call.leg.close(reason ?? by);
    this.emit(callId, { type: 'ended', call: stateOf(call) });
    for (const events of call.watchers) events.end();
    call.watchers.clear();
    setTimeout(() => this.forget(call), REMEMBERED_MS).unref();
  }

  private forget({ callId, request }: WebCall): void {
    this.calls.delete(callId);
    this.keys.delete(request.key);
  }
}

function stateOf({ callId, request, answeredAt, endedAt, end }: WebCall): CarrierCall {
  return {
    callId,
    key: request.key,
    direction: 'outbound',
    from: request.from,
    to: request.to,
    progress: end ? 'ended' : answeredAt ? 'answered' : 'ringing',
    answeredBy: answeredAt ? 'human' : null,
    transfer: 'none',
    answeredAt,
    endedAt,
    end,
  };
}
