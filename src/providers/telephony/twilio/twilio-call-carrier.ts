import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { EgressError } from '../../../common/egress/egress-error.js';
import type { AudioLine } from '../call-audio.js';
import {
  CallCarrier,
  type CallCarrierCapabilities,
  type CallEvent,
  type CallLookup,
  type CallMedia,
  type InboundOffer,
  type PlaceCall,
  type PlacedCall,
  type RejectReason,
} from '../call-carrier.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { EventQueue } from '../event-queue.js';
import { lineClock, type LineClock } from '../line-clock.js';
import { HeldOffers } from './held-offers.js';
import { type StreamStart, streamMessageOf } from './media-stream-protocol.js';
import type { FormFields, TwilioApi } from './twilio-api.js';
import { CALL_STATUSES, TwilioCall, type TwilioCallFacts } from './twilio-call.js';
import { TwilioError } from './twilio-error.js';
import { TwilioLeg } from './twilio-leg.js';
import { connectStreamTwiml } from './twiml.js';

/** Ended calls are known for so long, and so are calls in doubt. */
const REMEMBERED_MS = 60_000;
const REQUEST_MS = 10_000;
const PROOF_STEP_MS = 50;
/** https://www.twilio.com/docs/voice/api/call-resource: `Timeout` of a new call. */
const MAX_RINGING_SECONDS = 600;
const DIGITS = /^[\dA-D*#w]+$/i;
const E164 = /^\+\d{1,15}$/;
const CALL_SID = /^CA[0-9a-f]{32}$/;

const CAPABILITIES: CallCarrierCapabilities = {
  // Twilio knows no keys of ours. What it calls back proves a call, and nothing proves that there is none.
  keyRetentionMs: 0,
  provesAbsence: false,
  transfer: 'none',
  sendDigits: true,
  inBandDigits: false,
  inbound: true,
  // Its own detection is charged by the call, and hears no better than we do.
  machineDetection: false,
  reachesPeople: true,
  reattachable: false,
  livesInProcess: true,
  placementsPerSecond: null,
  speed: 1,
};

export interface TwilioCallTimes {
  /** How often Twilio is asked for a call, as its callbacks may be lost. */
  readonly pollMs: number;
  /** How soon after a stream has ended Twilio is asked what became of its call. */
  readonly lookMs: number;
  /** How long a call in doubt waits for a callback that proves it. */
  readonly doubtMs: number;
  /** How long a WebSocket may stay open that has not told its call. */
  readonly startMs: number;
}

const TIMES: TwilioCallTimes = { pollMs: 15_000, lookMs: 500, doubtMs: 5_000, startMs: 5_000 };

const callBody = z.object({ sid: z.string().regex(CALL_SID), status: z.enum(CALL_STATUSES) });

/**
 * Calls over Twilio's Programmable Voice: placed by its REST API, their sound by Media Streams to this process. What Twilio
 * calls back, whoever serves the public address hands to `takeCallback`, `offer` and `connect`, once it has proven it.
 */
export class TwilioCallCarrier extends CallCarrier {
  readonly name = 'twilio';
  readonly capabilities = CAPABILITIES;
  readonly media: CallMedia;
  private readonly byKey = new Map<string, TwilioCall>();
  private readonly bySid = new Map<string, TwilioCall>();
  private readonly byToken = new Map<string, TwilioCall>();
  private readonly offers = new HeldOffers();
  private readonly closing = new AbortController();
  /** Where Twilio reaches this process; null while it does not. */
  private address: string | null = null;

  constructor(
    private readonly api: TwilioApi,
    private readonly times: TwilioCallTimes = TIMES,
    private readonly clock: LineClock = lineClock,
  ) {
    super();
    const audio: AudioLine = {
      open: async (callId, signal) => this.callOf(callId).answeredLeg().open(signal),
    };
    this.media = { audio };
  }

  /** Calls are placed and taken from now on. @param address of this process's callbacks, without a slash behind it */
  serve(address: string): void {
    this.address = address;
  }

  override get placesHere(): boolean {
    return this.address !== null;
  }

  async place(request: PlaceCall): Promise<PlacedCall> {
    const { key, from, to } = request;
    const known = this.byKey.get(key);
    if (known) {
      const isSame = known.facts.to === to && known.facts.from === from;
      if (!isSame || known.sid === null) throw new CallCarrierError('rejected', isSame ? 'maybe' : 'no');
      return { callId: known.sid, repeated: true };
    }
    const { address } = this;
    if (address === null) throw new CallCarrierError('unavailable', 'no');
    const call = this.keep({ key, direction: 'outbound', from, to });
    try {
      const form = formOf(request, address, call.facts.token);
      const { sid, status } = await this.api.post('/Calls.json', form, callBody, REQUEST_MS);
      this.identify(call, sid);
      call.takeStatus(status);
      return { callId: sid, repeated: false };
    } catch (error) {
      if (!(error instanceof TwilioError)) throw error;
      const failure = failureOf(error);
      if (failure.sent === 'no') this.forget(call);
      else setTimeout(() => this.forgetUnproven(call), REMEMBERED_MS).unref();
      throw failure;
    }
  }

  async findCall(key: string): Promise<CallLookup> {
    const endsAtMs = performance.now() + this.times.doubtMs;
    for (;;) {
      const call = this.byKey.get(key);
      if (call?.sid) return { found: 'yes', call: call.state };
      if (!call || performance.now() > endsAtMs) return { found: 'unknown' };
      await sleep(PROOF_STEP_MS);
    }
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const events = new EventQueue<CallEvent>(signal);
    const call = this.bySid.get(callId);
    if (call) call.watch(events);
    else events.fail(new CallCarrierError('no-such-call', 'no'));
    return events;
  }

  async hangUp(callId: string): Promise<void> {
    const call = this.callOf(callId);
    if (call.end) return;
    call.isHungUp = true;
    if (this.offers.isHeld(callId)) return this.offers.reject(callId, 'busy');
    try {
      const form: FormFields = [['Status', 'completed']];
      const { status } = await this.api.post(`/Calls/${callId}.json`, form, callBody, REQUEST_MS);
      call.takeStatus(status);
    } catch (error) {
      if (!(error instanceof TwilioError)) throw error;
      if (error.kind !== 'refused') throw failureOf(error);
      // It has ended meanwhile (21220), which Twilio is asked about.
    }
    call.leg?.close();
    if (!call.end) void this.lookUntilOver(call);
  }

  async transfer(): Promise<void> {
    throw new CallCarrierError('not-supported', 'no');
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    const leg = this.callOf(callId).answeredLeg();
    if (!DIGITS.test(digits)) throw new CallCarrierError('rejected', 'no');
    leg.sendDigits(digits);
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return this.offers.listen(signal);
  }

  async accept(callId: string): Promise<void> {
    const call = this.callOf(callId);
    if (call.end) throw new CallCarrierError('call-over', 'no');
    if (this.address === null) throw new CallCarrierError('unavailable', 'no');
    this.offers.accept(callId, connectStreamTwiml(streamUrl(this.address), call.facts.token));
  }

  async reject(callId: string, reason: RejectReason): Promise<void> {
    if (this.callOf(callId).end) throw new CallCarrierError('call-over', 'no');
    this.offers.reject(callId, reason);
  }

  /**
   * Takes what Twilio says of a call it was asked for with this key; it may come in any order, and more than once.
   *
   * @param form its signature has been checked
   * @returns false when there is no such call here
   */
  takeCallback(key: string, form: URLSearchParams): boolean {
    const call = this.byKey.get(key);
    const said = callBody.safeParse({ sid: form.get('CallSid'), status: form.get('CallStatus') });
    if (!call || !said.success || (call.sid ?? said.data.sid) !== said.data.sid) return false;
    if (call.sid === null) this.identify(call, said.data.sid);
    call.takeStatus(said.data.status);
    return true;
  }

  /**
   * Offers a call that comes in to whoever takes calls here.
   *
   * @param form its signature has been checked
   * @returns what Twilio is to do with the call (TwiML), after at most 10 s; null for what is no call
   */
  async offer(form: URLSearchParams): Promise<string | null> {
    const callId = form.get('CallSid') ?? '';
    const to = form.get('To') ?? '';
    if (!CALL_SID.test(callId) || !E164.test(to) || this.address === null) return null;
    const shown = form.get('From') ?? '';
    const from = E164.test(shown) ? shown : 'anonymous';
    return this.offers.hold({ callId, from, to }, () => {
      const call = this.keep({ key: null, direction: 'inbound', from, to });
      this.identify(call, callId);
      return call;
    });
  }

  /** The WebSocket of a stream. Which call it is of, its first messages say and prove; others are closed. */
  connect(socket: WebSocket): void {
    socket.on('error', () => socket.terminate());
    const late = setTimeout(() => socket.close(1008), this.times.startMs);
    socket.once('close', () => clearTimeout(late));
    const onMessage = (data: Buffer, isBinary: boolean) => {
      const message = isBinary ? null : streamMessageOf(data.toString('utf8'));
      if (message?.event === 'connected') return;
      socket.off('message', onMessage);
      clearTimeout(late);
      if (message?.event !== 'start' || !this.begin(socket, message.streamSid, message.start)) {
        socket.close(1008);
      }
    };
    socket.on('message', onMessage);
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.address = null;
    this.offers.close();
    for (const call of this.bySid.values()) call.leg?.close();
  }

  private begin(socket: WebSocket, streamSid: string, start: StreamStart): boolean {
    const call = this.byToken.get(start.customParameters['token'] ?? '');
    if (!call || (call.sid ?? start.callSid) !== start.callSid || !call.useStream()) return false;
    if (call.sid === null) this.identify(call, start.callSid);
    const listener = {
      onKey: (digit: string) => call.press(digit),
      onGone: () => void this.lookUntilOver(call),
    };
    call.answer(new TwilioLeg(socket, streamSid, listener, this.clock));
    return true;
  }

  private callOf(callId: string): TwilioCall {
    const call = this.bySid.get(callId);
    if (!call) throw new CallCarrierError('no-such-call', 'no');
    return call;
  }

  private keep(facts: Omit<TwilioCallFacts, 'token'>): TwilioCall {
    const token = randomBytes(24).toString('base64url');
    const call: TwilioCall = new TwilioCall({ ...facts, token }, () => {
      this.byToken.delete(token);
      setTimeout(() => this.forget(call), REMEMBERED_MS).unref();
    });
    if (facts.key !== null) this.byKey.set(facts.key, call);
    this.byToken.set(token, call);
    return call;
  }

  private identify(call: TwilioCall, sid: string): void {
    call.sid = sid;
    this.bySid.set(sid, call);
    void this.poll(call);
  }

  private forgetUnproven(call: TwilioCall): void {
    if (call.sid === null) this.forget(call);
  }

  private forget(call: TwilioCall): void {
    if (call.facts.key !== null) this.byKey.delete(call.facts.key);
    if (call.sid !== null) this.bySid.delete(call.sid);
    this.byToken.delete(call.facts.token);
  }

  private async poll(call: TwilioCall): Promise<void> {
    const { signal } = this.closing;
    while (!call.end && !signal.aborted) {
      await sleep(this.times.pollMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!call.end && !signal.aborted) await this.look(call);
    }
  }

  /** Its sound is over, so the call will be. */
  private async lookUntilOver(call: TwilioCall): Promise<void> {
    const { signal } = this.closing;
    for (let waitMs = this.times.lookMs; !call.end && !signal.aborted; waitMs *= 2) {
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!call.end && !signal.aborted) await this.look(call);
      if (waitMs > this.times.pollMs) return;
    }
  }

  private async look(call: TwilioCall): Promise<void> {
    try {
      const found = await this.api.get(`/Calls/${call.sid}.json`, {}, callBody, REQUEST_MS);
      call.takeStatus(found?.status ?? 'failed');
    } catch (error) {
      // Asked again with the next round.
      if (!(error instanceof TwilioError)) throw error;
    }
  }
}

/** https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource */
function formOf({ key, from, to, ringingTimeoutMs }: PlaceCall, address: string, token: string): FormFields {
  const seconds = Math.min(Math.max(Math.ceil(ringingTimeoutMs / 1_000), 1), MAX_RINGING_SECONDS);
  return [
    ['To', to],
    ['From', from],
    ['Twiml', connectStreamTwiml(streamUrl(address), token)],
    ['Timeout', String(seconds)],
    ['StatusCallback', `${address}/calls/${encodeURIComponent(key)}`],
    ['StatusCallbackMethod', 'POST'],
    ...['initiated', 'ringing', 'answered', 'completed'].map(
      (event) => ['StatusCallbackEvent', event] as const,
    ),
  ];
}

function streamUrl(address: string): string {
  return `${address.replace(/^http/, 'ws')}/media`;
}

function failureOf(error: TwilioError): CallCarrierError {
  const { kind, retryAfterMs, cause } = error;
  if (kind === 'refused') return new CallCarrierError('rejected', 'no', { cause: error });
  if (kind === 'rate-limited')
    return new CallCarrierError('rate-limited', 'no', { cause: error, retryAfterMs });
  const isNowhere = cause instanceof EgressError && ['dns', 'forbidden-address'].includes(cause.code);
  const isTimeout = cause instanceof EgressError && cause.code === 'timeout';
  return new CallCarrierError(isTimeout ? 'timeout' : 'unavailable', isNowhere ? 'no' : 'maybe', {
    cause: error,
  });
}
