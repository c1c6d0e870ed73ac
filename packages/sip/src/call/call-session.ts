import type { Clock } from '../clock.js';
import type { Dialog } from '../dialog/dialog.js';
import type { SipRequest, SipResponse } from '../message/sip-message.js';
import type { RtpSessionOptions } from '../media/rtp-session.js';
import type { AudioNegotiationState } from '../sdp/audio-negotiation.js';
import type { ServerTransaction } from '../transaction/server-transaction.js';
import type { SipTimers } from '../transaction/sip-timers.js';
import type { SipTrunk } from '../trunk/sip-trunk.js';
import type { CallMedia } from './call-media.js';
import type { RequestOptions, RequestSender } from './request-sender.js';
import type { SessionTimer } from './session-timer.js';
import type { SipCallEnd } from './sip-call-end.js';

/** What we take in `Require`, and say in `Supported`. */
export const SUPPORTED_EXTENSIONS = ['100rel', 'timer'] as const;

export const ALLOWED_METHODS = [
  'INVITE',
  'ACK',
  'CANCEL',
  'BYE',
  'OPTIONS',
  'PRACK',
  'UPDATE',
  'REFER',
  'NOTIFY',
  'INFO',
] as const;

/** What calls need of their user agent. */
export interface CallContext {
  readonly clock: Clock;
  readonly timers: SipTimers;
  readonly sender: RequestSender;
  readonly productName: string;
  /** The lowest session interval we take, in seconds. */
  readonly leastSessionSeconds: number;
  /** @throws NoRtpPortError */
  openMedia(address: string, trunk: SipTrunk, options: MediaCallbacks): Promise<CallMedia>;
  addDialog(dialog: Dialog, owner: DialogOwner): void;
  removeDialog(dialog: Dialog): void;
}

export interface MediaCallbacks extends Pick<RtpSessionOptions, 'onKey' | 'onSilence'> {
  readonly state?: AudioNegotiationState;
}

/** Handles the requests of a dialog. */
export interface DialogOwner {
  receive(transaction: ServerTransaction, dialog: Dialog): void;
  receiveAck(ack: SipRequest): void;
}

export interface ResponseParts {
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly sdp?: string;
}

/** What the parts of a call (session changes, transfers) need of the call. */
export interface CallSession {
  readonly context: CallContext;
  readonly trunk: SipTrunk;
  /** Whether we sent the first INVITE, and so own the Call-ID (RFC 3261 §14.1). */
  readonly isCaller: boolean;
  readonly timer: SessionTimer;
  readonly media: CallMedia | null;
  /** Whether the offer in the peer's INVITE has no answer yet, so that the peer may not send another one. */
  readonly owesAnswer: boolean;
  getDialog(): Dialog;
  requestOptions(): RequestOptions;
  /** A response with the dialog's tag, our Contact and what we support. */
  createResponse(transaction: ServerTransaction, status: number, parts?: ResponseParts): SipResponse;
  /** The direction of the audio, or where the peer is reached, may have changed. */
  onSessionChanged(): void;
  /** Ends an answered call with BYE. */
  terminate(end: SipCallEnd): void;
}
