import { SipRequest, type SipResponse } from '../message/sip-message.js';
import { isReliable } from '../transport/sip-endpoint.js';
import type { PreparedRequest } from '../transport/sip-transport-layer.js';
import { transactionTimeoutMs } from './sip-timers.js';
import { TimerSet, type TransactionContext } from './transaction-context.js';

/** `timeout`: no answer came (timer B or F); `transport`: the request could not be sent. */
export type TransactionFailure = 'timeout' | 'transport';

export interface ClientTransactionUser {
  onResponse(response: SipResponse): void;
  onFailure(failure: TransactionFailure): void;
}

export type ClientTransactionState =
  'calling' | 'trying' | 'proceeding' | 'completed' | 'accepted' | 'terminated';

type ClientTimer = 'retransmit' | 'timeout' | 'end';

/** A request on its way to its final response (RFC 3261 §17.1). */
export abstract class ClientTransaction {
  abstract state: ClientTransactionState;
  /** Called once, when the layer may forget the transaction. */
  onTerminated: () => void = () => {};
  protected readonly timers: TimerSet<ClientTimer>;
  protected readonly reliable: boolean;

  constructor(
    protected readonly context: TransactionContext,
    readonly prepared: PreparedRequest,
    protected readonly user: ClientTransactionUser,
  ) {
    this.timers = new TimerSet(context.clock);
    this.reliable = isReliable(prepared.endpoint.protocol);
  }

  get request(): SipRequest {
    return this.prepared.request;
  }

  /** Sends the request for the first time. */
  start(): void {
    this.transmit();
    this.timers.set('timeout', transactionTimeoutMs(this.context.timers), () => this.expire());
    if (!this.reliable) this.retransmitAfter(this.context.timers.t1Ms);
  }

  abstract receive(response: SipResponse): void;

  terminate(): void {
    if (this.state === 'terminated') return;
    this.state = 'terminated';
    this.timers.clearAll();
    this.onTerminated();
  }

  /** The wait after one of `waitedMs`. */
  protected abstract nextWaitMs(waitedMs: number): number;

  protected retransmitAfter(waitMs: number): void {
    this.timers.set('retransmit', waitMs, () => {
      this.context.onRetransmission();
      this.transmit();
      this.retransmitAfter(this.nextWaitMs(waitMs));
    });
  }

  protected fail(failure: TransactionFailure): void {
    if (this.state === 'terminated') return;
    this.terminate();
    this.user.onFailure(failure);
  }

  private expire(): void {
    // Making the connection may have taken a part of the time.
    const silentMs = transactionTimeoutMs(this.context.timers) / 2;
    this.context.onUnanswered(this.request.method, this.prepared.endpoint, silentMs);
    this.fail('timeout');
  }

  private transmit(): void {
    this.context.send(this.prepared.bytes, this.prepared.endpoint, this.request.callId).catch(() => {
      // After a final response it no longer matters (RFC 3261 §17.1.4).
      if (this.state !== 'completed' && this.state !== 'accepted') this.fail('transport');
    });
  }
}

/** RFC 3261 §17.1.1 with the Accepted state of RFC 6026: timers A, B, D and M. */
export class InviteClientTransaction extends ClientTransaction {
  state: ClientTransactionState = 'calling';
  private ack: Buffer | null = null;
  private cancelled = false;

  /**
   * Waits no longer than 64 T1 for a final response from now on (RFC 3261 §9.1).
   *
   * @returns whether a CANCEL is to be sent: after the first provisional response, before a final one, and once
   */
  cancel(): boolean {
    if (this.state !== 'proceeding' || this.cancelled) return false;
    this.cancelled = true;
    this.timers.set('timeout', transactionTimeoutMs(this.context.timers), () => this.fail('timeout'));
    return true;
  }

  receive(response: SipResponse): void {
    if (response.status < 200) this.proceed(response);
    else if (response.status < 300) this.accept(response);
    else this.complete(response);
  }

  protected nextWaitMs(waitedMs: number): number {
    return waitedMs * 2;
  }

  private proceed(response: SipResponse): void {
    if (this.state === 'calling') {
      this.state = 'proceeding';
      this.timers.clear('retransmit', 'timeout');
    }
    if (this.state === 'proceeding') this.user.onResponse(response);
  }

  /** Every 2xx goes up: one that comes again wants our ACK again, one of another fork wants ACK and BYE. */
  private accept(response: SipResponse): void {
    if (this.state === 'completed' || this.state === 'terminated') return;
    if (this.state !== 'accepted') {
      this.state = 'accepted';
      this.timers.clearAll();
      this.timers.set('end', transactionTimeoutMs(this.context.timers), () => this.terminate());
    }
    this.user.onResponse(response);
  }

  private complete(response: SipResponse): void {
    if (this.state === 'accepted' || this.state === 'terminated') return;
    this.ack ??= this.ackFor(response).serialize();
    this.context.send(this.ack, this.prepared.endpoint, this.request.callId).catch(() => {});
    if (this.state === 'completed') return;
    this.state = 'completed';
    this.timers.clearAll();
    const waitMs = this.reliable ? 0 : transactionTimeoutMs(this.context.timers);
    this.timers.set('end', waitMs, () => this.terminate());
    this.user.onResponse(response);
  }

  /** The ACK of a refusal belongs to the transaction and has its branch (RFC 3261 §17.1.1.3). */
  private ackFor(response: SipResponse): SipRequest {
    const { headers } = this.request;
    const ack = new SipRequest('ACK', this.request.uri);
    ack.headers.set('via', headers.get('via') ?? '');
    ack.headers.set('route', headers.all('route'));
    ack.headers.set('max-forwards', 70);
    ack.headers.set('from', headers.get('from') ?? '');
    ack.headers.set('to', response.headers.get('to') ?? '');
    ack.headers.set('call-id', this.request.callId);
    ack.headers.set('cseq', `${this.request.cseq.number} ACK`);
    return ack;
  }
}

/** RFC 3261 §17.1.2: timers E, F and K. */
export class NonInviteClientTransaction extends ClientTransaction {
  state: ClientTransactionState = 'trying';

  receive(response: SipResponse): void {
    if (this.state === 'completed' || this.state === 'terminated') return;
    if (response.status < 200) {
      this.state = 'proceeding';
      this.user.onResponse(response);
      return;
    }
    this.state = 'completed';
    this.timers.clearAll();
    this.timers.set('end', this.reliable ? 0 : this.context.timers.t4Ms, () => this.terminate());
    this.user.onResponse(response);
  }

  protected nextWaitMs(waitedMs: number): number {
    const { t2Ms } = this.context.timers;
    return this.state === 'proceeding' ? t2Ms : Math.min(waitedMs * 2, t2Ms);
  }
}
