import { randomInt } from 'node:crypto';
import type { CancelTimer } from '../../../../common/time/clock.js';
import type { SipRequest, SipResponse } from '../message/sip-message.js';
import type { MediaDirection } from '../sdp/session-description.js';
import { SdpError } from '../sdp/session-description.js';
import { InviteServerTransaction, type ServerTransaction } from '../transaction/server-transaction.js';
import { transactionTimeoutMs } from '../transaction/sip-timers.js';
import { acknowledge } from './acknowledge.js';
import type { CallMedia } from './call-media.js';
import type { CallSession } from './call-session.js';
import type { OutgoingRequest, SentRequest } from './request-sender.js';
import { ResponseRetransmission } from './response-retransmission.js';

/** Tries of one change, when both sides change at once or the interval is too short. */
const MOST_TRIES = 5;

type Reply = { readonly response: SipResponse; readonly attempt: SentRequest } | { readonly response: null };

/**
 * Changes a session that stands (RFC 3261 §14, RFC 3311): hold and resume, refreshes, a new address, by either side. One
 * change at a time; when both begin one, each waits as §14.1 says.
 */
export class SessionModification {
  /** One change of ours at a time; while it waits for its turn the peer may go first. */
  private running = false;
  private inviting = false;
  private closed = false;
  private reinvite: OutgoingRequest | null = null;
  private peerTakesUpdate = false;
  private readonly unacknowledged = new Map<
    number,
    { retransmission: ResponseRetransmission; offered: boolean }
  >();
  private cancelWait: CancelTimer = () => {};

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
  async change(direction?: MediaDirection): Promise<boolean> {
    if (this.running || this.closed) return false;
    this.running = true;
    try {
      for (let tries = 0; tries < MOST_TRIES && !this.closed; tries++) {
        const outcome = await this.tryInvite(direction);
        if (outcome !== 'again') return outcome === 'agreed';
      }
      return false;
    } finally {
      this.running = false;
    }
  }

  /** Says that we are still there: by an UPDATE where the peer takes it, else by a re-INVITE. */
  async refresh(): Promise<void> {
    if (!this.peerTakesUpdate) {
      await this.change();
      return;
    }
    const request = this.session.getDialog().createRequest('UPDATE');
    this.session.timer.writeRequest(request.headers);
    request.headers.set('supported', 'timer');
    const response = await this.session.context.sender.ask(request, this.session.requestOptions());
    if (response && response.status < 300) this.session.timer.accept(response);
    else if (response?.status === 405 || response?.status === 501) await this.change();
    else if (!response || response.status === 408 || response.status === 481) this.giveUp(response);
    else if (response.status === 422 && this.session.timer.raise(response)) await this.refresh();
  }

  receiveInvite(transaction: ServerTransaction): void {
    const { media } = this.session;
    if (this.inviting || !media) {
      this.refuse(transaction, 491);
      return;
    }
    const least = this.session.timer.refusalOf(transaction.request);
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
    // Without audio yet the offer of the INVITE still waits for its answer.
    if (hasOffer && (this.inviting || !media || media.negotiation.isPending)) {
      this.refuse(transaction, 491);
      return;
    }
    const least = this.session.timer.refusalOf(request);
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

  /** @returns false for an ACK nobody waits for, such as a repeated one */
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
    this.cancelWait();
    this.reinvite?.cancel();
    for (const { retransmission } of this.unacknowledged.values()) retransmission.stop();
    this.unacknowledged.clear();
  }

  private async tryInvite(direction?: MediaDirection): Promise<'agreed' | 'refused' | 'again'> {
    const { media, timer } = this.session;
    if (!media) return 'refused';
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
    const status = reply.response?.status ?? 408;
    if (status === 491) return this.waitForTurn();
    if (status === 422 && reply.response && timer.raise(reply.response)) return 'again';
    if (status === 481 || status === 408) this.giveUp(reply.response);
    return 'refused';
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

  /** A change needs nobody who picks up: one that is only said to be on its way for 64 T1 is cancelled. */
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

  /** §14.1: who owns the Call-ID waits longer, so that the two do not meet again. */
  private waitForTurn(): Promise<'again'> {
    const units = this.session.isCaller ? randomInt(210, 401) : randomInt(0, 201);
    const { clock, timers } = this.session.context;
    return new Promise((resolve) => {
      const cancel = clock.after(units * 10 * (timers.t1Ms / 500), () => resolve('again'));
      this.cancelWait = () => {
        cancel();
        resolve('again');
      };
    });
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

  private refuse(
    transaction: ServerTransaction,
    status: number,
    headers?: Record<string, string | number>,
  ): void {
    transaction.respond(this.session.createResponse(transaction, status, { headers }));
  }

  /** The peer has forgotten the call, or does not answer any more (§12.2.1.2). */
  private giveUp(response: SipResponse | null): void {
    this.session.terminate({
      outcome: 'hung-up',
      by: 'network',
      status: response?.status ?? null,
      reason: response ? 'the peer does not know the call' : 'the peer does not answer',
    });
  }
}
