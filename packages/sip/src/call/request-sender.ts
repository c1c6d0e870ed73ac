import { LRUCache } from 'lru-cache';
import { answerChallenge, chooseChallenge, type DigestCredentials } from '../auth/digest.js';
import type { Clock } from '../clock.js';
import type { NextHop } from '../dialog/dialog.js';
import { SipRequest, type SipResponse } from '../message/sip-message.js';
import { formatSipUri } from '../message/sip-uri.js';
import { withTimeLimit } from '../time-limit.js';
import {
  type ClientTransaction,
  InviteClientTransaction,
  type TransactionFailure,
} from '../transaction/client-transaction.js';
import type { TransactionLayer } from '../transaction/transaction-layer.js';
import { endpointKey, isReliable, type SipEndpoint } from '../transport/sip-endpoint.js';
import type { SipProxy } from '../transport/sip-proxy.js';
import type { SipResolver, SipTargetName } from '../transport/sip-resolver.js';
import type { SipTransportLayer } from '../transport/sip-transport-layer.js';

/** A datagram beyond that may be fragmented and lost, so a stream is tried first (RFC 3261 §18.1.1). */
const MOST_DATAGRAM_BYTES = 1_300;
/** A dialog whose target is not found within this time uses the address that its messages come from. */
const TARGET_LOOKUP_MS = 2_000;
/** A target that was not found is not looked up again for so long. */
const LOST_TARGET_MS = 30_000;
const MAX_LOST_TARGETS = 500;
/** At a proxy, at the server, and each once more with a fresh nonce. */
const MOST_CHALLENGES = 4;

/** `unresolved`: no address to send to; `overload`: too much is under way here; `cancelled`: before it was sent. */
export type RequestFailure = TransactionFailure | 'unresolved' | 'overload' | 'cancelled';

export interface OutgoingRequestHandler {
  onProvisional?(response: SipResponse, attempt: SentRequest): void;
  onFinal(response: SipResponse, attempt: SentRequest): void;
  /** A 2xx after the first final response: a repetition, or that of another fork. */
  onFurtherSuccess?(response: SipResponse, attempt: SentRequest): void;
  onFailure(failure: RequestFailure): void;
}

/** A request as it went out at last, with its credentials. */
export interface SentRequest {
  readonly request: SipRequest;
  /** Whom it is for, which is not where it is sent at first when a proxy is in between. */
  readonly endpoint: SipEndpoint;
  readonly transaction: ClientTransaction;
}

export interface RequestOptions {
  readonly hop: NextHop;
  readonly credentials: DigestCredentials | null;
  /** The user part of our Contact; null for requests that have none. */
  readonly contactUser: string | null;
  /** The CSeq number of the same request with credentials; the next one if left out. */
  readonly renumber?: () => number;
}

/** Sends requests: finds the servers, tries the next when one is dead, and answers challenges. */
export class RequestSender {
  /** Hosts of targets that were not found in time. */
  private readonly lostTargets = new LRUCache<string, true>({ max: MAX_LOST_TARGETS, ttl: LOST_TARGET_MS });

  constructor(
    readonly transactions: TransactionLayer,
    readonly transport: SipTransportLayer,
    readonly resolver: SipResolver,
    private readonly clock: Clock,
    /** Between us and all peers; null: there is none. */
    readonly proxy: SipProxy | null = null,
  ) {}

  send(request: SipRequest, options: RequestOptions, handler: OutgoingRequestHandler): OutgoingRequest {
    const outgoing = new OutgoingRequest(this, request, options, handler);
    void outgoing.start();
    return outgoing;
  }

  /** The final response; null when there is none. */
  ask(request: SipRequest, options: RequestOptions): Promise<SipResponse | null> {
    return new Promise((resolve) => {
      this.send(request, options, { onFinal: resolve, onFailure: () => resolve(null) });
    });
  }

  /** Where a hop leads, in the order to be tried. Empty when nowhere. From there answers and requests are expected. */
  async endpointsOf(hop: NextHop): Promise<readonly SipEndpoint[]> {
    const endpoints = await this.resolve(hop);
    // A caller has chosen its own Contact, and would be known by it.
    if (!hop.isOfCaller) for (const { address } of endpoints) this.transport.sources.know(address);
    return endpoints;
  }

  private async resolve(hop: NextHop): Promise<readonly SipEndpoint[]> {
    const isOverTls = hop.target?.protocol === 'tls' || hop.target?.secure;
    // The first route is the proxy's, by a name or an address that it has for others.
    if (this.proxy && hop.isRouted && !isOverTls) return [this.proxy.endpoint];
    const { flow, fallbacks = [] } = hop;
    const found = hop.target ? await this.find(hop.target, fallbacks.length > 0) : [];
    const others = this.resolver.inOrder([...found, ...fallbacks]);
    // The connection that the peer's messages come by is used again.
    const isConnection = (endpoint: SipEndpoint) =>
      isReliable(endpoint.protocol) && found.some((other) => isSameServer(endpoint, other));
    const first = flow ?? fallbacks.find(isConnection);
    return distinct(first ? [first, ...others] : others);
  }

  /** @param hasFallback the request can go elsewhere, so that a slow or missing name server does not hold it up */
  private async find(target: SipTargetName, hasFallback: boolean): Promise<readonly SipEndpoint[]> {
    const lookup = this.resolver.resolve(target).catch(() => []);
    if (!hasFallback) return lookup;
    if (this.lostTargets.has(target.host)) return [];
    const late = new Error('the target was not found in time');
    const found = await withTimeLimit(this.clock, TARGET_LOOKUP_MS, lookup, late).catch(() => []);
    if (found.length === 0) this.lostTargets.set(target.host, true);
    return found;
  }

  /** Where a message for an endpoint is sent. */
  wayTo(endpoint: SipEndpoint): SipEndpoint {
    return this.proxy?.wayTo(endpoint) ?? endpoint;
  }

  /** Sends the CANCEL of an INVITE, the same way. What it is answered with says nothing; the INVITE's own response does. */
  sendCancel({ request, endpoint }: SentRequest): void {
    const cancel = new SipRequest('CANCEL', request.uri);
    for (const name of ['route', 'max-forwards', 'from', 'to', 'call-id'])
      cancel.headers.set(name, request.headers.all(name));
    cancel.headers.set('cseq', `${request.cseq.number} CANCEL`);
    const ignored = { onResponse: () => {}, onFailure: () => {} };
    this.transactions.request(cancel, this.wayTo(endpoint), ignored, request.branch).catch(() => {});
  }

  /** Nothing is sent any more that belongs to the call, nor answered. */
  abandon(callId: string): void {
    this.transactions.abandon(callId);
  }

  /** Our Contact, for a peer. */
  async contact(user: string, endpoint: SipEndpoint): Promise<string> {
    const way = this.wayTo(endpoint);
    const { host, port } = await this.transport.advertised(way);
    const transport = way.protocol === 'udp' ? null : way.protocol;
    return `<${formatSipUri({ user, host, port, transport })}>`;
  }
}

/** One request, over all its attempts. */
export class OutgoingRequest {
  private endpoints: readonly SipEndpoint[] = [];
  private at = 0;
  private challenges = 0;
  private finished = false;
  private cancelled = false;
  /** The attempt that is under way; null before the first one is sent. */
  private current: SentRequest | null = null;

  constructor(
    private readonly sender: RequestSender,
    private readonly request: SipRequest,
    private readonly options: RequestOptions,
    private readonly handler: OutgoingRequestHandler,
  ) {}

  /**
   * Gives the request up: nothing is tried any more, and an INVITE that is under way is cancelled as soon as it may be. The
   * handler hears the end of it, which may be a 2xx all the same.
   */
  cancel(): void {
    if (this.finished || this.cancelled) return;
    this.cancelled = true;
    if (this.current) this.cancelAttempt(this.current);
  }

  async start(): Promise<void> {
    this.endpoints = withStreams(
      await this.sender.endpointsOf(this.options.hop),
      this.request,
      this.options.hop,
    );
    if (this.endpoints.length === 0) this.fail('unresolved');
    else await this.attemptAt(this.at);
  }

  private async attemptAt(index: number): Promise<void> {
    const endpoint = this.endpoints[index];
    if (!endpoint) return;
    try {
      const { contactUser } = this.options;
      if (contactUser !== null) {
        this.request.headers.set('contact', await this.sender.contact(contactUser, endpoint));
      }
      if (this.cancelled) {
        this.fail('cancelled');
        return;
      }
      const sent = this.request.clone();
      this.sender.proxy?.direct(sent, endpoint);
      const attempt: { value: SentRequest | null } = { value: null };
      const early: SipResponse[] = [];
      const transaction = await this.sender.transactions.request(sent, this.sender.wayTo(endpoint), {
        onResponse: (response) =>
          attempt.value ? this.receive(response, attempt.value) : early.push(response),
        onFailure: (failure) => this.next(failure, endpoint),
      });
      attempt.value = { request: transaction.request, endpoint, transaction };
      this.current = attempt.value;
      for (const response of early) this.receive(response, attempt.value);
    } catch {
      // No socket for this protocol, or the limit of transactions.
      this.next('overload', endpoint);
    }
  }

  private receive(response: SipResponse, attempt: SentRequest): void {
    if (response.status < 200) {
      if (this.finished) return;
      // Before the first response nothing may be cancelled (RFC 3261 §9.1).
      if (this.cancelled) this.cancelAttempt(attempt);
      this.handler.onProvisional?.(response, attempt);
      return;
    }
    if (this.finished) {
      if (response.status < 300) this.handler.onFurtherSuccess?.(response, attempt);
      return;
    }
    if (!this.cancelled && this.triesAgain(response, attempt)) return;
    this.finished = true;
    this.handler.onFinal(response, attempt);
  }

  /** @returns whether a refusal has led to another attempt */
  private triesAgain(response: SipResponse, attempt: SentRequest): boolean {
    if (response.status === 401 || response.status === 407) return this.answer(response, attempt);
    if (response.status !== 503 || !this.hasNextServer) return false;
    this.next('transport', attempt.endpoint);
    return true;
  }

  /** The address that the peer's messages come from is no other server: it would refuse the same request again. */
  private get hasNextServer(): boolean {
    const next = this.endpoints[this.at + 1];
    const { fallbacks = [] } = this.options.hop;
    return next !== undefined && !fallbacks.some((fallback) => isSameAddress(fallback, next));
  }

  private cancelAttempt(attempt: SentRequest): void {
    const { transaction } = attempt;
    if (transaction instanceof InviteClientTransaction && transaction.cancel())
      this.sender.sendCancel(attempt);
  }

  /** Repeats the request with credentials (RFC 3261 §22.2); false when they were given and refused already. */
  private answer(response: SipResponse, attempt: SentRequest): boolean {
    const { credentials } = this.options;
    const [asks, answers] =
      response.status === 401
        ? ['www-authenticate', 'authorization']
        : ['proxy-authenticate', 'proxy-authorization'];
    const challenge = chooseChallenge(response.headers.all(asks));
    if (!credentials || !challenge || ++this.challenges > MOST_CHALLENGES) return false;
    if (attempt.request.headers.has(answers) && !challenge.stale) return false;
    const { method, uri } = this.request;
    const number = this.options.renumber?.() ?? this.request.cseq.number + 1;
    this.request.headers
      .set(answers, answerChallenge(challenge, { method, uri }, credentials))
      .set('cseq', `${number} ${method}`);
    void this.attemptAt(this.at);
    return true;
  }

  private next(failure: RequestFailure, endpoint: SipEndpoint): void {
    if (this.finished) return;
    if (failure !== 'overload') this.sender.resolver.avoid(endpoint);
    this.at++;
    if (!this.cancelled && this.at < this.endpoints.length) void this.attemptAt(this.at);
    else this.fail(failure);
  }

  private fail(failure: RequestFailure): void {
    if (this.finished) return;
    this.finished = true;
    this.handler.onFailure(failure);
  }
}

/** Large requests try TCP before UDP, unless the operator has said UDP. A refused connection costs nothing but its time. */
function withStreams(
  endpoints: readonly SipEndpoint[],
  request: SipRequest,
  hop: NextHop,
): readonly SipEndpoint[] {
  if (hop.target?.protocol === 'udp' || request.serialize().length <= MOST_DATAGRAM_BYTES) return endpoints;
  return endpoints.flatMap((endpoint) =>
    endpoint.protocol === 'udp' ? [{ ...endpoint, protocol: 'tcp' as const }, endpoint] : [endpoint],
  );
}

/** Each endpoint once, at its first place. */
function distinct(endpoints: readonly SipEndpoint[]): readonly SipEndpoint[] {
  const byKey = new Map<string, SipEndpoint>();
  for (const endpoint of endpoints) {
    const key = endpointKey(endpoint);
    if (!byKey.has(key)) byKey.set(key, endpoint);
  }
  return [...byKey.values()];
}

function isSameAddress(one: SipEndpoint, other: SipEndpoint): boolean {
  return one.address === other.address && one.port === other.port;
}

/** Ports are ignored: a connection that the peer has opened has a port at which the peer does not listen. */
function isSameServer(one: SipEndpoint, other: SipEndpoint): boolean {
  return one.address === other.address && one.protocol === other.protocol;
}
