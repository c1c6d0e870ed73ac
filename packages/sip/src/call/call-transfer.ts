import type { CancelTimer } from '../clock.js';
import type { Dialog } from '../dialog/dialog.js';
import { reasonPhrase } from '../message/reason-phrases.js';
import type { SipRequest } from '../message/sip-message.js';
import type { ServerTransaction } from '../transaction/server-transaction.js';
import type { CallSession } from './call-session.js';
import {
  parseReferNotify,
  referIdOf,
  type ReferProgress,
  type ReferRequest,
  referTargetOf,
} from './refer.js';

/** `refused`: the peer does not transfer; `unknown`: it has accepted the request and did not report the outcome. */
export type ReferOutcome =
  | { readonly kind: 'refused'; readonly status: number | null }
  | { readonly kind: 'done'; readonly status: number }
  | { readonly kind: 'unknown' };

const DEFAULT_TIMEOUT_MS = 60_000;

/** REFER in both directions on one call (RFC 3515): one of ours at a time. */
export class CallTransfer {
  /** A transfer of ours got no outcome in time; the peer may still report it. */
  private hasGivenUp = false;
  private waiting: {
    /** CSeq of the REFER; that of a repetition after a challenge is higher. */
    readonly sequence: number;
    settle: (outcome: ReferOutcome) => void;
    onProgress: (progress: ReferProgress) => void;
  } | null = null;

  constructor(private readonly session: CallSession) {}

  /**
   * Asks the peer to call a third party instead of us.
   *
   * @param target a SIP or tel URI
   * @param onAccepted called when the peer has accepted the request, before the outcome is known
   */
  async refer(
    target: string,
    onProgress: (progress: ReferProgress) => void = () => {},
    timeoutMs = DEFAULT_TIMEOUT_MS,
    onAccepted: () => void = () => {},
  ): Promise<ReferOutcome> {
    if (this.waiting) return { kind: 'refused', status: null };
    const dialog = this.session.getDialog();
    const request = dialog.createRequest('REFER');
    request.headers.set('refer-to', `<${target}>`).set('referred-by', dialog.localUri);
    let cancel: CancelTimer = () => {};
    const outcome = new Promise<ReferOutcome>((resolve) => {
      this.waiting = { sequence: request.cseq.number, settle: resolve, onProgress };
      cancel = this.session.context.clock.after(timeoutMs, () => {
        this.hasGivenUp = true;
        resolve({ kind: 'unknown' });
      });
    });
    const response = await this.session.context.sender.ask(request, this.session.requestOptions());
    if (!response || response.status >= 300)
      this.settle({ kind: 'refused', status: response?.status ?? null });
    else onAccepted();
    return outcome.finally(() => {
      cancel();
      this.waiting = null;
    });
  }

  receiveNotify(transaction: ServerTransaction): void {
    const notify = parseReferNotify(transaction.request);
    if (!notify) {
      transaction.respond(this.session.createResponse(transaction, 489));
      return;
    }
    // A NOTIFY after the end is confirmed as well: the peer would only send it again.
    transaction.respond(this.session.createResponse(transaction, 200));
    const id = referIdOf(transaction.request);
    // Some peers count otherwise: the id matters only once there are two transfers to tell apart.
    if (this.hasGivenUp && id !== null && id < (this.waiting?.sequence ?? 0)) return;
    const { status, final } = notify;
    if (status !== null) this.waiting?.onProgress({ status, final });
    if (!final) return;
    // A subscription may end, as by a timeout of the peer's, before the far end has said yes or no.
    this.settle(status !== null && status >= 200 ? { kind: 'done', status } : { kind: 'unknown' });
  }

  /** @param offer passes the request on; false when no listener wants it */
  receiveRefer(transaction: ServerTransaction, offer: (request: ReferRequest) => boolean): void {
    const target = referTargetOf(transaction.request);
    if (target === null) {
      transaction.respond(this.session.createResponse(transaction, 400));
      return;
    }
    const request = this.requestOf(transaction, target);
    // Calls cost money: a request that was not accepted on purpose is declined.
    if (!offer(request)) request.reject(603);
  }

  /** The call is over: what the peer makes of it is not heard any more. */
  close(): void {
    this.settle({ kind: 'unknown' });
  }

  private settle(outcome: ReferOutcome): void {
    this.waiting?.settle(outcome);
  }

  private requestOf(transaction: ServerTransaction, target: string): ReferRequest {
    const dialog = this.session.getDialog();
    const id = transaction.request.cseq.number;
    let answered = false;
    const respond = (status: number) => {
      answered = true;
      transaction.respond(this.session.createResponse(transaction, status));
    };
    return {
      target,
      referredBy: transaction.request.headers.get('referred-by') ?? null,
      accept: () => {
        if (answered) return;
        respond(202);
        this.notify(dialog, id, 100);
      },
      reject: (status) => {
        if (!answered) respond(status);
      },
      notify: (status) => this.notify(dialog, id, status),
    };
  }

  private notify(dialog: Dialog, id: number, status: number): void {
    const request: SipRequest = dialog.createRequest('NOTIFY');
    request.headers
      .set('event', `refer;id=${id}`)
      .set('subscription-state', status < 200 ? 'active;expires=60' : 'terminated;reason=noresource');
    request.setBody('message/sipfrag;version=2.0', `SIP/2.0 ${status} ${reasonPhrase(status)}\r\n`);
    void this.session.context.sender.ask(request, this.session.requestOptions());
  }
}
