import { EventEmitter } from 'node:events';
import { type CancelTimer, type Clock, machineClock } from './clock.js';
import type { DigestAlgorithm } from './auth/digest.js';
import { CallMedia } from './call/call-media.js';
import type { CallContext, DialogOwner, MediaCallbacks } from './call/call-session.js';
import { InboundScreen } from './call/inbound-screen.js';
import { IncomingCall } from './call/incoming-call.js';
import { OutgoingCall, type OutgoingCallOptions } from './call/outgoing-call.js';
import { RequestSender } from './call/request-sender.js';
import { ResumedCall } from './call/resumed-call.js';
import type { SipCall, SipCallSnapshot } from './call/sip-call.js';
import { Dialog, dialogId } from './dialog/dialog.js';
import type { AudioCodec } from './media/codec/audio-codec.js';
import { MediaClock } from './media/media-clock.js';
import { RtpPortPool, type RtpPortRange } from './media/rtp-port-pool.js';
import { type SipRequest, SipResponse } from './message/sip-message.js';
import { InviteServerTransaction, type ServerTransaction } from './transaction/server-transaction.js';
import { SIP_TIMERS, type SipTimers } from './transaction/sip-timers.js';
import {
  newTag,
  TransactionLayer,
  type TransactionLimits,
  type TransactionUser,
} from './transaction/transaction-layer.js';
import type { SipEndpoint } from './transport/sip-endpoint.js';
import { SipProxy, type SipProxyAddress } from './transport/sip-proxy.js';
import { type HostLookup, type SipDns, SipResolver, systemDns } from './transport/sip-resolver.js';
import { type SipListenOptions, SipTransportLayer } from './transport/sip-transport-layer.js';
import { RegistrarAddresses } from './trunk/registrar-addresses.js';
import { Registration, type RegistrationStatus } from './trunk/registration.js';
import type { NumberOwners } from './trunk/number-owners.js';
import type { SipTrunk } from './trunk/sip-trunk.js';
import { TrunkDirectory } from './trunk/trunk-directory.js';
import { TrunkMonitor } from './trunk/trunk-monitor.js';

export interface UserAgentOptions {
  readonly listen: SipListenOptions;
  readonly rtpPorts: RtpPortRange;
  /** In challenges to those who call in. */
  readonly realm: string;
  /** What calls are offered, and taken in, the best first; left out: all there are. */
  readonly codecs?: readonly AudioCodec[];
  /** In challenges, in this order. SHA-256 comes first by RFC 8760; peers that read the first challenge alone need MD5 there. */
  readonly digestAlgorithms?: readonly DigestAlgorithm[];
  /** Decides whose trunk takes a call; left out: each one takes all that its addresses and logins let in. */
  readonly owners?: NumberOwners;
  readonly clock?: Clock;
  readonly timers?: SipTimers;
  readonly transactionLimits?: TransactionLimits;
  /** Calls at once, ringing ones included; more are refused with 503. */
  readonly mostCalls?: number;
  /** Of those, calls that came in from one address. */
  readonly mostCallsPerSource?: number;
  /** Without a packet for so long an answered call is over. */
  readonly silenceTimeoutMs?: number;
  readonly leastSessionSeconds?: number;
  /** Between two OPTIONS to a trunk; 0: none are sent. */
  readonly keepAliveMs?: number;
  /** Asks for NAPTR, SRV and address records; left out: the name servers of the machine, and `lookup`. */
  readonly dns?: SipDns;
  /** Finds the addresses of a host name; left out: the machine's own way. */
  readonly lookup?: HostLookup;
  /** Whether an address may be sent to, with messages or audio. */
  readonly isPermitted?: (address: string) => boolean;
  /** Between this user agent and all peers; left out: there is none. */
  readonly proxy?: SipProxyAddress | undefined;
}

export interface TrunkStatus {
  /** Null for a trunk that does not register. */
  readonly registration: RegistrationStatus | null;
  /** Null before the first answer. */
  readonly reachable: boolean | null;
}

const PRODUCT_NAME = 'Prosa';
const MOST_CALLS = 1_000;
/** Four seconds, as T1 is. */
const FAREWELL_ROUND_TRIPS = 8;
const MOST_CALLS_PER_SOURCE = 500;

/** A SIP user agent for several trunks on one port (RFC 3261): places calls, takes calls, and relays nothing. */
export class UserAgent extends EventEmitter<{ call: [IncomingCall] }> implements TransactionUser {
  readonly transactions: TransactionLayer;
  private readonly sender: RequestSender;
  private readonly proxy: SipProxy | null;
  private readonly trunks: TrunkDirectory;
  private readonly inbound: InboundScreen;
  private readonly registrations = new Map<string, Registration>();
  private readonly registrars = new Map<string, RegistrarAddresses>();
  private readonly monitors = new Map<string, TrunkMonitor>();
  private readonly dialogs = new Map<string, { readonly dialog: Dialog; readonly owner: DialogOwner }>();
  private readonly calls = new Set<SipCall>();
  private readonly byInvite = new WeakMap<InviteServerTransaction, IncomingCall>();
  private readonly mediaClock = new MediaClock();
  private readonly ports: RtpPortPool;
  private readonly clock: Clock;
  private readonly context: CallContext;
  private draining = false;

  private constructor(
    readonly transport: SipTransportLayer,
    private readonly options: UserAgentOptions,
  ) {
    super();
    this.clock = options.clock ?? machineClock;
    this.trunks = new TrunkDirectory(options.realm, options.digestAlgorithms, options.owners);
    this.ports = new RtpPortPool(options.listen.host, options.rtpPorts);
    const timers = options.timers ?? SIP_TIMERS;
    this.transactions = new TransactionLayer(transport, this, this.clock, timers, options.transactionLimits);
    const { dns = systemDns(options.lookup), isPermitted } = options;
    const resolver = new SipResolver({ protocols: transport.protocols, dns, isPermitted });
    this.proxy = options.proxy ? new SipProxy(options.proxy) : null;
    const { proxy } = this;
    transport.sources.isListed = (address) =>
      address === proxy?.endpoint.address || this.trunks.isKnownSource(address);
    this.inbound = new InboundScreen(
      this.trunks,
      transport.sources,
      (cancel) => this.transactions.hasInvite(cancel),
      this.proxy,
    );
    this.sender = new RequestSender(this.transactions, transport, resolver, this.clock, this.proxy);
    this.context = {
      clock: this.clock,
      timers,
      sender: this.sender,
      productName: PRODUCT_NAME,
      leastSessionSeconds: options.leastSessionSeconds ?? 90,
      openMedia: (address, trunk, callbacks) => this.openMedia(address, trunk, callbacks),
      addDialog: (dialog, owner) => this.dialogs.set(dialog.id, { dialog, owner }),
      removeDialog: (dialog) => this.dialogs.delete(dialog.id),
    };
  }

  /** Rejects with the system's error when an address is taken. */
  static async open(options: UserAgentOptions): Promise<UserAgent> {
    return new UserAgent(await SipTransportLayer.open(options.listen), options);
  }

  /** Calls that have not ended. */
  get callCount(): number {
    return this.calls.size;
  }

  get openPorts(): number {
    return this.ports.inUse;
  }

  /** Adds a trunk, or replaces the one of the same id. Registers it where it asks for that. */
  addTrunk(trunk: SipTrunk): void {
    const predecessor = this.takeOut(trunk.id);
    const contactUser = trunk.contactUser ?? newTag();
    this.trunks.add(trunk, contactUser);
    if (trunk.registration) {
      const registration = new Registration(
        trunk,
        trunk.registration.user,
        contactUser,
        this.sender,
        this.clock,
        (addresses) => this.trunks.trustRegistrar(trunk.id, addresses),
      );
      this.registrations.set(trunk.id, registration);
      registration.start(predecessor);
    } else {
      void predecessor?.stop();
    }
    if (this.proxy && !trunk.registration && trunk.inbound?.credentials) this.followRegistrar(trunk);
    const monitor = new TrunkMonitor(trunk, this.sender, this.clock, this.options.keepAliveMs);
    this.monitors.set(trunk.id, monitor);
    if (this.options.keepAliveMs !== 0) monitor.start();
  }

  /** Signs the trunk off. Its calls go on. */
  async removeTrunk(trunkId: string): Promise<void> {
    await this.takeOut(trunkId)?.stop();
  }

  /** Leaves the trunk to another process, without signalling to the operator. Its calls continue. */
  forgetTrunk(trunkId: string): void {
    this.takeOut(trunkId)?.abandon();
  }

  /** Null for a trunk that was not added. */
  trunkStatus(trunkId: string): TrunkStatus | null {
    const monitor = this.monitors.get(trunkId);
    if (!monitor) return null;
    const registration = this.registrations.get(trunkId)?.status ?? null;
    return { registration, reachable: monitor.isReachable };
  }

  /** Places a call. Events report its progress; listen to them before the next tick. Null for an unknown trunk. */
  call(trunkId: string, options: OutgoingCallOptions): OutgoingCall | null {
    const trunk = this.trunks.get(trunkId);
    if (!trunk) return null;
    const { elsewhere, callId } = options;
    const way = elsewhere ? { ...trunk, target: elsewhere, outboundProxy: null, credentials: null } : trunk;
    const call = new OutgoingCall(this.context, way, this.trunks.contactUserOf(trunkId), callId);
    this.track(call);
    void call.start(options);
    return call;
  }

  /** Takes over a call of another process; `takeOver` of what is returned does it. Null for an unknown trunk. */
  resume(snapshot: SipCallSnapshot): ResumedCall | null {
    const trunk = this.trunks.get(snapshot.trunkId);
    if (!trunk) return null;
    this.transactions.readmit(snapshot.dialog.callId);
    const way = snapshot.isElsewhere ? { ...trunk, credentials: null } : trunk;
    const call = new ResumedCall(this.context, way, snapshot);
    this.track(call);
    return call;
  }

  /** Takes no more calls, and signs all trunks off. Calls that stand go on. */
  async drain(): Promise<void> {
    this.draining = true;
    for (const monitor of this.monitors.values()) monitor.stop();
    for (const registrar of this.registrars.values()) registrar.stop();
    await Promise.all([...this.registrations.values()].map((registration) => registration.stop()));
  }

  /** Hangs up all calls, waits shortly for far ends and registrars to hear of it, and closes the sockets. */
  async close(): Promise<void> {
    const signedOff = this.drain();
    const calls = [...this.calls];
    for (const call of calls) call.hangUp();
    let cancel: CancelTimer = () => {};
    const waited = new Promise<void>((resolve) => {
      cancel = this.clock.after(FAREWELL_ROUND_TRIPS * this.context.timers.t1Ms, resolve);
    });
    await Promise.race([Promise.all([signedOff, ...calls.flatMap((call) => call.farewell ?? [])]), waited]);
    cancel();
    for (const call of this.calls) call.abandon();
    this.transactions.close();
    await this.transport.close();
  }

  screen(request: SipRequest, source: SipEndpoint): SipResponse | null {
    if (request.toTag !== null && this.findDialog(request)) return null;
    return this.inbound.screen(request, source, this.draining || this.isUnready || !this.hasRoomFor(source));
  }

  onRequest(transaction: ServerTransaction): void {
    const found = this.findDialog(transaction.request);
    if (found) found.owner.receive(transaction, found.dialog);
    else if (transaction instanceof InviteServerTransaction)
      this.receiveInvite(transaction).catch(() => {
        // As where no address of ours can be reached from the source: the caller must not wait for an answer.
        if (!transaction.isAnswered) transaction.respond(SipResponse.to(transaction.request, 500, newTag()));
      });
    else transaction.respond(SipResponse.to(transaction.request, 481, newTag()));
  }

  onAck(ack: SipRequest): void {
    this.findDialog(ack)?.owner.receiveAck(ack);
  }

  onCancel(invite: InviteServerTransaction): void {
    const call = this.byInvite.get(invite);
    if (call) call.cancelled();
    else invite.respond(SipResponse.to(invite.request, 487, newTag()));
  }

  /** Another process has registered, and its proxy hands its calls to all of them. */
  private followRegistrar(trunk: SipTrunk): void {
    const registrar = new RegistrarAddresses(trunk, this.sender.resolver, this.clock, (addresses) =>
      this.trunks.trustRegistrar(trunk.id, addresses),
    );
    this.registrars.set(trunk.id, registrar);
    registrar.start();
  }

  private takeOut(trunkId: string): Registration | undefined {
    const registration = this.registrations.get(trunkId);
    this.monitors.get(trunkId)?.stop();
    this.monitors.delete(trunkId);
    this.registrars.get(trunkId)?.stop();
    this.registrars.delete(trunkId);
    this.registrations.delete(trunkId);
    this.trunks.remove(trunkId);
    return registration;
  }

  /** A proxy must not hand calls to a process that knows no trunks yet: another one knows them. */
  private get isUnready(): boolean {
    return this.proxy !== null && this.trunks.size === 0;
  }

  private hasRoomFor(source: SipEndpoint): boolean {
    if (this.calls.size >= (this.options.mostCalls ?? MOST_CALLS)) return false;
    const fromSource = [...this.calls].filter(
      (call) => call instanceof IncomingCall && call.source.address === source.address,
    );
    return fromSource.length < (this.options.mostCallsPerSource ?? MOST_CALLS_PER_SOURCE);
  }

  private async receiveInvite(transaction: InviteServerTransaction): Promise<void> {
    const { request, source } = transaction;
    const trunks = this.inbound.trunksOf(request);
    const [trunk] = trunks;
    const localTag = newTag();
    const dialog = Dialog.ofRequest(request, localTag, source);
    if (!trunk || !dialog) {
      transaction.respond(SipResponse.to(request, trunk ? 400 : 403, localTag));
      return;
    }
    transaction.respond(SipResponse.to(request, 100, null));
    const contactUser = this.trunks.contactUserOf(trunk.id);
    const address = this.inbound.originOf(request, source) ?? source.address;
    const [contact, { host }] = await Promise.all([
      this.sender.contact(contactUser, source),
      // Sound passes no proxy.
      this.transport.advertised({ ...source, address }),
    ]);
    if (transaction.isAnswered) return;
    const call = new IncomingCall({
      context: this.context,
      trunk,
      trunkIds: trunks.map(({ id }) => id),
      transaction,
      dialog,
      localTag,
      contactUser,
      contact,
      mediaAddress: host,
    });
    this.byInvite.set(transaction, call);
    this.track(call);
    if (!this.emit('call', call)) call.reject(480);
  }

  private track(call: SipCall): void {
    this.calls.add(call);
    call.once('ended', () => this.calls.delete(call));
  }

  private findDialog(request: SipRequest) {
    const { toTag } = request;
    return toTag === null
      ? undefined
      : this.dialogs.get(dialogId(request.callId, toTag, request.fromTag ?? ''));
  }

  private async addressesOf(host: string, port: number): Promise<readonly string[]> {
    const endpoints = await this.sender.resolver.resolve({ host, port, protocol: 'udp' });
    return endpoints.map(({ address }) => address);
  }

  private openMedia(address: string, trunk: SipTrunk, callbacks: MediaCallbacks): Promise<CallMedia> {
    const { silenceTimeoutMs, codecs, isPermitted = () => true } = this.options;
    return CallMedia.open(this.ports, this.mediaClock, {
      address,
      srtp: trunk.srtp,
      codecs,
      isPermitted,
      clock: this.clock,
      resolve: (host, port) => this.addressesOf(host, port),
      silenceTimeoutMs,
      gate: this.transport.gate,
      ...callbacks,
    });
  }
}
