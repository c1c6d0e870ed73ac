import { randomInt } from 'node:crypto';
import type { SipRequest, SipResponse } from '../message/sip-message.js';
import type { ServerTransaction } from '../transaction/server-transaction.js';
import type { CallContext } from './call-session.js';
import { ResponseRetransmission } from './response-retransmission.js';

/** Provisional responses the caller confirms (RFC 3262): one at a time, each sent again until its PRACK. */
export class ReliableProvisionals {
  private sequence = randomInt(1, 2 ** 30);
  private pending: { readonly sequence: number; readonly retransmission: ResponseRetransmission } | null =
    null;
  private whenConfirmed: (() => void) | null = null;

  constructor(
    private readonly context: CallContext,
    private readonly transaction: ServerTransaction,
    private readonly onTimeout: () => void,
  ) {}

  get isPending(): boolean {
    return this.pending !== null;
  }

  send(response: SipResponse): void {
    const sequence = ++this.sequence;
    response.headers.append('require', '100rel').set('rseq', sequence);
    this.transaction.respond(response);
    const retransmission = new ResponseRetransmission(this.context.clock, this.context.timers, {
      longestWaitMs: null,
      resend: () => this.transaction.receiveAgain(),
      onTimeout: () => {
        this.pending = null;
        this.onTimeout();
      },
    });
    this.pending = { sequence, retransmission };
  }

  /** @returns whether the PRACK is of the response that waits */
  confirm(prack: SipRequest): boolean {
    const [sequence, number, method] = (prack.headers.get('rack') ?? '').trim().split(/\s+/);
    const isOurs = Number(number) === this.transaction.request.cseq.number && method === 'INVITE';
    if (!this.pending || !isOurs || Number(sequence) !== this.pending.sequence) return false;
    this.pending.retransmission.stop();
    this.pending = null;
    return true;
  }

  /** The 2xx waits for the PRACK of a response with a description (§3). */
  afterConfirmation(callback: () => void): void {
    if (this.pending) this.whenConfirmed = callback;
    else callback();
  }

  /** To be called once the PRACK is answered. */
  proceed(): void {
    const callback = this.whenConfirmed;
    this.whenConfirmed = null;
    callback?.();
  }

  stop(): void {
    this.pending?.retransmission.stop();
    this.pending = null;
    this.whenConfirmed = null;
  }
}
