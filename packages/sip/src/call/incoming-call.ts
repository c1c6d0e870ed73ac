import type { CancelTimer } from '../clock.js';
import type { Dialog } from '../dialog/dialog.js';
import { divertingPartiesOf, targetHistoryOf, wantedPartyOf } from '../message/diverting-parties.js';
import { callingPartyOf } from '../message/calling-party.js';
import type { SipRequest } from '../message/sip-message.js';
import { parseSipUri } from '../message/sip-uri.js';
import { SdpError } from '../sdp/session-description.js';
import type { InviteServerTransaction, ServerTransaction } from '../transaction/server-transaction.js';
import type { SipEndpoint } from '../transport/sip-endpoint.js';
import type { SipTrunk } from '../trunk/sip-trunk.js';
import type { CallContext } from './call-session.js';
import { ReliableProvisionals } from './reliable-provisional.js';
import { SipCall } from './sip-call.js';
import type { SipCallEnd } from './sip-call-end.js';

/** When an unanswered call ends: longer than any caller waits. */
const UNANSWERED_MS = 180_000;

export interface IncomingCallOptions {
  readonly context: CallContext;
  readonly trunk: SipTrunk;
  /** Every trunk the call may belong to: operators send the calls of several customers from one address. */
  readonly trunkIds: readonly string[];
  readonly transaction: InviteServerTransaction;
  readonly dialog: Dialog;
  readonly localTag: string;
  readonly contactUser: string;
  /** Our Contact for this peer. */
  readonly contact: string;
  /** What the peer shall send audio to. */
  readonly mediaAddress: string;
}

/** An incoming call (RFC 3261 §13.3): it rings until it is answered or rejected. */
export class IncomingCall extends SipCall {
  readonly isCaller = false;
  readonly trunkIds: readonly string[];
  protected readonly localTag: string;
  private readonly transaction: InviteServerTransaction;
  private readonly mediaAddress: string;
  private readonly provisionals: ReliableProvisionals;
  private readonly cancelUnanswered: CancelTimer;
  private answerSdp = '';
  private opening: Promise<boolean> | null = null;
  private accepting = false;
  /** A reliable response has answered the offer of the INVITE before the call is taken (RFC 3262 §5). */
  private hasAnsweredEarly = false;
  private hangUpAfterAck = false;

  constructor(options: IncomingCallOptions) {
    super(options.context, options.trunk, options.contactUser);
    this.trunkIds = options.trunkIds;
    this.transaction = options.transaction;
    this.dialog = options.dialog;
    this.localTag = options.localTag;
    this.contact = options.contact;
    this.mediaAddress = options.mediaAddress;
    this.modification.noteAllowed(this.request);
    this.provisionals = new ReliableProvisionals(options.context, options.transaction, () =>
      this.reject(504),
    );
    this.cancelUnanswered = options.context.clock.after(UNANSWERED_MS, () => this.reject(480));
    options.context.addDialog(options.dialog, this);
  }

  get callId(): string {
    return this.request.callId;
  }

  get request(): SipRequest {
    return this.transaction.request;
  }

  /** Where it came from. */
  get source(): SipEndpoint {
    return this.transaction.source;
  }

  /** The number or user that was called; our own Contact's where the call came by a registration. */
  get to(): string {
    return parseSipUri(this.request.uri)?.user ?? '';
  }

  /** Whom the caller wanted; see {@link wantedPartyOf}. */
  get wanted(): string {
    return wantedPartyOf(this.request);
  }

  /** The number or user that calls; see {@link callingPartyOf}. */
  get from(): string {
    return callingPartyOf(this.request);
  }

  /** The numbers or users that have forwarded the call; see {@link divertingPartiesOf}. */
  get divertedFrom(): readonly string[] {
    return divertingPartiesOf(this.request);
  }

  /** The numbers or users that the call was for, this one included; see {@link targetHistoryOf}. */
  get targets(): readonly string[] {
    return targetHistoryOf(this.request);
  }

  override get owesAnswer(): boolean {
    return this.state === 'setup' && !this.hasAnsweredEarly;
  }

  protected override get signallingAddress(): string {
    return this.source.address;
  }

  /** Says that it rings. */
  ring(): void {
    // Who insists on reliable responses gets no 180: it would need a description to be one (RFC 3262 §5).
    if (this.state !== 'setup' || this.request.headers.lists('require', '100rel')) return;
    this.transaction.respond(this.createResponse(this.transaction, 180));
  }

  /**
   * Opens the audio before the call is answered, for announcements that are free of charge.
   *
   * @returns false when that is not possible: no offer, or none we can talk by
   */
  async early(): Promise<boolean> {
    if (this.request.sdp === '' || !(await this.open()) || this.state !== 'setup' || this.accepting)
      return false;
    const response = this.createResponse(this.transaction, 183, { sdp: this.answerSdp });
    const { headers } = this.request;
    const isReliable = headers.lists('supported', '100rel') || headers.lists('require', '100rel');
    if (!isReliable) {
      this.transaction.respond(response);
      return true;
    }
    this.hasAnsweredEarly = true;
    if (!this.provisionals.isPending) this.provisionals.send(response);
    return true;
  }

  /**
   * Takes the call.
   *
   * @returns false when it is over, or its offer cannot be used; `ended` has been emitted then
   */
  async accept(): Promise<boolean> {
    if (!(await this.open()) || this.state !== 'setup' || this.accepting) return false;
    this.accepting = true;
    this.provisionals.afterConfirmation(() => this.respondOk());
    return true;
  }

  /** Rejects the call: 486 busy, 404 unknown number, 603 declined. */
  reject(status: number): void {
    if (this.state !== 'setup') return;
    this.transaction.respond(this.createResponse(this.transaction, status));
    this.finish({ outcome: status === 486 ? 'busy' : 'declined', by: 'local', status, reason: 'rejected' });
  }

  hangUp(): void {
    if (this.state === 'setup') {
      this.reject(480);
    } else if (this.state === 'up' && this.modification.awaitsAck) {
      // No BYE before the ACK (§15): the caller may not know of the dialog yet.
      this.hangUpAfterAck = true;
    } else {
      this.terminate({ outcome: 'hung-up', by: 'local', status: null, reason: 'hung up' });
    }
  }

  /** The caller has given up. */
  cancelled(): void {
    if (this.state !== 'setup') return;
    this.transaction.respond(this.createResponse(this.transaction, 487));
    this.finish({ outcome: 'cancelled', by: 'remote', status: null, reason: 'CANCEL' });
  }

  protected override finish(end: SipCallEnd): void {
    this.cancelUnanswered();
    this.provisionals.stop();
    super.finish(end);
  }

  protected override onAcknowledged(): void {
    if (this.hangUpAfterAck) this.hangUp();
  }

  protected override onByeDuringSetup(): void {
    this.transaction.respond(this.createResponse(this.transaction, 487));
  }

  protected override receivePrack(transaction: ServerTransaction): void {
    if (!this.provisionals.confirm(transaction.request)) {
      this.answer(transaction, 481);
      return;
    }
    // The answer of the 183 has been taken, so a description is another offer (RFC 3262 §5).
    const { sdp } = transaction.request;
    if (sdp === '' || !this.media) this.answer(transaction, 200);
    else this.modification.answerOffer(transaction, this.media);
    this.provisionals.proceed();
  }

  private respondOk(): void {
    if (this.state !== 'setup') return;
    const offered = this.request.sdp === '';
    const sdp = offered ? (this.media?.negotiation.offer() ?? '') : this.answerSdp;
    const response = this.createResponse(this.transaction, 200, { sdp });
    this.timer.answer(this.request, response.headers);
    this.cancelUnanswered();
    this.transaction.respond(response);
    this.modification.expectAck(this.transaction, offered);
    this.becomeUp();
  }

  /** Opens the audio once, and agrees on the offer. */
  private open(): Promise<boolean> {
    this.opening ??= this.openMedia();
    return this.opening;
  }

  private async openMedia(): Promise<boolean> {
    if (this.state !== 'setup') return false;
    try {
      const media = await this.context.openMedia(this.mediaAddress, this.trunk, this.mediaCallbacks());
      // It may have been cancelled in the meantime.
      if (this.isOver()) {
        media.close();
        return false;
      }
      this.media = media;
    } catch {
      this.reject(503);
      return false;
    }
    if (this.request.sdp === '') return true;
    try {
      this.answerSdp = this.media.answer(this.request.sdp, this.transaction.source.address);
      // The first words go where the description says.
      await this.media.located;
      return !this.isOver();
    } catch (error) {
      if (!(error instanceof SdpError)) throw error;
      this.reject(488);
      return false;
    }
  }

  private isOver(): boolean {
    return this.state === 'ended';
  }
}
