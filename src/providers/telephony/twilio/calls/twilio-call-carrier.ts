import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { AudioLine } from '@prosa/audio';
import { CallCarrier } from '../../call-carrier.js';
import type { CallCarrierCapabilities } from '../../call/call-capabilities.js';
import type { CallEvent } from '../../call/carrier-call.js';
import type { CallLookup, PlaceCall, PlacedCall } from '../../call/call-placing.js';
import type { CallMedia } from '../../call/call-line.js';
import type { ForwardCall, InboundOffer, RejectReason, SpokenMessage } from '../../call/incoming-calls.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import { EventQueue } from '../../event-queue.js';
import { lineClock, type LineClock } from '../../line-clock.js';
import { HeldOffers } from './held-offers.js';
import type { CarrierAccountId, TwilioAccounts } from '../twilio-accounts.js';
import type { TwilioCall } from './twilio-call.js';
import { TwilioCallPolling } from './twilio-call-polling.js';
import { TwilioCallReports } from './twilio-call-reports.js';
import { isCallSid, TwilioCallRequests } from './twilio-call-requests.js';
import { TwilioCallStreams } from './twilio-call-streams.js';
import { TwilioCalls } from './twilio-calls.js';
import type { TwilioLeg } from './twilio-leg.js';
import { TwilioAccountCalls } from './twilio-account-calls.js';
import { connectStreamTwiml, dialTwiml, playDigitsTwiml, sayTwiml } from './twiml.js';

const PROOF_STEP_MS = 50;
const DIGITS = /^[\dA-D*#w]+$/i;
/** Twilio has no keys A to D; these go as tones in the sound. */
const PLAYED_BY_TWILIO = /^[\d*#w]+$/i;
/** More than a key, or `w`, takes. */
const KEY_MS = 600;
const E164 = /^\+\d{1,15}$/;

const CAPABILITIES = {
  // Twilio knows no keys of ours. What it calls back proves a call, and nothing proves that there is none.
  keyRetentionMs: 0,
  provesAbsence: false,
  transfer: 'none',
  sendDigits: true,
  inBandDigits: false,
  inbound: true,
  reachesPeople: true,
  reattachable: false,
  livesInProcess: true,
  placementsPerSecond: null,
  placementsPerSecondOfTrunk: null,
  speed: 1,
} as const;

export interface TwilioCallTimes {
  /** How often Twilio is asked for a call, as its callbacks may be lost. */
  readonly pollMs: number;
  /** How soon after a stream has ended Twilio is asked what became of its call. */
  readonly lookMs: number;
  /** How long a call in doubt waits for a callback that proves it. */
  readonly doubtMs: number;
  /** How long a WebSocket may stay open before it names its call. */
  readonly startMs: number;
  /** How long after the last key has been played the stream may take to come back. */
  readonly returnMs: number;
}

const TIMES: TwilioCallTimes = {
  pollMs: 15_000,
  lookMs: 500,
  doubtMs: 5_000,
  startMs: 5_000,
  returnMs: 10_000,
};

export interface TwilioCallSettings {
  /** Twilio detects answering machines, and charges for each call. Otherwise the process with the audio does. */
  readonly machineDetection: boolean;
  readonly times?: TwilioCallTimes;
}

/**
 * Calls over Twilio's Programmable Voice: placed by its REST API, their audio by Media Streams to this process. The
 * server of the public address passes Twilio's callbacks, once proven, to `takeCallback`, `offer` and `connect`.
 *
 * All accounts at Twilio share what a process knows of its calls; each call has the account it was placed or offered with.
 * As a CallCarrier this is the installation's own account, and `ofAccount` is that of others.
 */
export class TwilioCallCarrier extends CallCarrier {
  readonly name = 'twilio';
  readonly capabilities: CallCarrierCapabilities;
  readonly media: CallMedia;
  private readonly times: TwilioCallTimes;
  private readonly requests: TwilioCallRequests;
  private readonly polling: TwilioCallPolling;
  private readonly calls = new TwilioCalls((call) => void this.polling.follow(call));
  private readonly reports = new TwilioCallReports(this.calls);
  private readonly streams: TwilioCallStreams;
  private readonly offers = new HeldOffers();
  /** Where Twilio reaches this process; null while it does not. */
  private address: string | null = null;

  constructor(
    accounts: Pick<TwilioAccounts, 'apiOf'>,
    { machineDetection, times = TIMES }: TwilioCallSettings,
    clock: LineClock = lineClock,
  ) {
    super();
    this.requests = new TwilioCallRequests(accounts);
    this.capabilities = { ...CAPABILITIES, machineDetection };
    this.times = times;
    this.polling = new TwilioCallPolling(this.requests, times);
    const onGone = (call: TwilioCall) => void this.polling.lookUntilOver(call);
    this.streams = new TwilioCallStreams(this.calls, onGone, clock, times.startMs);
    const audio: AudioLine = {
      open: async (callId, signal) => this.calls.get(callId).answeredLeg().open(signal),
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

  override ofAccount(carrierAccountId: string): CallCarrier {
    return new TwilioAccountCalls(this, carrierAccountId);
  }

  place(request: PlaceCall): Promise<PlacedCall> {
    return this.placeFor(null, request);
  }

  /** `place`, with the credentials of an account. */
  async placeFor(account: CarrierAccountId, request: PlaceCall): Promise<PlacedCall> {
    const { key, from, to } = request;
    const known = this.calls.ofKey(key);
    if (known) {
      const { facts } = known;
      const isSame = facts.account === account && facts.to === to && facts.from === from;
      if (!isSame || known.sid === null) throw new CallCarrierError('rejected', isSame ? 'maybe' : 'no');
      return { callId: known.sid, repeated: true };
    }
    const { address } = this;
    if (address === null) throw new CallCarrierError('unavailable', 'no');
    const call = this.calls.add({ account, key, direction: 'outbound', from, to });
    try {
      const { sid, status } = await this.requests.create(account, request, {
        twiml: connectStreamTwiml(streamUrl(address, account), this.calls.expectStream(call)),
        callbackUrl: callbackUrl(address, account, key),
        detectsMachines: this.capabilities.machineDetection && !request.isSecondLeg,
      });
      if (!this.calls.identify(call, sid)) throw new CallCarrierError('unavailable', 'maybe');
      call.takeStatus(status);
      return { callId: sid, repeated: false };
    } catch (error) {
      const isUnsent = error instanceof CallCarrierError && error.sent === 'no';
      if (isUnsent) this.calls.forget(call);
      else this.calls.forgetUnlessProven(call);
      throw error;
    }
  }

  async findCall(key: string): Promise<CallLookup> {
    const endsAtMs = performance.now() + this.times.doubtMs;
    for (;;) {
      const call = this.calls.ofKey(key);
      if (call?.sid) return { found: 'yes', call: call.record.state };
      if (!call || performance.now() > endsAtMs) return { found: 'unknown' };
      await sleep(PROOF_STEP_MS);
    }
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const events = new EventQueue<CallEvent>(signal);
    const call = this.calls.ofSid(callId);
    if (call) call.record.watch(events);
    else events.fail(new CallCarrierError('no-such-call', 'no'));
    return events;
  }

  /** Also ends calls of other processes, and of those that are gone: Twilio has them. */
  hangUp(callId: string): Promise<void> {
    return this.hangUpFor(null, callId);
  }

  /** `hangUp`, with the credentials of an account. */
  async hangUpFor(account: CarrierAccountId, callId: string): Promise<void> {
    const call = isCallSid(callId) ? this.calls.ofSid(callId) : this.calls.get(callId);
    if (call?.facts.account !== account) return void (await this.requests.complete(account, callId));
    if (call.record.end) return;
    call.isHungUp = true;
    if (this.offers.isHeld(callId)) return this.offers.reject(callId, 'busy');
    const status = await this.requests.complete(account, callId);
    if (status) call.takeStatus(status);
    call.leg?.close();
    if (!call.record.end) void this.polling.lookUntilOver(call);
  }

  async transfer(): Promise<void> {
    throw new CallCarrierError('not-supported', 'no');
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    const call = this.calls.get(callId);
    const leg = call.answeredLeg();
    if (!DIGITS.test(digits)) throw new CallCarrierError('rejected', 'no');
    if (!PLAYED_BY_TWILIO.test(digits)) return leg.playTones(digits);
    await leg.untilBack();
    await this.play(call, call.answeredLeg(), digits.toLowerCase());
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return this.offers.listen(signal);
  }

  async accept(callId: string): Promise<void> {
    const call = this.calls.get(callId);
    if (call.record.end) throw new CallCarrierError('call-over', 'no');
    if (this.address === null) throw new CallCarrierError('unavailable', 'no');
    this.offers.accept(
      callId,
      connectStreamTwiml(streamUrl(this.address, call.facts.account), call.token ?? ''),
    );
  }

  override async announce(callId: string, message: SpokenMessage): Promise<void> {
    const call = this.calls.get(callId);
    if (call.record.end) throw new CallCarrierError('call-over', 'no');
    this.offers.accept(callId, sayTwiml(message));
    call.speakByTwiml();
    void this.polling.lookUntilOver(call);
  }

  override async forward(callId: string, forward: ForwardCall): Promise<void> {
    const call = this.calls.get(callId);
    if (call.record.end) throw new CallCarrierError('call-over', 'no');
    if (call.record.isAnswered) return this.forwardAnswered(call, forward);
    const key = forwardKey(callId);
    const reports = this.address === null ? undefined : callbackUrl(this.address, call.facts.account, key);
    this.offers.accept(callId, dialTwiml(forward, reports));
    this.calls.expectForward(call, key);
    if (reports === undefined) void this.polling.lookUntilOver(call);
  }

  /** The end of the stream has the call looked at until it is over. */
  private async forwardAnswered(call: TwilioCall, forward: ForwardCall): Promise<void> {
    await this.requests.redirect(call.facts.account, call.sid ?? '', dialTwiml(forward));
    call.continueByTwiml();
  }

  override adopt(callId: string): Promise<void> {
    return this.adoptFor(null, callId);
  }

  /** `adopt`, with the credentials of an account. */
  async adoptFor(account: CarrierAccountId, callId: string): Promise<void> {
    if (this.calls.ofSid(callId)) return;
    const found = await this.requests.look(account, callId);
    if (!found) throw new CallCarrierError('unavailable', 'no');
    const { from, to, status, durationSeconds } = found;
    const call = this.calls.add({ account, key: null, direction: 'inbound', from, to });
    // Of both kinds the status alone reports answer and end.
    this.calls.expectForward(call, forwardKey(callId));
    if (!this.calls.identify(call, callId)) return this.calls.forget(call);
    call.takeStatus(status, durationSeconds);
  }

  async reject(callId: string, reason: RejectReason): Promise<void> {
    if (this.calls.get(callId).record.end) throw new CallCarrierError('call-over', 'no');
    if (reason === 'full' && !this.placesHere) this.offers.leave(callId);
    else this.offers.reject(callId, reason);
  }

  /**
   * Takes what Twilio says of a call it was asked for with this key; it may come in any order, and more than once.
   *
   * @param account whose token has signed the form
   * @returns false when there is no such call of the account here
   */
  takeCallback(account: CarrierAccountId, key: string, form: URLSearchParams): boolean {
    return this.reports.take(account, key, form);
  }

  /**
   * Offers an incoming call to the listeners of this process. Without `serve`, these can have Twilio itself speak or forward.
   *
   * @param account whose token has signed the form
   * @returns what Twilio is to do with the call (TwiML), after at most 10 s; null for what is no call, and for a call that is
   *   left to the fallback which the number has at Twilio
   */
  async offer(account: CarrierAccountId, form: URLSearchParams): Promise<string | null> {
    const callId = form.get('CallSid') ?? '';
    const to = form.get('To') ?? '';
    if (!isCallSid(callId) || !E164.test(to) || !this.isTaking) return null;
    const known = this.calls.ofSid(callId);
    // What another account may name is none of its calls.
    if (known && known.facts.account !== account) return null;
    const shown = form.get('From') ?? '';
    const from = E164.test(shown) ? shown : 'anonymous';
    const whose = account === null ? {} : { carrierAccountId: account };
    const before = form.get('ForwardedFrom') ?? '';
    const diverted = E164.test(before) ? { divertedFrom: [before] } : {};
    return this.offers.hold({ callId, from, to, ...whose, ...diverted }, () => {
      const call = this.calls.add({ account, key: null, direction: 'inbound', from, to });
      this.calls.expectStream(call);
      this.calls.identify(call, callId);
      return call;
    });
  }

  /** A process that is closing takes no calls; one without an address takes them where someone listens. */
  private get isTaking(): boolean {
    return this.placesHere || this.offers.isListenedTo;
  }

  /** The WebSocket of a stream of an account. Which call it is of, its first messages say and prove; others are closed. */
  connect(account: CarrierAccountId, socket: WebSocket): void {
    this.streams.connect(socket, account);
  }

  async close(): Promise<void> {
    this.polling.close();
    this.address = null;
    this.offers.close();
    for (const call of this.calls.identified) call.leg?.close();
  }

  /**
   * Has Twilio leave the stream, play the keys, and come back with another stream. Audio of both sides is lost in
   * between.
   */
  private async play(call: TwilioCall, leg: TwilioLeg, digits: string): Promise<void> {
    if (this.address === null) throw new CallCarrierError('unavailable', 'no');
    leg.expectAnother(digits.length * KEY_MS + this.times.returnMs);
    const { account } = call.facts;
    const twiml = playDigitsTwiml(digits, streamUrl(this.address, account), this.calls.expectStream(call));
    try {
      await this.requests.redirect(account, call.sid ?? '', twiml);
    } catch (error) {
      // Where Twilio may be at it, the stream comes back, or the time ends.
      if (error instanceof CallCarrierError && error.sent === 'no') leg.expectNoOther();
      throw error;
    }
  }
}

/** By which Twilio reports on the call that this one is forwarded to. */
function forwardKey(callId: string): string {
  return `forward-${callId}`;
}

/** What comes to an address below an account's own is proven by that account's token. */
function addressOf(address: string, account: CarrierAccountId): string {
  return account === null ? address : `${address}/accounts/${account}`;
}

function callbackUrl(address: string, account: CarrierAccountId, key: string): string {
  return `${addressOf(address, account)}/calls/${encodeURIComponent(key)}`;
}

function streamUrl(address: string, account: CarrierAccountId): string {
  return `${addressOf(address, account).replace(/^http/, 'ws')}/media`;
}
