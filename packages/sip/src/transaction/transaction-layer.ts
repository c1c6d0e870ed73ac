import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CancelTimer, Clock } from '../clock.js';
import type { SipRequest } from '../message/sip-message.js';
import { SipResponse } from '../message/sip-message.js';
import { endpointKey, type SipEndpoint } from '../transport/sip-endpoint.js';
import type { SipMessageHandler, SipTransportLayer } from '../transport/sip-transport-layer.js';
import { BRANCH_COOKIE } from '../transport/via.js';
import {
  type ClientTransaction,
  type ClientTransactionUser,
  InviteClientTransaction,
  NonInviteClientTransaction,
} from './client-transaction.js';
import {
  InviteServerTransaction,
  NonInviteServerTransaction,
  type ServerTransaction,
} from './server-transaction.js';
import { SIP_TIMERS, type SipTimers, transactionTimeoutMs } from './sip-timers.js';
import type { TransactionContext } from './transaction-context.js';

/** The core above the transactions (the "transaction user" of RFC 3261). */
export interface TransactionUser {
  /**
   * Looks at a new request before anything is kept for it. A response given here is sent without a transaction
   * (RFC 3261 §8.2.7): it must be the same for the same request.
   */
  screen(request: SipRequest, source: SipEndpoint): SipResponse | null;
  onRequest(transaction: ServerTransaction): void;
  /** The ACK of a 2xx. */
  onAck(ack: SipRequest): void;
  /** @param invite the transaction to be cancelled, which has no final response yet */
  onCancel(invite: InviteServerTransaction): void;
}

export interface TransactionLimits {
  readonly clientTransactions: number;
  readonly serverTransactions: number;
  /** From one address, and in all: an operator's whole traffic may come from one. */
  readonly serverTransactionsPerSource: number;
}

export const TRANSACTION_LIMITS: TransactionLimits = {
  clientTransactions: 20_000,
  serverTransactions: 20_000,
  serverTransactionsPerSource: 10_000,
};

const MOST_PEERS = 10_000;

/** A request could not be sent because too many are under way. */
export class TooManyTransactionsError extends Error {
  constructor() {
    super('Too many SIP transactions are under way.');
    this.name = 'TooManyTransactionsError';
  }
}

/** The call of a request is another process's now. */
class AbandonedCallError extends Error {
  override readonly name = 'AbandonedCallError';
}

/** Keeps the transactions and finds the one a message belongs to (RFC 3261 §17.1.3, §17.2.3). */
export class TransactionLayer implements SipMessageHandler {
  readonly counts = { retransmissions: 0, refusedByLimit: 0 };
  private readonly clients = new Map<string, ClientTransaction>();
  private readonly servers = new Map<string, ServerTransaction>();
  /** INVITEs by Call-ID, CSeq and From tag: for merged requests (§8.2.2.2) and ACKs on a wrong branch. */
  private readonly invites = new Map<string, InviteServerTransaction>();
  private readonly perSource = new Map<string, number>();
  /** Call-IDs of which nothing is sent or taken any more. */
  private readonly abandoned = new Map<string, CancelTimer>();
  /** Peers that have answered OPTIONS: some never do, and stand there all the same. */
  private readonly answeringOptions = new LRUCache<string, true>({ max: MOST_PEERS });
  private readonly context: TransactionContext;

  constructor(
    private readonly transport: SipTransportLayer,
    private readonly user: TransactionUser,
    clock: Clock,
    timers: SipTimers = SIP_TIMERS,
    private readonly limits: TransactionLimits = TRANSACTION_LIMITS,
  ) {
    this.context = {
      clock,
      timers,
      send: (bytes, endpoint, callId) => transport.send(bytes, endpoint, this.wanted(callId)),
      respond: (bytes, topVia, source, callId) =>
        transport.respond(bytes, topVia, source, this.wanted(callId)),
      onRetransmission: () => {
        this.counts.retransmissions++;
      },
      onUnanswered: (method, endpoint, silentMs) => {
        const proves = method !== 'OPTIONS' || this.answeringOptions.has(endpointKey(endpoint));
        if (proves) transport.unanswered(endpoint, silentMs);
      },
    };
    transport.handle(this);
  }

  get size(): { readonly clients: number; readonly servers: number } {
    return { clients: this.clients.size, servers: this.servers.size };
  }

  /**
   * Sends a request by a transaction of its own.
   *
   * @param branch of a CANCEL, that of its INVITE
   * @throws TooManyTransactionsError | AbandonedCallError
   */
  async request(
    request: SipRequest,
    endpoint: SipEndpoint,
    user: ClientTransactionUser,
    branch = newBranch(),
  ): Promise<ClientTransaction> {
    if (this.clients.size >= this.limits.clientTransactions) throw new TooManyTransactionsError();
    const prepared = await this.transport.prepare(request, endpoint, branch);
    if (this.abandoned.has(request.callId)) throw new AbandonedCallError();
    const Transaction = request.method === 'INVITE' ? InviteClientTransaction : NonInviteClientTransaction;
    const transaction = new Transaction(this.context, prepared, user);
    const key = `${branch}|${request.method}`;
    this.clients.set(key, transaction);
    transaction.onTerminated = () => this.clients.delete(key);
    transaction.start();
    return transaction;
  }

  /** Sends what has no transaction: the ACK of a 2xx. */
  async sendStateless(request: SipRequest, endpoint: SipEndpoint): Promise<void> {
    const { bytes } = await this.transport.prepare(request, endpoint, newBranch());
    await this.transport.send(bytes, endpoint, this.wanted(request.callId));
  }

  onResponse(response: SipResponse): void {
    const transaction = this.clients.get(`${response.branch}|${response.cseq.method}`);
    if (transaction && response.cseq.method === 'OPTIONS')
      this.answeringOptions.set(endpointKey(transaction.prepared.endpoint), true);
    transaction?.receive(response);
  }

  onRequest(request: SipRequest, source: SipEndpoint): void {
    if (this.ignores(request)) return;
    if (request.method === 'ACK') {
      this.receiveAck(request);
      return;
    }
    const existing = this.servers.get(serverKey(request, request.method));
    if (existing) {
      existing.receiveAgain();
      return;
    }
    const refusal = this.user.screen(request, source) ?? this.refusalByLimit(request, source);
    if (refusal) {
      this.transport.respond(refusal.serialize(), request.headers.get('via') ?? '', source);
      return;
    }
    const transaction = this.open(request, source);
    if (request.method === 'CANCEL') this.cancel(request, transaction);
    else this.user.onRequest(transaction);
  }

  /** Whether a CANCEL has an INVITE to cancel. */
  hasInvite(cancel: SipRequest): boolean {
    return this.servers.has(serverKey(cancel, 'INVITE'));
  }

  /**
   * Ends the transactions of a call without signalling to its peer. Requests of the peer are not answered either: 481
   * would end the dialog, which another process continues (RFC 3261 §12.2.1.2).
   */
  abandon(callId: string): void {
    this.readmit(callId);
    const { clock, timers } = this.context;
    // What the peer still sends to us, it has sent by then for the last time.
    const forget = clock.after(2 * transactionTimeoutMs(timers), () => this.abandoned.delete(callId));
    this.abandoned.set(callId, forget);
    for (const transaction of [...this.clients.values(), ...this.servers.values()])
      if (transaction.request.callId === callId) transaction.terminate();
  }

  /** The call is this process's again. */
  readmit(callId: string): void {
    this.abandoned.get(callId)?.();
    this.abandoned.delete(callId);
  }

  close(): void {
    for (const forget of this.abandoned.values()) forget();
    this.abandoned.clear();
    for (const transaction of [...this.clients.values(), ...this.servers.values()]) transaction.terminate();
  }

  private wanted(callId: string): () => boolean {
    return () => !this.abandoned.has(callId);
  }

  /** While the gate is closed nothing begins: the peer repeats its request. */
  private ignores({ callId, toTag }: SipRequest): boolean {
    return this.abandoned.has(callId) || (toTag === null && !this.transport.gate.isOpen());
  }

  private open(request: SipRequest, source: SipEndpoint): ServerTransaction {
    const key = serverKey(request, request.method);
    const transaction =
      request.method === 'INVITE'
        ? new InviteServerTransaction(this.context, request, source)
        : new NonInviteServerTransaction(this.context, request, source);
    this.servers.set(key, transaction);
    if (transaction instanceof InviteServerTransaction) this.invites.set(inviteKey(request), transaction);
    this.perSource.set(source.address, (this.perSource.get(source.address) ?? 0) + 1);
    transaction.onTerminated = () => {
      this.servers.delete(key);
      if (this.invites.get(inviteKey(request)) === transaction) this.invites.delete(inviteKey(request));
      const left = (this.perSource.get(source.address) ?? 1) - 1;
      if (left > 0) this.perSource.set(source.address, left);
      else this.perSource.delete(source.address);
    };
    return transaction;
  }

  private cancel(request: SipRequest, transaction: ServerTransaction): void {
    const invite = this.servers.get(serverKey(request, 'INVITE'));
    const found = invite instanceof InviteServerTransaction;
    transaction.respond(SipResponse.to(request, found ? 200 : 481, newTag()));
    if (found && !invite.isAnswered) this.user.onCancel(invite);
  }

  private receiveAck(ack: SipRequest): void {
    const byBranch = this.servers.get(serverKey(ack, 'INVITE'));
    // Some peers acknowledge a refusal on a new branch; without this they would get it for 32 seconds.
    const invite = byBranch ?? this.invites.get(inviteKey(ack));
    const matches = byBranch || (invite instanceof InviteServerTransaction && invite.toTag === ack.toTag);
    if (invite instanceof InviteServerTransaction && invite.state !== 'accepted') {
      if (matches) invite.acknowledge();
      return;
    }
    this.user.onAck(ack);
  }

  private refusalByLimit(request: SipRequest, source: SipEndpoint): SipResponse | null {
    // The same INVITE by another way: a proxy has forked it to us twice.
    if (request.method === 'INVITE' && request.toTag === null && this.invites.has(inviteKey(request))) {
      return SipResponse.to(request, 482, 'merged');
    }
    const isFull =
      this.servers.size >= this.limits.serverTransactions ||
      (this.perSource.get(source.address) ?? 0) >= this.limits.serverTransactionsPerSource;
    if (!isFull) return null;
    this.counts.refusedByLimit++;
    const response = SipResponse.to(request, 503, 'overload');
    response.headers.set('retry-after', 10);
    return response;
  }
}

export function newBranch(): string {
  return BRANCH_COOKIE + randomBytes(12).toString('base64url');
}

/** Tags and Call-IDs are what protects a dialog from strangers, so they are long and random. */
export function newTag(): string {
  return randomBytes(12).toString('hex');
}

/** §17.2.3: branch, sent-by and method. */
function serverKey(request: SipRequest, method: string): string {
  const { via } = request;
  return `${via?.parameters.get('branch') ?? request.callId}|${via?.host ?? ''}|${via?.port ?? ''}|${method}`;
}

function inviteKey(request: SipRequest): string {
  return `${request.callId}|${request.cseq.number}|${request.fromTag ?? ''}`;
}
