import type { CancelTimer } from '../clock.js';
import { Dialog, dialogId, type NextHop } from '../dialog/dialog.js';
import { quote } from '../message/header-values.js';
import { SipRequest, type SipResponse } from '../message/sip-message.js';
import { formatSipUri } from '../message/sip-uri.js';
import { SdpError } from '../sdp/session-description.js';
import type { SipTargetName } from '../transport/sip-resolver.js';
import { newTag } from '../transaction/transaction-layer.js';
import type { SipTrunk } from '../trunk/sip-trunk.js';
import { firstHopOf, writeRoute } from '../trunk/trunk-route.js';
import { acknowledge } from './acknowledge.js';
import { ALLOWED_METHODS, type CallContext, SUPPORTED_EXTENSIONS } from './call-session.js';
import type { OutgoingRequest, SentRequest } from './request-sender.js';
import { SipCall } from './sip-call.js';
import { endOfStatus, type SipCallEnd } from './sip-call-end.js';

export interface OutgoingCallOptions {
  /** The user part of whom to call, a number as a rule; or a whole SIP URI. */
  readonly to: string;
  /** Where a SIP URI leads that is none of the trunk's: called there, without the trunk's password. */
  readonly elsewhere?: SipTargetName;
  /** The user part shown as caller. */
  readonly from: string;
  readonly displayName?: string;
  /** Without an answer for so long the call is cancelled. */
  readonly ringingTimeoutMs: number;
  /** Unique in the world; one is made up where it is left out. */
  readonly callId?: string;
  /** Further header fields of the INVITE, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Of one INVITE; proxies that fork further are not followed. */
const MOST_FORKS = 16;
const CANCELLED: SipCallEnd = { outcome: 'cancelled', by: 'local', status: null, reason: 'cancelled' };
/** Not Acceptable Here, Unsupported Media Type and Not Acceptable: of the description, and so maybe of its encryption. */
const DESCRIPTION_REFUSALS: readonly number[] = [415, 488, 606];
const NO_ANSWER: SipCallEnd = { outcome: 'no-answer', by: 'local', status: null, reason: 'no answer' };

/** A call we place (RFC 3261 §13.2), with early media, PRACK and CANCEL. */
export class OutgoingCall extends SipCall {
  readonly isCaller = true;
  protected readonly localTag = newTag();
  private invite: OutgoingRequest | null = null;
  private readonly forks = new Map<string, { readonly dialog: Dialog; lastRseq: number }>();
  /** Set once the call shall end without an answer. */
  private pendingEnd: SipCallEnd | null = null;
  private cancelRinging: CancelTimer = () => {};
  /** The offer asks for encryption, and the trunk may do without. */
  private prefersEncrypted = false;

  constructor(
    context: CallContext,
    trunk: SipTrunk,
    contactUser: string,
    readonly callId = newTag(),
  ) {
    super(context, trunk, contactUser);
  }

  /** Sends the INVITE. Events report the progress; a call that cannot be placed ends as `failed`. */
  async start(options: OutgoingCallOptions): Promise<void> {
    const hop = firstHopOf(this.trunk);
    const [endpoint] = await this.context.sender.endpointsOf(hop);
    if (!endpoint) {
      this.fail('the trunk has no address to send to');
      return;
    }
    if (this.pendingEnd) {
      this.finish(this.pendingEnd);
      return;
    }
    try {
      const { host } = await this.context.sender.transport.advertised(endpoint);
      this.media = await this.context.openMedia(host, this.trunk, this.mediaCallbacks());
    } catch {
      this.fail('no audio can be opened here');
      return;
    }
    if (this.pendingEnd) {
      this.finish(this.pendingEnd);
      return;
    }
    this.prefersEncrypted = this.trunk.srtp === 'optional' && endpoint.protocol === 'tls';
    this.send(this.createInvite(options), hop);
    this.cancelRinging = this.context.clock.after(options.ringingTimeoutMs, () => this.cancel(NO_ANSWER));
  }

  hangUp(): void {
    if (this.state === 'up')
      this.terminate({ outcome: 'hung-up', by: 'local', status: null, reason: 'hung up' });
    else this.cancel(CANCELLED);
  }

  protected override finish(end: SipCallEnd): void {
    this.cancelRinging();
    this.invite?.cancel();
    this.dropForks(null);
    super.finish(end);
  }

  private createInvite(options: OutgoingCallOptions): SipRequest {
    const { domain, target } = this.trunk;
    const isUri = /^sips?:/i.test(options.to);
    const port = target.port;
    const uri = isUri
      ? options.to
      : formatSipUri({ user: options.to, host: domain, port: domain === target.host ? port : null });
    const name = options.displayName ? `${quote(options.displayName)} ` : '';
    const request = new SipRequest('INVITE', uri);
    request.headers
      .set('max-forwards', 70)
      .set('from', `${name}<${formatSipUri({ user: options.from, host: domain })}>;tag=${this.localTag}`)
      .set('to', `<${uri}>`)
      .set('call-id', this.callId)
      .set('cseq', '1 INVITE')
      .set('allow', ALLOWED_METHODS)
      .set('supported', SUPPORTED_EXTENSIONS)
      .set('user-agent', this.context.productName);
    for (const [header, value] of Object.entries(options.headers ?? {})) {
      request.headers.set(header.toLowerCase(), value.replace(/[\r\n]/g, ' '));
    }
    this.timer.writeRequest(request.headers);
    writeRoute(request, this.trunk);
    return this.describe(request);
  }

  private describe(request: SipRequest): SipRequest {
    const sdp = this.media?.negotiation.offer(undefined, this.prefersEncrypted) ?? '';
    return request.setBody('application/sdp', sdp);
  }

  private send(request: SipRequest, hop: NextHop): void {
    const options = { hop, credentials: this.trunk.credentials, contactUser: this.contactUser };
    this.invite = this.context.sender.send(request, options, {
      onProvisional: (response, attempt) => this.onProvisional(response, attempt),
      onFinal: (response, attempt) => this.onFinal(response, attempt, request, hop),
      onFurtherSuccess: (response, attempt) => this.onSuccess(response, attempt),
      onFailure: (failure) =>
        this.finish(
          this.pendingEnd ?? { outcome: 'failed', by: 'network', status: null, reason: FAILURES[failure] },
        ),
    });
  }

  private onProvisional(response: SipResponse, attempt: SentRequest): void {
    this.contact = attempt.request.headers.get('contact') ?? '';
    if (response.status === 100 || this.state !== 'setup') return;
    const fork = this.forkOf(response, attempt);
    if (fork && !this.confirmProvisional(fork, response)) return;
    if (response.sdp !== '' && this.acceptDescription(response, attempt)) this.emit('early');
    this.emit('ringing', response.status);
  }

  /** The early dialog of a response; a 180 without a tag makes none. */
  private forkOf(response: SipResponse, attempt: SentRequest) {
    const tag = response.toTag;
    if (tag === null) return null;
    const known = this.forks.get(tag);
    if (known || this.forks.size >= MOST_FORKS) return known ?? null;
    const dialog = Dialog.ofResponse(attempt.request, response, attempt.endpoint);
    if (!dialog) return null;
    const fork = { dialog, lastRseq: 0 };
    this.forks.set(tag, fork);
    this.dialog = dialog;
    this.context.addDialog(dialog, this);
    this.modification.noteAllowed(response);
    return fork;
  }

  /** @returns false for a repeated or misplaced reliable response (RFC 3262 §4) */
  private confirmProvisional(
    fork: { readonly dialog: Dialog; lastRseq: number },
    response: SipResponse,
  ): boolean {
    const rseq = Number(response.headers.get('rseq'));
    if (!response.headers.lists('require', '100rel') || !Number.isInteger(rseq) || rseq <= 0) return true;
    if (fork.lastRseq !== 0 && rseq !== fork.lastRseq + 1) return false;
    fork.lastRseq = rseq;
    const prack = fork.dialog.createRequest('PRACK');
    prack.headers.set('rack', `${rseq} ${response.cseq.number} INVITE`);
    const options = {
      hop: fork.dialog.nextHop(),
      credentials: this.trunk.credentials,
      contactUser: null,
      renumber: () => fork.dialog.nextSequence(),
    };
    void this.context.sender.ask(prack, options);
    return true;
  }

  private acceptDescription(response: SipResponse, attempt: SentRequest): boolean {
    try {
      this.media?.acceptAnswer(response.sdp, attempt.endpoint.address);
      return true;
    } catch (error) {
      if (!(error instanceof SdpError)) throw error;
      return false;
    }
  }

  private onFinal(response: SipResponse, attempt: SentRequest, request: SipRequest, hop: NextHop): void {
    if (response.status < 300) {
      this.onSuccess(response, attempt);
      return;
    }
    if (this.state === 'setup' && !this.pendingEnd && this.amend(request, response)) {
      request.headers.set('cseq', `${request.cseq.number + 1} INVITE`);
      request.headers.delete('authorization').delete('proxy-authorization');
      this.send(request, hop);
      return;
    }
    this.finish(this.pendingEnd ?? endOfStatus(response.status, response.reason));
  }

  /** @returns whether the refused INVITE is one now that the peer may take */
  private amend(request: SipRequest, response: SipResponse): boolean {
    if (response.status === 422 && this.timer.raise(response)) {
      this.timer.writeRequest(request.headers);
      return true;
    }
    if (!this.prefersEncrypted || !DESCRIPTION_REFUSALS.includes(response.status)) return false;
    this.prefersEncrypted = false;
    this.describe(request);
    return true;
  }

  /** A 2xx: the first makes the call, a repeated one wants its ACK again, one of another fork is ended. */
  private onSuccess(response: SipResponse, attempt: SentRequest): void {
    const dialog = this.dialogOfSuccess(response, attempt);
    if (!dialog) return;
    void acknowledge(this.context.sender, dialog, attempt);
    const isOurs = this.state === 'up' && this.dialog?.id === dialog.id;
    if (isOurs) return;
    if (this.state !== 'setup' || this.pendingEnd) {
      this.drop(dialog);
      if (this.pendingEnd) this.finish(this.pendingEnd);
      return;
    }
    this.dialog = dialog;
    this.contact = attempt.request.headers.get('contact') ?? '';
    this.dropForks(dialog);
    this.context.addDialog(dialog, this);
    this.begin(response, attempt);
  }

  private begin(response: SipResponse, attempt: SentRequest): void {
    this.cancelRinging();
    const agreed =
      response.sdp === ''
        ? Boolean(this.media?.negotiation.negotiated)
        : this.acceptDescription(response, attempt);
    if (!agreed) {
      this.terminate({
        outcome: 'failed',
        by: 'local',
        status: 488,
        reason: 'no usable audio in the answer',
      });
      return;
    }
    this.modification.noteAllowed(response);
    this.timer.accept(response);
    this.becomeUp();
  }

  /** An existing early dialog continues: it has counted our requests. */
  private dialogOfSuccess(response: SipResponse, attempt: SentRequest): Dialog | null {
    const tag = response.toTag ?? '';
    if (this.state === 'up' && this.dialog?.id === dialogId(this.callId, this.localTag, tag))
      return this.dialog;
    const confirmed = Dialog.ofResponse(attempt.request, response, attempt.endpoint);
    const early = this.forks.get(tag)?.dialog;
    // The route set of the 2xx replaces that of the early dialog (RFC 3261 §13.2.2.4).
    if (confirmed && early) confirmed.continueFrom(early);
    return confirmed;
  }

  private drop(dialog: Dialog): void {
    const bye = dialog.createRequest('BYE');
    const options = { hop: dialog.nextHop(), credentials: this.trunk.credentials, contactUser: null };
    void this.context.sender.ask(bye, options);
  }

  private dropForks(except: Dialog | null): void {
    for (const { dialog } of this.forks.values()) {
      if (dialog.id !== except?.id) this.context.removeDialog(dialog);
    }
    this.forks.clear();
  }

  private cancel(end: SipCallEnd): void {
    if (this.state !== 'setup' || this.pendingEnd) return;
    this.pendingEnd = end;
    this.cancelRinging();
    this.invite?.cancel();
  }

  private fail(reason: string): void {
    this.finish(this.pendingEnd ?? { outcome: 'failed', by: 'local', status: null, reason });
  }
}

const FAILURES = {
  timeout: 'no answer to the INVITE',
  transport: 'the INVITE could not be sent',
  unresolved: 'the trunk has no address to send to',
  overload: 'too much is under way here',
  cancelled: CANCELLED.reason,
} as const;
