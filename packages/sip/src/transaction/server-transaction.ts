import type { SipRequest, SipResponse } from '../message/sip-message.js';
import { isReliable, type SipEndpoint } from '../transport/sip-endpoint.js';
import { transactionTimeoutMs } from './sip-timers.js';
import { TimerSet, type TransactionContext } from './transaction-context.js';

export type ServerTransactionState =
  'trying' | 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

type ServerTimer = 'retransmit' | 'end';

/** A request of a peer, and the responses it gets (RFC 3261 §17.2). */
export abstract class ServerTransaction {
  abstract state: ServerTransactionState;
  onTerminated: () => void = () => {};
  /** The last response; sent again when the request comes again. */
  protected last: Buffer | null = null;
  protected readonly timers: TimerSet<ServerTimer>;
  protected readonly reliable: boolean;
  private readonly topVia: string;

  constructor(
    protected readonly context: TransactionContext,
    readonly request: SipRequest,
    readonly source: SipEndpoint,
  ) {
    this.timers = new TimerSet(context.clock);
    this.reliable = isReliable(source.protocol);
    this.topVia = request.headers.get('via') ?? '';
  }

  /** Whether a final response has been given. */
  get isAnswered(): boolean {
    return this.state !== 'trying' && this.state !== 'proceeding';
  }

  /** Sends a response. After a final one nothing is sent any more. */
  abstract respond(response: SipResponse): void;

  /** The same request once more. */
  receiveAgain(): void {
    this.transmit();
  }

  terminate(): void {
    if (this.state === 'terminated') return;
    this.state = 'terminated';
    this.timers.clearAll();
    this.onTerminated();
  }

  protected transmit(): void {
    if (this.last) this.context.respond(this.last, this.topVia, this.source, this.request.callId);
  }
}

/**
 * RFC 3261 §17.2.2: timer J. Without an answer it ends as well when the peer has given up by its timer F: it counts for limits
 * that all peers share.
 */
export class NonInviteServerTransaction extends ServerTransaction {
  state: ServerTransactionState = 'trying';

  constructor(...parts: ConstructorParameters<typeof ServerTransaction>) {
    super(...parts);
    this.timers.set('end', transactionTimeoutMs(this.context.timers), () => this.terminate());
  }

  respond(response: SipResponse): void {
    if (this.isAnswered) return;
    this.last = response.serialize();
    this.transmit();
    if (response.status < 200) {
      this.state = 'proceeding';
      return;
    }
    this.state = 'completed';
    const waitMs = this.reliable ? 0 : transactionTimeoutMs(this.context.timers);
    this.timers.set('end', waitMs, () => this.terminate());
  }
}

/**
 * RFC 3261 §17.2.1 with RFC 6026: timers G, H, I and L. The 2xx is sent again by the call that gave it, until its ACK comes
 * (§13.3.1.4), as the ACK belongs to no transaction.
 */
export class InviteServerTransaction extends ServerTransaction {
  state: ServerTransactionState = 'proceeding';
  /** The tag of the final response, by which an ACK on a wrong branch is recognised. */
  toTag: string | null = null;

  respond(response: SipResponse): void {
    if (this.isAnswered) return;
    this.last = response.serialize();
    this.transmit();
    if (response.status < 200) return;
    this.toTag = response.toTag;
    const timeoutMs = transactionTimeoutMs(this.context.timers);
    this.timers.set('end', timeoutMs, () => this.terminate());
    if (response.status < 300) {
      this.state = 'accepted';
      return;
    }
    this.state = 'completed';
    if (!this.reliable) this.retransmitAfter(this.context.timers.t1Ms);
  }

  /** Sends the 2xx again, for the call that waits for its ACK. */
  retransmitAccepted(): void {
    if (this.state !== 'accepted') return;
    this.context.onRetransmission();
    this.transmit();
  }

  override receiveAgain(): void {
    // In the Accepted state a repeated INVITE is absorbed (RFC 6026 §7.1): the 2xx has a timer of its own.
    if (this.state === 'proceeding' || this.state === 'completed') this.transmit();
  }

  /** The ACK of a refusal. */
  acknowledge(): void {
    if (this.state !== 'completed') return;
    this.state = 'confirmed';
    this.timers.clearAll();
    this.timers.set('end', this.reliable ? 0 : this.context.timers.t4Ms, () => this.terminate());
  }

  private retransmitAfter(waitMs: number): void {
    this.timers.set('retransmit', waitMs, () => {
      this.context.onRetransmission();
      this.transmit();
      this.retransmitAfter(Math.min(waitMs * 2, this.context.timers.t2Ms));
    });
  }
}
