import type { InboundOffer, RejectReason } from '../../call/incoming-calls.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import { EventQueue } from '../../event-queue.js';
import type { TwilioCall, TwilioCallStatus } from './twilio-call.js';
import { rejectTwiml } from './twiml.js';

/** Twilio waits 15 s for what it asked (https://www.twilio.com/docs/api/errors/11200). */
const ANSWER_MS = 10_000;

interface HeldOffer {
  readonly offer: InboundOffer;
  readonly call: TwilioCall;
  readonly answer: Promise<string | null>;
  readonly settle: (twiml: string | null) => void;
}

/** Incoming calls: Twilio's request is held open until a listener has accepted or rejected the call. */
export class HeldOffers {
  private readonly held = new Map<string, HeldOffer>();
  private readonly listeners = new Set<EventQueue<InboundOffer>>();

  listen(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    const listener = new EventQueue<InboundOffer>(signal);
    if (signal.aborted) return listener;
    for (const { offer } of this.held.values()) listener.push(offer);
    this.listeners.add(listener);
    listener.onClose = () => this.listeners.delete(listener);
    return listener;
  }

  /**
   * Offers a call to all who listen. A question that comes twice gets the same answer.
   *
   * @returns TwiML; null for a call that was left
   */
  hold(offer: InboundOffer, makeCall: () => TwilioCall): Promise<string | null> {
    const known = this.held.get(offer.callId);
    if (known) return known.answer;
    if (this.listeners.size === 0) return Promise.resolve(rejectTwiml('busy'));
    const { promise: answer, resolve } = withResolver();
    const late = setTimeout(() => this.reject(offer.callId, 'busy'), ANSWER_MS);
    const settle = (twiml: string | null) => {
      clearTimeout(late);
      this.held.delete(offer.callId);
      resolve(twiml);
    };
    this.held.set(offer.callId, { offer, call: makeCall(), answer, settle });
    for (const listener of this.listeners) listener.push(offer);
    return answer;
  }

  /** The first to accept gets the call. @throws CallCarrierError `taken` */
  accept(callId: string, twiml: string): void {
    this.take(callId).settle(twiml);
  }

  /** @throws CallCarrierError `taken` */
  reject(callId: string, reason: RejectReason): void {
    this.end(callId, rejectTwiml(reason), reason === 'unassigned' ? 'failed' : 'busy');
  }

  /** Twilio turns to the fallback URL of the number. @throws CallCarrierError `taken` */
  leave(callId: string): void {
    this.end(callId, null, 'busy');
  }

  close(): void {
    for (const callId of this.held.keys()) this.reject(callId, 'busy');
    for (const listener of this.listeners) listener.end();
  }

  isHeld(callId: string): boolean {
    return this.held.has(callId);
  }

  get isListenedTo(): boolean {
    return this.listeners.size > 0;
  }

  private end(callId: string, twiml: string | null, status: TwilioCallStatus): void {
    const { call, settle } = this.take(callId);
    call.isHungUp = true;
    settle(twiml);
    call.takeStatus(status);
  }

  private take(callId: string): HeldOffer {
    const held = this.held.get(callId);
    if (!held) throw new CallCarrierError('taken', 'no');
    return held;
  }
}

function withResolver() {
  let resolve: (value: string | null) => void = () => undefined;
  const promise = new Promise<string | null>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
