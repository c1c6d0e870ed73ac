import { randomUUID } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { toE164 } from '../../../../common/phone/e164.js';
import type { AudioLine } from '../../call-audio.js';
import {
  CallCarrier,
  type CallCarrierCapabilities,
  type CallEnd,
  type CallEvent,
  type CallLookup,
  type CallMedia,
  type InboundOffer,
  type PlaceCall,
  type PlacedCall,
  type RejectReason,
  type TransferCall,
} from '../../call-carrier.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import { EventQueue } from '../../event-queue.js';
import { sipTargetOf } from '../../sip-target.js';
import { IncomingCall } from '../call/incoming-call.js';
import type { OutgoingCallOptions } from '../call/outgoing-call.js';
import type { SipCall } from '../call/sip-call.js';
import { formatSipUri, parseSipUri } from '../message/sip-uri.js';
import type { SipTransportCounts } from '../transport/sip-transport-layer.js';
import type { SipTlsOptions } from '../transport/stream-transport.js';
import { type TrunkStatus, UserAgent, type UserAgentOptions } from '../user-agent.js';
import { SystemClock } from '../../../../common/time/clock.js';
import { StandstillGuard } from '../transport/standstill-guard.js';
import { SipLeg, type SipLegFacts, type SipLegPast } from './sip-leg.js';
import { SipTakeover, type TakeoverHost } from './sip-takeover.js';
import { callerOf, type TrunkNumber, writtenNumber } from './trunk-number.js';
import { TrunkNumbers, trunkIdOf } from './trunk-numbers.js';

/** Ended calls are known for so long. */
const REMEMBERED_MS = 60_000;
const DIGITS = /^[\dA-D*#w]+$/i;
/** An extension of the operator's exchange. */
const EXTENSION = /^[\w*#+.-]{1,32}$/;

const CAPABILITIES: CallCarrierCapabilities = {
  // A key is known as long as this process lives, which whoever asks after a death cannot rely on.
  keyRetentionMs: 0,
  provesAbsence: false,
  transfer: 'refer',
  sendDigits: true,
  inBandDigits: false,
  inbound: true,
  machineDetection: false,
  reachesPeople: true,
  reattachable: true,
  livesInProcess: true,
  placementsPerSecond: null,
  speed: 1,
};

/** Ended calls since the start, by direction and outcome. */
export type SipCallEndCounts = Readonly<Record<SipLegFacts['direction'], Record<CallEnd['outcome'], number>>>;

/**
 * Calls over the SIP trunks of accounts, by the user agent of this process. Signalling and sound live in this process: it
 * alone can place and take calls once it has opened the user agent. When it dies, the next one that has the trunks takes
 * the answered calls over.
 */
export class SipCallCarrier extends CallCarrier {
  readonly name = 'sip';
  readonly capabilities: CallCarrierCapabilities;
  readonly media: CallMedia;
  readonly endCounts: SipCallEndCounts = { inbound: noEnds(), outbound: noEnds() };
  private readonly numbers = new TrunkNumbers();
  private readonly legs = new Map<string, SipLeg>();
  private readonly listeners = new Set<EventQueue<InboundOffer>>();
  /** Calls that ring and that nobody has accepted or rejected, by id. */
  private readonly offers = new Map<string, InboundOffer>();
  private agent: UserAgent | null = null;
  private isServing = false;
  /** In place of the one in the options. */
  private certificate: SipTlsOptions | null = null;
  private readonly takingOver: SipTakeover;
  private readonly guard: StandstillGuard;

  /** @param placementsPerSecond what operators take; null: no limit */
  constructor(
    private readonly options: UserAgentOptions,
    placementsPerSecond: number | null = null,
  ) {
    super();
    this.capabilities = { ...CAPABILITIES, placementsPerSecond };
    const audio: AudioLine = {
      open: async (callId, signal) => this.legOf(callId).openAudio(signal),
    };
    this.media = { audio };
    this.takingOver = new SipTakeover(this.takeoverHost());
    this.guard = new StandstillGuard(options.clock ?? new SystemClock(), () => this.takingOver.confirm());
  }

  override get takeover(): SipTakeover {
    return this.takingOver;
  }

  /** Opens the sockets; rejects with the system's error when an address is taken. */
  async open(): Promise<void> {
    if (this.agent) return;
    const { listen } = this.options;
    const tls = listen.tls && { ...listen.tls, ...this.certificate };
    const agent = await UserAgent.open({ ...this.options, listen: { ...listen, tls, gate: this.guard } });
    this.guard.watch();
    agent.on('call', (call) => this.offer(call));
    this.agent = agent;
  }

  /** Whether the trunks are this process's. */
  override get placesHere(): boolean {
    return this.isServing && this.guard.isOpen();
  }

  /** The port SIP messages come to; 0 while nothing is open. */
  get port(): number {
    return this.agent?.transport.localPort('udp') ?? 0;
  }

  /**
   * Serves these numbers from now on, and no others. Calls go on, also those of numbers that are gone. Null leaves them all
   * to another process, without a word to the operators, and the addresses as well once no call stands.
   */
  serve(numbers: readonly TrunkNumber[] | null): void {
    const { agent } = this;
    if (!agent) return;
    const wasServing = this.isServing;
    this.isServing = numbers !== null;
    const { changed, gone } = this.numbers.replace(numbers ?? []);
    for (const id of gone) {
      if (numbers === null) agent.forgetTrunk(id);
      else void agent.removeTrunk(id);
    }
    for (const trunk of changed) agent.addTrunk(trunk);
    if (this.isServing && !wasServing) this.takingOver.ready();
    if (numbers !== null) return;
    // Where that came as a surprise, calls may be another process's as well.
    if (wasServing) this.guard.doubt();
    if (agent.callCount === 0) void this.close();
  }

  /** Over TLS from now on; calls and connections that stand go on. Throws where key and certificate are not of each other. */
  useCertificate(tls: SipTlsOptions): void {
    createSecureContext(tls);
    this.agent?.transport.useCertificate(tls);
    this.certificate = tls;
  }

  /** The port SIP messages over TLS come to; 0 without TLS. */
  get tlsPort(): number {
    return this.agent?.transport.localPort('tls') ?? 0;
  }

  /** How the trunk of a number stands; null for one that is not served. */
  trunkStatus(phoneNumberId: number): TrunkStatus | null {
    const number = this.numbers.find(phoneNumberId);
    if (!number || !this.agent) return null;
    const status = this.agent.trunkStatus(trunkIdOf(number));
    const registrant = this.numbers.registrantOf(number);
    const registration = registrant === null ? null : this.agent.trunkStatus(registrant)?.registration;
    return status && { ...status, registration: registration ?? null };
  }

  /** Calls that have not ended, by direction. */
  get callCounts(): Readonly<Record<SipLegFacts['direction'], number>> {
    const counts = { inbound: 0, outbound: 0 };
    for (const { end, facts } of this.legs.values()) if (!end) counts[facts.direction]++;
    return counts;
  }

  get transportCounts(): SipTransportCounts | null {
    return this.agent?.transport.counts ?? null;
  }

  /** Signs off at the operators and takes no more calls; those that stand go on. */
  async drain(): Promise<void> {
    await this.agent?.drain();
  }

  async place(request: PlaceCall): Promise<PlacedCall> {
    const callId = callIdOf(request.key);
    const known = this.legs.get(callId);
    if (known) {
      const isSame = known.facts.to === request.to && known.facts.from === request.from;
      if (!isSame) throw new CallCarrierError('rejected', 'no');
      return { callId, repeated: true };
    }
    if (!this.agent || !this.placesHere) throw new CallCarrierError('unavailable', 'no');
    const number = this.numbers.find(request.phoneNumberId ?? 0);
    const callee = number && calleeOf(number, request);
    if (!callee) throw new CallCarrierError('rejected', 'no');
    const call = this.agent.call(trunkIdOf(number), {
      ...callee,
      from: writtenNumber(request.from, number),
      ringingTimeoutMs: request.ringingTimeoutMs,
      callId,
    });
    if (!call) throw new CallCarrierError('rejected', 'no');
    const { key, from, to } = request;
    this.keep({ callId, key, direction: 'outbound', from, to }, call);
    return { callId, repeated: false };
  }

  async findCall(key: string): Promise<CallLookup> {
    const leg = this.legs.get(callIdOf(key));
    return leg ? { found: 'yes', call: leg.state } : { found: 'unknown' };
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const events = new EventQueue<CallEvent>(signal);
    const leg = this.legs.get(callId);
    if (leg) leg.watch(events);
    else events.fail(new CallCarrierError('no-such-call', 'no'));
    return events;
  }

  async hangUp(callId: string): Promise<void> {
    this.legOf(callId).call.hangUp();
  }

  async transfer(
    callId: string,
    { transferId, to, briefing, ringingTimeoutMs }: TransferCall,
  ): Promise<void> {
    if (briefing !== null) throw new CallCarrierError('not-supported', 'no');
    const leg = this.legOf(callId);
    leg.requireAnswered();
    const target = this.referTargetOf(leg, to);
    if (target === null) throw new CallCarrierError('rejected', 'no');
    await leg.refer(transferId, target, ringingTimeoutMs);
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    const leg = this.legOf(callId);
    leg.requireAnswered();
    if (!DIGITS.test(digits)) throw new CallCarrierError('rejected', 'no');
    leg.call.sendDigits(digits);
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    const listener = new EventQueue<InboundOffer>(signal);
    if (signal.aborted) return listener;
    for (const offer of this.offers.values()) listener.push(offer);
    this.listeners.add(listener);
    listener.onClose = () => this.listeners.delete(listener);
    return listener;
  }

  async accept(callId: string): Promise<void> {
    const call = this.take(callId);
    if (!(await call.accept())) throw new CallCarrierError('call-over', 'no');
  }

  async reject(callId: string, reason: RejectReason): Promise<void> {
    this.take(callId).reject(reason === 'busy' ? 486 : 404);
  }

  async close(): Promise<void> {
    const { agent } = this;
    this.agent = null;
    this.isServing = false;
    this.numbers.replace([]);
    await agent?.close();
    if (this.agent === null) this.guard.unwatch();
  }

  private legOf(callId: string): SipLeg {
    const leg = this.legs.get(callId);
    if (!leg) throw new CallCarrierError('no-such-call', 'no');
    return leg;
  }

  private take(callId: string): IncomingCall {
    const leg = this.legOf(callId);
    if (!(leg.call instanceof IncomingCall)) throw new CallCarrierError('no-such-call', 'no');
    if (leg.end) throw new CallCarrierError('call-over', 'no');
    if (!this.offers.delete(callId)) throw new CallCarrierError('taken', 'no');
    return leg.call;
  }

  /** A call of a trunk. To which of its account's numbers it is, decides by what it may be offered. */
  private offer(call: IncomingCall): void {
    const number = this.numbers.called(call);
    if (!number) return call.reject(404);
    // Nobody in this process takes calls.
    if (this.listeners.size === 0) return call.reject(480);
    call.ring();
    // The Call-ID is the peer's choice, and may be one that was used before.
    const facts = { callId: randomUUID(), from: callerOf(call.from, number), to: number.number };
    this.keep({ ...facts, key: null, direction: 'inbound' }, call);
    const offer = { ...facts, phoneNumberId: number.phoneNumberId };
    this.offers.set(facts.callId, offer);
    for (const listener of this.listeners) listener.push(offer);
  }

  private keep(facts: SipLegFacts, call: SipCall, past: SipLegPast | null = null): void {
    const onEnd = ({ outcome }: CallEnd) => {
      this.endCounts[facts.direction][outcome]++;
      this.offers.delete(facts.callId);
      setTimeout(() => {
        // It may have been taken over anew.
        if (this.legs.get(facts.callId) === leg) this.legs.delete(facts.callId);
      }, REMEMBERED_MS).unref();
    };
    const leg = new SipLeg(facts, call, onEnd, past);
    this.legs.set(facts.callId, leg);
  }

  private takeoverHost(): TakeoverHost {
    return {
      isServing: () => this.isServing,
      find: (callId) => this.legs.get(callId) ?? null,
      standing: () => [...this.legs].flatMap(([callId, { end }]) => (end ? [] : [callId])),
      resume: (snapshot) => this.agent?.resume(snapshot) ?? null,
      keep: (facts, call, past) => this.keep(facts, call, past),
      close: () => this.close(),
    };
  }

  /** Null for what is no number, extension or SIP address. */
  private referTargetOf({ call }: SipLeg, to: string): string | null {
    if (sipTargetOf(to)) return sipUriOf(to);
    if (!EXTENSION.test(to)) return null;
    const number = this.numbers.find(Number(call.trunk.id));
    const { domain, target } = call.trunk;
    const port = domain === target.host ? target.port : null;
    return formatSipUri({ user: number ? writtenNumber(to, number) : to, host: domain, port });
  }
}

/**
 * Whom an INVITE is for; null for whom a call may not go to. A SIP address elsewhere than at the operator is called there,
 * without the operator and its password.
 */
function calleeOf(
  number: TrunkNumber,
  { to, isSecondLeg = false }: PlaceCall,
): Pick<OutgoingCallOptions, 'to' | 'elsewhere'> | null {
  if (toE164(to, number.countryCode) === to) return { to: writtenNumber(to, number) };
  if (!isSecondLeg) return null;
  if (!sipTargetOf(to)) return EXTENSION.test(to) ? { to } : null;
  const uri = sipUriOf(to);
  const parsed = uri === null ? null : parseSipUri(uri);
  if (!uri || !parsed || parsed.scheme === 'tel') return null;
  const { host, port, parameters, scheme } = parsed;
  const { target } = number;
  const isOperators = host === target.host.toLowerCase() && (port === null || port === target.port);
  if (isOperators) return { to: uri };
  const transport = parameters.get('transport')?.toLowerCase();
  const protocol = transport === 'udp' || transport === 'tcp' || transport === 'tls' ? transport : null;
  return { to: uri, elsewhere: { host, port, protocol, secure: scheme === 'sips' } };
}

/** Null where the address would break out of its header. */
function sipUriOf(address: string): string | null {
  if (/[<>"]/.test(address)) return null;
  return /^sips?:/i.test(address) ? address : `sip:${address}`;
}

/** What the far end sees of a key: the same key is the same call, whichever process sends it. */
function callIdOf(key: string): string {
  return `prosa-${key}`;
}

function noEnds(): Record<CallEnd['outcome'], number> {
  return { 'hung-up': 0, busy: 0, 'no-answer': 0, failed: 0 };
}
