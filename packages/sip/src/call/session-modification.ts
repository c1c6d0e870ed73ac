import { randomInt } from 'node:crypto';
import { SerialQueue } from '../serial-queue.js';
import type { CancelTimer } from '../clock.js';
import type { SipRequest, SipResponse } from '../message/sip-message.js';
import type { MediaDirection } from '../sdp/session-description.js';
import { SdpError } from '../sdp/session-description.js';
import { InviteServerTransaction, type ServerTransaction } from '../transaction/server-transaction.js';
import { retryDelayMs } from '../transaction/retry-delay.js';
import { transactionTimeoutMs } from '../transaction/sip-timers.js';
import { acknowledge } from './acknowledge.js';
import type { CallMedia } from './call-media.js';
import type { CallSession } from './call-session.js';
import type { OutgoingRequest, SentRequest } from './request-sender.js';
import { ResponseRetransmission } from './response-retransmission.js';

/** Of one change or refresh, while the peer asks us to try again. */
const MAX_ATTEMPTS = 5;
/** A Retry-After is obeyed up to this time, and up to half of what is left of a session with a timer. */
const MAX_RETRY_AFTER_MS = 30_000;
/** RFC 3261 §14.2, RFC 3311 §5.2: what a peer waits before it sends its offer again, in seconds. */
const MAX_OFFER_RETRY_SECONDS = 10;

/** What became of one attempt: `retryAfterMs` says when the peer may agree. */
type Attempt = 'agreed' | 'refused' | { readonly retryAfterMs: number };

type Reply = { readonly response: SipResponse; readonly attempt: SentRequest } | { readonly response: null };

/**
 * Changes an established session (RFC 3261 §14, RFC 3311): hold and resume, refreshes, a new address, by either side. One
 * change at a time; when both begin one, each waits as §14.1 says.
 */
export class SessionModification {
  /** Requests of ours run one at a time. A refresh leaves the queue while it waits for its next attempt. */
  private readonly requests = new SerialQueue();
  private refreshing: Promise<void> | null = null;
  private inviting = false;
  private closed = false;
  private reinvite: OutgoingRequest | null = null;
  private peerTakesUpdate = false;
  private readonly unacknowledged = new Map<
    number,
    { retransmission: ResponseRetransmission; offered: boolean }
  >();
  /** Ends the waits between attempts. */
  private readonly waits = new Set<() => void>();

  constructor(private readonly session: CallSession) {}

  /** From the Allow header of the peer. */
  noteAllowed(message: SipRequest | SipResponse): void {
    if (message.headers.has('allow')) this.peerTakesUpdate = message.headers.lists('allow', 'UPDATE');
  }

  /**
   * Sends a re-INVITE with our description, with another direction if one is given.
   *
   * @returns whether the peer has agreed; without that all stays as it was
   */
  change(direction?: MediaDirection): Promise<boolean> {
    return this.requests.run(() => this.repeat(() => this.tryInvite(direction)));
  }

  /**
   * Confirms that both sides still have the call: by an UPDATE where the peer takes it, else by a re-INVITE. A peer that has
   * forgotten the call (481), or does not answer (408), ends it. Callers that ask at the same time share one refresh.
   */
  refresh(): Promise<void> {
    this.refreshing ??= this.repeat(() => this.requests.run(() => this.tryRefresh()))
      .then((agreed) => {
        if (!agreed && !this.closed) this.session.timer.postpone();
      })
      .finally(() => {
        this.refreshing = null;
      });
    return this.refreshing;
  }

  /** Another INVITE of the peer before the first one of the call has its final response (RFC 3261 §14.2). */
  refuseEarlyInvite(transaction: ServerTransaction): void {
    if (this.session.isCaller) this.refuse(transaction, 491);
    else this.refuseForNow(transaction);
  }

  receiveInvite(transaction: ServerTransaction): void {
    const { media } = this.session;
    if (this.inviting || !media || media.negotiation.isPending) {
      this.refuse(transaction, 491);
      return;
    }
    const least = this.session.timer.minimumIfTooShort(transaction.request);
    if (least !== null) {
      this.refuse(transaction, 422, { 'min-se': least });
      return;
    }
    const { request } = transaction;
    const sdp = request.sdp === '' ? media.negotiation.offer() : this.describe(transaction, media);
    if (sdp === null) return;
    this.accept(transaction, sdp);
    this.expectAck(transaction, request.sdp === '');
    this.session.onSessionChanged();
  }

  receiveUpdate(transaction: ServerTransaction): void {
    const { request } = transaction;
    const { media } = this.session;
    const hasOffer = request.sdp !== '';
    if (hasOffer && this.session.owesAnswer) {
      this.refuseForNow(transaction);
      return;
    }
    if (hasOffer && (this.inviting || !media || media.negotiation.isPending)) {
      this.refuse(transaction, 491);
      return;
    }
    const least = this.session.timer.minimumIfTooShort(request);
    if (least !== null) {
      this.refuse(transaction, 422, { 'min-se': least });
      return;
    }
    const sdp = hasOffer && media ? this.describe(transaction, media) : '';
    if (sdp === null) return;
    this.accept(transaction, sdp);
    this.session.onSessionChanged();
  }

  /** Sends a 2xx again until its ACK comes; without one the call has failed (RFC 3261 §13.3.1.4). */
  expectAck(transaction: ServerTransaction, offered: boolean): void {
    if (!(transaction instanceof InviteServerTransaction)) return;
    const { context } = this.session;
    const number = transaction.request.cseq.number;
    const retransmission = new ResponseRetransmission(context.clock, context.timers, {
      longestWaitMs: context.timers.t2Ms,
      resend: () => transaction.retransmitAccepted(),
      onTimeout: () => {
        this.unacknowledged.delete(number);
        this.session.terminate({ outcome: 'hung-up', by: 'network', status: null, reason: 'no ACK' });
      },
    });
    this.unacknowledged.set(number, { retransmission, offered });
  }

  get awaitsAck(): boolean {
    return this.unacknowledged.size > 0;
  }

  /** @returns false for an ACK that no transaction waits for, such as a repeated one */
  receiveAck(ack: SipRequest, sourceAddress: string): boolean {
    const waiting = this.unacknowledged.get(ack.cseq.number);
    if (!waiting) return false;
    this.unacknowledged.delete(ack.cseq.number);
    waiting.retransmission.stop();
    if (!waiting.offered) return true;
    try {
      this.session.media?.acceptAnswer(ack.sdp, sourceAddress);
      this.session.onSessionChanged();
    } catch (error) {
      if (!(error instanceof SdpError)) throw error;
      this.session.terminate({ outcome: 'hung-up', by: 'local', status: null, reason: 'no usable answer' });
    }
    return true;
  }

  close(): void {
    this.closed = true;
    for (const end of this.waits) end();
    this.reinvite?.cancel();
    for (const { retransmission } of this.unacknowledged.values()) retransmission.stop();
    this.unacknowledged.clear();
  }

  /** @returns whether the peer has agreed in one of the attempts */
  private async repeat(attempt: () => Promise<Attempt>): Promise<boolean> {
    for (let attempts = 1; !this.closed; attempts++) {
      const outcome = await attempt();
      if (outcome === 'agreed') return true;
      if (outcome === 'refused' || attempts === MAX_ATTEMPTS) return false;
      await this.wait(outcome.retryAfterMs);
    }
    return false;
  }

  private async tryRefresh(): Promise<Attempt> {
    if (!this.peerTakesUpdate) return this.tryInvite();
    const outcome = await this.tryUpdate();
    return outcome === 'refused' ? this.tryInvite() : outcome;
  }

  private async tryUpdate(): Promise<Attempt> {
    if (this.closed) return 'refused';
    const { timer, context } = this.session;
    const request = this.session.getDialog().createRequest('UPDATE');
    timer.writeRequest(request.headers);
    request.headers.set('supported', 'timer');
    const response = await context.sender.ask(request, this.session.requestOptions());
    if (this.closed) return 'refused';
    if (response && response.status < 300) {
      timer.accept(response);
      return 'agreed';
    }
    if (response?.status === 405 || response?.status === 501) this.peerTakesUpdate = false;
    return this.readRefusal(response);
  }

  private async tryInvite(direction?: MediaDirection): Promise<Attempt> {
    const { media, timer } = this.session;
    if (!media || this.closed) return 'refused';
    const request = this.session.getDialog().createRequest('INVITE');
    request.setBody('application/sdp', media.negotiation.offer(direction));
    timer.writeRequest(request.headers);
    request.headers.set('supported', 'timer');
    this.inviting = true;
    const reply = await this.invite(request);
    this.inviting = false;
    if (this.closed) return 'refused';
    if (reply.response && reply.response.status < 300) return this.agree(reply.response, reply.attempt);
    media.negotiation.withdraw();
    return this.readRefusal(reply.response);
  }

  /** Ends the call where the peer does not know it (§12.2.1.2). @param response null: the peer did not answer */
  private readRefusal(response: SipResponse | null): Attempt {
    if (!response || response.status === 408 || response.status === 481) {
      this.endLostCall(response);
      return 'refused';
    }
    const { timer, isCaller, context } = this.session;
    if (response.status === 422) return timer.raise(response) ? { retryAfterMs: 0 } : 'refused';
    const retryAfterMs = retryDelayMs(response, {
      ownsCallId: isCaller,
      timers: context.timers,
      maxMs: Math.min(MAX_RETRY_AFTER_MS, (timer.remainingMs ?? Infinity) / 2),
    });
    return retryAfterMs === null ? 'refused' : { retryAfterMs };
  }

  private agree(response: SipResponse, attempt: SentRequest): 'agreed' | 'refused' {
    this.session.getDialog().refreshTarget(response, attempt.endpoint);
    this.session.timer.accept(response);
    try {
      this.session.media?.acceptAnswer(response.sdp, attempt.endpoint.address);
    } catch (error) {
      if (!(error instanceof SdpError)) throw error;
      return 'refused';
    }
    this.session.onSessionChanged();
    return 'agreed';
  }

  /** A change needs no person to pick up: one that is only provisional for 64 T1 is cancelled. */
  private invite(request: SipRequest): Promise<Reply> {
    const { context } = this.session;
    const waitMs = transactionTimeoutMs(context.timers);
    const confirm = (attempt: SentRequest) =>
      void acknowledge(context.sender, this.session.getDialog(), attempt);
    let cancelLate: CancelTimer | null = null;
    return new Promise<Reply>((resolve) => {
      const sent = context.sender.send(request, this.session.requestOptions(), {
        onProvisional: () => {
          cancelLate ??= context.clock.after(waitMs, () => sent.cancel());
        },
        onFinal: (response, attempt) => {
          if (response.status < 300) confirm(attempt);
          resolve({ response, attempt });
        },
        onFurtherSuccess: (_response, attempt) => confirm(attempt),
        onFailure: () => resolve({ response: null }),
      });
      this.reinvite = sent;
    }).finally(() => cancelLate?.());
  }

  /** Resolves after the time, or at once when the call ends. */
  private wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.waits.delete(end);
        resolve();
      };
      const cancel = this.session.context.clock.after(delayMs, end);
      this.waits.add(end);
    });
  }

  /** Answers the offer in a request that changes nothing else of the session. */
  answerOffer(transaction: ServerTransaction, media: CallMedia): void {
    const sdp = this.describe(transaction, media);
    if (sdp !== null) transaction.respond(this.session.createResponse(transaction, 200, { sdp }));
  }

  /** The answer to an offer, for a 2xx; null when the offer was refused. */
  private describe(transaction: ServerTransaction, media: CallMedia): string | null {
    try {
      return media.answer(transaction.request.sdp, transaction.source.address);
    } catch (error) {
      if (!(error instanceof SdpError)) throw error;
      this.refuse(transaction, 488);
      return null;
    }
  }

  private accept(transaction: ServerTransaction, sdp: string): void {
    const response = this.session.createResponse(transaction, 200, { sdp });
    this.session.timer.answer(transaction.request, response.headers);
    this.session.getDialog().refreshTarget(transaction.request, transaction.source);
    this.noteAllowed(transaction.request);
    transaction.respond(response);
  }

  /** An earlier offer of the peer has no answer of ours yet. */
  private refuseForNow(transaction: ServerTransaction): void {
    this.refuse(transaction, 500, { 'retry-after': randomInt(0, MAX_OFFER_RETRY_SECONDS + 1) });
  }

  private refuse(
    transaction: ServerTransaction,
    status: number,
    headers?: Record<string, string | number>,
  ): void {
    transaction.respond(this.session.createResponse(transaction, status, { headers }));
  }

  /** The peer has forgotten the call, or does not answer any more (§12.2.1.2). */
  private endLostCall(response: SipResponse | null): void {
    this.session.terminate({
      outcome: 'hung-up',
      by: 'network',
      status: response?.status ?? null,
      reason: response ? 'the peer does not know the call' : 'the peer does not answer',
    });
  }
}
