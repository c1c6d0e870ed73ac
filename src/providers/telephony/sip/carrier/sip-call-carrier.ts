import { randomUUID } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { AudioLine } from '@prosa/audio';
import { CallCarrier } from '../../call-carrier.js';
import type { CallCarrierCapabilities, PlacementPace } from '../../call/call-capabilities.js';
import type { CallEnd, CallEvent } from '../../call/carrier-call.js';
import type { CallLookup, PlaceCall, PlacedCall } from '../../call/call-placing.js';
import type { CallMedia, TransferCall } from '../../call/call-line.js';
import type { InboundOffer, RejectReason } from '../../call/incoming-calls.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import type { CallFacts } from '../../call-record.js';
import { EventQueue } from '../../event-queue.js';
import { sipTargetOf } from '../../sip-target.js';
import {
  IncomingCall,
  type SipCall,
  formatSipUri,
  type SipTransportCounts,
  type SipTlsOptions,
  type TrunkStatus,
  type UserAgentOptions,
  ProcessPauseGuard,
} from '@prosa/sip';
import { SystemClock } from '#src/common/time/clock.js';
import { calleeOf, EXTENSION, sipUriOf } from './callee.js';
import { SipLeg, type SipLegPast } from './sip-leg.js';
import { shownHeadersOf } from './shown-headers.js';
import { SipTakeover, type TakeoverHost } from './sip-takeover.js';
import { TrunkAgent } from './trunk-agent.js';
import { calledAs, callerOf, type TrunkNumber, writtenNumber } from './trunk-number.js';
import { type TrunkNumbers, trunkIdOf } from './trunk-numbers.js';

/** Ended calls are known for so long. */
const REMEMBERED_MS = 60_000;
const DIGITS = /^[\dA-D*#w]+$/i;

const CAPABILITIES: CallCarrierCapabilities = {
  // A key is known as long as this process lives. A process that asks after its death cannot rely on it.
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
  placementsPerSecondOfTrunk: null,
  speed: 1,
};

/** Ended calls since the start, by direction and outcome. */
export type SipCallEndCounts = Readonly<Record<CallFacts['direction'], Record<CallEnd['outcome'], number>>>;

/** Two addresses further on for each process: one for UDP and TCP, and the next for TLS. */
const PORTS_OF_PROCESS = 2;

export interface SipCarrierOptions extends UserAgentOptions {
  /** Where processes place calls that do not have the address of `listen`; left out: they place none. */
  readonly processPorts?: { readonly from: number; readonly to: number } | undefined;
  /** Trunks are not registered, so that operators send their calls elsewhere. Left out: they are. */
  readonly isPaused?: boolean;
}

/**
 * Calls over the SIP trunks of accounts, by the user agents of this process. Signalling and sound of a call live in its
 * process; when that dies, another one that serves trunks takes the answered calls over.
 *
 * One process registers and takes calls, at the address of `listen`. The others place calls as well, each from a port of
 * its own, and with a proxy in front they take calls there. A process that comes after the first one has both addresses
 * until the calls of its own port have ended.
 */
export class SipCallCarrier extends CallCarrier {
  readonly name = 'sip';
  readonly capabilities: CallCarrierCapabilities;
  readonly media: CallMedia;
  readonly endCounts: SipCallEndCounts = { inbound: noEnds(), outbound: noEnds() };
  private readonly legs = new Map<string, SipLeg>();
  private readonly listeners = new Set<EventQueue<InboundOffer>>();
  /** Calls that ring and are neither accepted nor rejected, by id. */
  private readonly offers = new Map<string, InboundOffer>();
  /** At the address that operators know. */
  private readonly main: TrunkAgent;
  /** At a port of this process, while another one has the main address. */
  private readonly secondary: TrunkAgent;
  /** In place of the one in the options. */
  private certificate: SipTlsOptions | null = null;
  private readonly takingOver: SipTakeover;
  private readonly guard: ProcessPauseGuard;

  /** @param pace what operators take; null: no limit */
  constructor(
    private readonly options: SipCarrierOptions,
    pace: PlacementPace = {},
  ) {
    super();
    this.capabilities = { ...CAPABILITIES, ...pace };
    const audio: AudioLine = {
      open: async (callId, signal) => this.legOf(callId).openAudio(signal),
    };
    this.media = { audio };
    this.takingOver = new SipTakeover(this.takeoverHost());
    this.guard = new ProcessPauseGuard(options.clock ?? new SystemClock(), () => this.takingOver.confirm());
    const rest = () => this.restIfClosed();
    const offer = (call: IncomingCall, numbers: TrunkNumbers) => this.offer(call, numbers);
    const mainUse = options.isPaused ? 'unregistered' : 'all';
    this.main = new TrunkAgent(options, this.guard, mainUse, offer, rest);
    // Only a proxy hands calls to any of the processes.
    const use = options.proxy ? 'unregistered' : 'placing';
    this.secondary = new TrunkAgent(options, this.guard, use, offer, rest);
  }

  /** Each trunk is an account's own. */
  override get isSharedByAccounts(): boolean {
    return false;
  }

  /** A proxy asks the next process. */
  override get passesOn(): boolean {
    return this.options.proxy !== undefined;
  }

  override get takeover(): SipTakeover {
    return this.takingOver;
  }

  /** Whether other processes than the one with the trunks place calls. */
  get isShared(): boolean {
    return this.options.processPorts !== undefined;
  }

  /** Opens the address that operators know; rejects with the system's error when it is taken. */
  async open(): Promise<void> {
    const { listen } = this.options;
    await this.main.open({ ...listen, tls: this.tlsAt(listen.tls?.port) });
  }

  /** Opens the first free address of `processPorts`; rejects with the system's error when there is none. */
  async openSecondary(): Promise<void> {
    const { listen, processPorts } = this.options;
    if (!processPorts || this.secondary.agent) return;
    let taken: unknown = null;
    for (let port = processPorts.from; port < processPorts.to; port += PORTS_OF_PROCESS) {
      try {
        return await this.secondary.open({ ...listen, port, tls: this.tlsAt(port + 1) });
      } catch (error) {
        if (!isTaken(error)) throw error;
        taken = error;
      }
    }
    throw taken;
  }

  /** Whether trunks are served here. */
  override get placesHere(): boolean {
    return this.serving !== null && this.guard.isOpen();
  }

  /** The port SIP messages come to; 0 while nothing is open. */
  get port(): number {
    return this.main.agent?.transport.localPort('udp') ?? 0;
  }

  /** The port of calls that are placed by other processes than the one with the trunks; 0 while nothing is open. */
  get secondaryPort(): number {
    return this.secondary.agent?.transport.localPort('udp') ?? 0;
  }

  /**
   * Serves these numbers from now on, and no others. Calls go on, also those of numbers that are gone. Null leaves them all
   * to another process, without signalling to the operators, and the addresses as well once no call is open.
   */
  serve(numbers: readonly TrunkNumber[] | null): void {
    if (!this.main.agent) return;
    const wasServing = this.main.isServing;
    this.main.serve(numbers);
    if (numbers !== null && !wasServing) this.takingOver.ready();
    // Where that came as a surprise, calls may be another process's as well.
    if (numbers === null && wasServing) this.guard.doubt();
  }

  /** The same, for calls that are placed by other processes than the one with the trunks. */
  serveSecondary(numbers: readonly TrunkNumber[] | null): void {
    if (!this.secondary.agent) return;
    const wasServing = this.serving !== null;
    this.secondary.serve(numbers);
    if (numbers !== null && !wasServing) this.takingOver.ready();
  }

  /** Over TLS from now on; calls and connections that stand go on. Throws where key and certificate are not of each other. */
  useCertificate(tls: SipTlsOptions): void {
    createSecureContext(tls);
    for (const agent of [this.main, this.secondary]) agent.useCertificate(tls);
    this.certificate = tls;
  }

  /** The port SIP messages over TLS come to; 0 without TLS. */
  get tlsPort(): number {
    return this.main.agent?.transport.localPort('tls') ?? 0;
  }

  /** The state of a number's trunk; null for one that is not served. */
  trunkStatus(phoneNumberId: number): TrunkStatus | null {
    return this.main.trunkStatus(phoneNumberId);
  }

  /** Calls that have not ended, by direction. */
  get callCounts(): Readonly<Record<CallFacts['direction'], number>> {
    const counts = { inbound: 0, outbound: 0 };
    for (const { record, facts } of this.legs.values()) if (!record.end) counts[facts.direction]++;
    return counts;
  }

  get transportCounts(): SipTransportCounts | null {
    return (this.main.agent ?? this.secondary.agent)?.transport.counts ?? null;
  }

  /** Signs off at the operators and takes no more calls; open calls continue. */
  async drain(): Promise<void> {
    await Promise.all([this.main.agent?.drain(), this.secondary.agent?.drain()]);
  }

  async place(request: PlaceCall): Promise<PlacedCall> {
    const callId = callIdOf(request.key);
    const known = this.legs.get(callId);
    if (known) {
      const isSame = known.facts.to === request.to && known.facts.from === request.from;
      if (!isSame) throw new CallCarrierError('rejected', 'no');
      return { callId, repeated: true };
    }
    const { serving } = this;
    if (!serving || !this.placesHere) throw new CallCarrierError('unavailable', 'no');
    const number = serving.numbers.find(request.phoneNumberId ?? 0);
    const callee = number && calleeOf(number, request);
    if (!callee) throw new CallCarrierError('rejected', 'no');
    const call = serving.agent?.call(trunkIdOf(number), {
      ...callee,
      from: writtenNumber(request.from, number),
      ...(request.divertedFrom && { headers: { diversion: diversionOf(request.divertedFrom, number) } }),
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
    return leg ? { found: 'yes', call: leg.record.state } : { found: 'unknown' };
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const events = new EventQueue<CallEvent>(signal);
    const leg = this.legs.get(callId);
    if (leg) leg.record.watch(events);
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
    leg.record.requireAnswered();
    const target = this.referTargetOf(leg, to);
    if (target === null) throw new CallCarrierError('rejected', 'no');
    await leg.refer(transferId, target, ringingTimeoutMs);
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    const leg = this.legOf(callId);
    leg.record.requireAnswered();
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
    // An operator would take us for overloaded.
    const full = this.passesOn ? 503 : 486;
    this.take(callId).reject({ busy: 486, full, unassigned: 404 }[reason]);
  }

  async close(): Promise<void> {
    await Promise.all([this.main.close(), this.secondary.close()]);
  }

  /** The one that calls are placed and taken over with. */
  private get serving(): TrunkAgent | null {
    return [this.main, this.secondary].find(({ isServing }) => isServing) ?? null;
  }

  private restIfClosed(): void {
    if (!this.main.agent && !this.secondary.agent) this.guard.unwatch();
  }

  /** @param port undefined: there is no TLS */
  private tlsAt(port: number | undefined): UserAgentOptions['listen']['tls'] {
    const { tls } = this.options.listen;
    return tls && port !== undefined ? { ...tls, ...this.certificate, port } : undefined;
  }

  private legOf(callId: string): SipLeg {
    const leg = this.legs.get(callId);
    if (!leg) throw new CallCarrierError('no-such-call', 'no');
    return leg;
  }

  private take(callId: string): IncomingCall {
    const leg = this.legOf(callId);
    if (!(leg.call instanceof IncomingCall)) throw new CallCarrierError('no-such-call', 'no');
    if (leg.record.end) throw new CallCarrierError('call-over', 'no');
    if (!this.offers.delete(callId)) throw new CallCarrierError('taken', 'no');
    return leg.call;
  }

  /** A call of a trunk. To which of its account's numbers it is, decides by what it may be offered. */
  private offer(call: IncomingCall, numbers: TrunkNumbers): void {
    const number = numbers.called(call);
    if (!number) return call.reject(404);
    // No listener in this process takes calls.
    if (this.listeners.size === 0) return call.reject(480);
    call.ring();
    // The Call-ID is the peer's choice, and may be one that was used before.
    const dialled = [call.to, call.wanted];
    const form = calledAs(dialled, number);
    const from = callerOf(call.from, number, form);
    const divertedFrom = forwardersOf(call, number, (written) => callerOf(written, number, form));
    const facts = { callId: randomUUID(), from, to: number.number };
    this.keep({ ...facts, key: null, direction: 'inbound' }, call);
    const offer = {
      ...facts,
      phoneNumberId: number.phoneNumberId,
      dialled,
      sipHeaders: shownHeadersOf(call.request.headers.entries()),
      ...(divertedFrom.length > 0 && { divertedFrom }),
    };
    this.offers.set(facts.callId, offer);
    for (const listener of this.listeners) listener.push(offer);
  }

  private keep(facts: CallFacts, call: SipCall, past: SipLegPast | null = null): void {
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
      isServing: () => this.serving !== null,
      isShared: () => this.isShared,
      find: (callId) => this.legs.get(callId) ?? null,
      standing: () => [...this.legs].flatMap(([callId, { record }]) => (record.end ? [] : [callId])),
      resume: (snapshot) => this.serving?.agent?.resume(snapshot) ?? null,
      keep: (facts, call, past) => this.keep(facts, call, past),
      close: () => this.close(),
    };
  }

  /** Null for what is no number, extension or SIP address. */
  private referTargetOf({ call }: SipLeg, to: string): string | null {
    if (sipTargetOf(to)) return sipUriOf(to);
    if (!EXTENSION.test(to)) return null;
    const number = this.serving?.numbers.find(Number(call.trunk.id));
    const { domain, target } = call.trunk;
    const port = domain === target.host ? target.port : null;
    return formatSipUri({ user: number ? writtenNumber(to, number) : to, host: domain, port });
  }
}

/** The last targets of a call that was forwarded are the called number itself, by its number or by its login. */
function forwardersOf(
  { divertedFrom, targets }: IncomingCall,
  { number }: TrunkNumber,
  read: (written: string) => string,
): readonly string[] {
  const history = targets.map(read);
  const last = history.findLastIndex((target) => target !== number && target.startsWith('+'));
  return [...new Set([...divertedFrom.map(read), ...history.slice(0, last + 1)])];
}

/** https://www.rfc-editor.org/rfc/rfc5806: by which the next exchange recognises a loop. */
function diversionOf(forwarding: string, number: TrunkNumber): string {
  const uri = formatSipUri({ user: writtenNumber(forwarding, number), host: number.target.host, port: null });
  return `<${uri}>;reason=unconditional;counter=1`;
}

/** What the far end sees of a key: the same key is the same call, whichever process sends it. */
function callIdOf(key: string): string {
  return `prosa-${key}`;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function noEnds(): Record<CallEnd['outcome'], number> {
  return { 'hung-up': 0, busy: 0, 'no-answer': 0, failed: 0 };
}
