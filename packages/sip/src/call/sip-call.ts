import { EventEmitter } from 'node:events';
import type { CallAudio } from '@prosa/audio';
import type { Dialog, DialogState } from '../dialog/dialog.js';
import { type SipRequest, SipResponse } from '../message/sip-message.js';
import { type AudioNegotiationState, canSend } from '../sdp/audio-negotiation.js';
import type { ServerTransaction } from '../transaction/server-transaction.js';
import type { SipTrunk } from '../trunk/sip-trunk.js';
import type { CallMedia } from './call-media.js';
import {
  ALLOWED_METHODS,
  type CallContext,
  type CallSession,
  type DialogOwner,
  type MediaCallbacks,
  type ResponseParts,
  SUPPORTED_EXTENSIONS,
} from './call-session.js';
import { CallTransfer, type ReferOutcome } from './call-transfer.js';
import { isSupported } from './inbound-screen.js';
import { KeyPairing, type KeyPath } from './key-pairing.js';
import { keyOfInfo, type ReferProgress } from './refer.js';
import type { RequestOptions } from './request-sender.js';
import { SessionModification } from './session-modification.js';
import { SessionTimer, type SessionTimerState } from './session-timer.js';
import type { SipCallEnd } from './sip-call-end.js';
import type { SipCallEvents } from './sip-call-events.js';

export type SipCallState = 'setup' | 'up' | 'ended';

/** An established call as plain data: another process continues it with a re-INVITE from its own addresses. */
export interface SipCallSnapshot {
  readonly trunkId: string;
  readonly isCaller: boolean;
  readonly contactUser: string;
  /** The call went elsewhere than to the operator, whose password is not for that peer. */
  readonly isElsewhere: boolean;
  readonly dialog: DialogState;
  readonly audio: AudioNegotiationState;
  readonly timer: SessionTimerState | null;
}

/** One call with one dialog and one stream of audio, from whichever side it began. */
export abstract class SipCall extends EventEmitter<SipCallEvents> implements CallSession, DialogOwner {
  abstract readonly isCaller: boolean;
  state: SipCallState = 'setup';
  media: CallMedia | null = null;
  readonly timer: SessionTimer;
  /** Settles once the far end has confirmed our BYE; null until we hang up. */
  farewell: Promise<void> | null = null;
  protected dialog: Dialog | null = null;
  /** Our Contact as the peer has it. */
  protected contact = '';
  protected readonly modification: SessionModification;
  private readonly transfer: CallTransfer;
  private readonly keyPairing = new KeyPairing();
  private held = false;

  constructor(
    readonly context: CallContext,
    readonly trunk: SipTrunk,
    protected readonly contactUser: string,
  ) {
    super();
    this.modification = new SessionModification(this);
    this.transfer = new CallTransfer(this);
    this.timer = new SessionTimer(
      context.clock,
      () => void this.modification.refresh(),
      () => this.terminate({ outcome: 'hung-up', by: 'network', status: null, reason: 'session expired' }),
      context.leastSessionSeconds,
    );
  }

  abstract get callId(): string;

  /** Ends the call in any state. `ended` is emitted when it is over. */
  abstract hangUp(): void;

  /** Ends it here without signalling to the peer: the user agent closes, or another process has the call. */
  abandon(): void {
    this.context.sender.abandon(this.callId);
    this.finish({ outcome: 'failed', by: 'local', status: null, reason: 'closed' });
  }

  /** Only the called side owes an answer. */
  get owesAnswer(): boolean {
    return false;
  }

  /** Whether the far end has put us on hold, and does not listen. */
  get isHeld(): boolean {
    return this.held;
  }

  /** The audio, once there is any: after `early` or `answered`. Null before. */
  openAudio(signal?: AbortSignal): CallAudio | null {
    return this.media?.openAudio(signal) ?? null;
  }

  /** 0-9, A-D, *, # and w for half a second: by RFC 4733, or as tones where the peer does not take events. */
  sendDigits(digits: string): void {
    this.media?.rtp.sendDigits(digits);
  }

  /** @returns whether the peer has agreed */
  hold(held: boolean): Promise<boolean> {
    return this.modification.change(held ? 'sendonly' : 'sendrecv');
  }

  /** Asks the far end to call `target` instead of us (a transfer without announcement). */
  refer(
    target: string,
    onProgress?: (progress: ReferProgress) => void,
    timeoutMs?: number,
    onAccepted?: () => void,
  ): Promise<ReferOutcome> {
    return this.transfer.refer(target, onProgress, timeoutMs, onAccepted);
  }

  /** Null before the answer and after the end. */
  snapshot(): SipCallSnapshot | null {
    if (this.state !== 'up' || !this.dialog || !this.media) return null;
    return {
      trunkId: this.trunk.id,
      isCaller: this.isCaller,
      contactUser: this.contactUser,
      isElsewhere: this.trunk.credentials === null,
      dialog: this.dialog.snapshot(),
      audio: this.media.negotiation.snapshot(),
      timer: this.timer.snapshot(),
    };
  }

  getDialog(): Dialog {
    if (!this.dialog) throw new Error('The call has no dialog yet.');
    return this.dialog;
  }

  requestOptions(): RequestOptions {
    const dialog = this.getDialog();
    return {
      hop: dialog.nextHop(),
      credentials: this.trunk.credentials,
      contactUser: this.contactUser,
      renumber: () => dialog.nextSequence(),
    };
  }

  createResponse(transaction: ServerTransaction, status: number, parts: ResponseParts = {}): SipResponse {
    const response = SipResponse.to(transaction.request, status, this.localTag);
    if (status > 100 && status < 300) response.headers.set('contact', this.contact);
    const { productName } = this.context;
    response.headers
      .set('allow', ALLOWED_METHODS)
      .set('supported', SUPPORTED_EXTENSIONS)
      .set('server', productName);
    for (const [name, value] of Object.entries(parts.headers ?? {})) response.headers.set(name, value);
    if (parts.sdp) response.setBody('application/sdp', parts.sdp);
    return response;
  }

  receive(transaction: ServerTransaction, dialog: Dialog): void {
    const { request } = transaction;
    if (!dialog.acceptSequence(request.cseq.number)) {
      this.answer(transaction, 500);
      return;
    }
    if (this.state === 'ended') {
      this.answer(transaction, 481);
      return;
    }
    const unsupported = request.headers.all('require').filter((name) => !isSupported(name));
    if (unsupported.length > 0) {
      this.answer(transaction, 420, { unsupported: unsupported.join(', ') });
      return;
    }
    this.dispatch(transaction);
  }

  receiveAck(ack: SipRequest): void {
    if (this.modification.receiveAck(ack, this.signallingAddress)) {
      this.onAcknowledged();
    }
  }

  onSessionChanged(): void {
    if (this.state !== 'up') return;
    this.emit('changed');
    this.updateHold();
  }

  terminate(end: SipCallEnd): void {
    if (this.state === 'ended') return;
    if (this.dialog) {
      const bye = this.dialog.createRequest('BYE');
      const options = { ...this.requestOptions(), contactUser: null };
      this.farewell = this.context.sender.ask(bye, options).then(() => {});
    }
    this.finish(end);
  }

  protected abstract get localTag(): string;

  /** Where the peer's messages come from; empty where that is not known. */
  protected get signallingAddress(): string {
    return this.media?.negotiation.negotiated?.remoteAddress ?? '';
  }

  /** The peer has confirmed our 2xx. */
  protected onAcknowledged(): void {}

  /** PRACK; only answering calls receive it. */
  protected receivePrack(transaction: ServerTransaction): void {
    this.answer(transaction, 481);
  }

  /** BYE before the answer ends an early dialog. */
  protected onByeDuringSetup(): void {}

  protected mediaCallbacks(): MediaCallbacks {
    return {
      onKey: (key) => this.receiveKey(key, 'rtp'),
      onSilence: () => this.onSilence(),
    };
  }

  protected becomeUp(): void {
    this.state = 'up';
    this.emit('changed');
    this.emit('answered');
    // A call may begin on hold (RFC 3725, flow I).
    this.updateHold();
  }

  protected finish(end: SipCallEnd): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.timer.stop();
    this.modification.close();
    this.transfer.close();
    this.media?.close();
    if (this.dialog) this.context.removeDialog(this.dialog);
    this.emit('ended', end);
  }

  protected answer(
    transaction: ServerTransaction,
    status: number,
    headers?: Record<string, string | number>,
  ): void {
    transaction.respond(this.createResponse(transaction, status, { headers }));
  }

  /**
   * Silence does not mean absence: a peer that holds us or has muted itself may send nothing. A refresh asks whether it is still
   * there; the call ends when the answer is 408 or 481, or when there is none.
   */
  private onSilence(): void {
    if (this.state === 'up') void this.modification.refresh();
  }

  private updateHold(): void {
    const held = this.peerHolds();
    if (held === this.held) return;
    this.held = held;
    this.emit('hold', held);
  }

  /** The peer does not listen although we want to be heard. A peer that listens and sends nothing has muted itself. */
  private peerHolds(): boolean {
    const { wanted, negotiated } = this.media?.negotiation.snapshot() ?? { negotiated: null };
    return Boolean(wanted && negotiated && canSend(wanted) && !canSend(negotiated.direction));
  }

  private dispatch(transaction: ServerTransaction): void {
    switch (transaction.request.method) {
      case 'BYE':
        this.answer(transaction, 200);
        if (this.state === 'setup') this.onByeDuringSetup();
        this.finish({
          outcome: this.state === 'up' ? 'hung-up' : 'cancelled',
          by: 'remote',
          status: null,
          reason: 'BYE',
        });
        return;
      case 'INVITE':
        if (this.state === 'setup') this.modification.refuseEarlyInvite(transaction);
        else this.modification.receiveInvite(transaction);
        return;
      case 'UPDATE':
        this.modification.receiveUpdate(transaction);
        return;
      case 'PRACK':
        this.receivePrack(transaction);
        return;
      case 'REFER':
        this.transfer.receiveRefer(transaction, (request) => this.emit('refer', request));
        return;
      case 'NOTIFY':
        this.transfer.receiveNotify(transaction);
        return;
      case 'INFO':
        this.receiveInfo(transaction);
        return;
      case 'OPTIONS':
        this.answer(transaction, 200);
        return;
      default:
        this.answer(transaction, 405);
    }
  }

  private receiveInfo(transaction: ServerTransaction): void {
    this.answer(transaction, 200);
    const key = keyOfInfo(transaction.request);
    if (key !== null) this.receiveKey(key, 'info');
  }

  private receiveKey(key: string, path: KeyPath): void {
    if (this.keyPairing.accept(key, path, this.context.clock.nowMs())) this.emit('key', key);
  }
}
