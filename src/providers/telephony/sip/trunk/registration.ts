import { EventEmitter } from 'node:events';
import type { CancelTimer, Clock } from '../../../../common/time/clock.js';
import type { RequestSender, SentRequest } from '../call/request-sender.js';
import { parseNameAddress, parseSeconds } from '../message/header-values.js';
import { SipRequest, type SipResponse } from '../message/sip-message.js';
import { formatSipUri } from '../message/sip-uri.js';
import { newTag } from '../transaction/transaction-layer.js';
import type { SipTrunk } from './sip-trunk.js';

export type RegistrationState = 'unregistered' | 'registering' | 'registered' | 'failed';

export interface RegistrationStatus {
  readonly state: RegistrationState;
  /** Of the last refusal: `403 Forbidden`, or why nothing came. Null while all is well. */
  readonly reason: string | null;
}

const FIRST_RETRY_MS = 10_000;
const LAST_RETRY_MS = 300_000;
/** Renewed when a fifth of the time is left. */
const REFRESH_AT = 0.8;
/** Registrars ask for longer intervals; a day is not waited for. */
const LONGEST_SECONDS = 86_400;

/** Keeps a trunk registered at its operator (RFC 3261 §10): refreshes in time, tries again after failures, and signs off. */
export class Registration extends EventEmitter<{ status: [RegistrationStatus] }> {
  private readonly callId = newTag();
  private sequence = 0;
  private current: RegistrationStatus = { state: 'unregistered', reason: null };
  private contact = '';
  private expiresSeconds: number;
  private retryMs = FIRST_RETRY_MS;
  private cancel: CancelTimer = () => {};
  private stopped = false;
  /** Settles once a predecessor is signed off. */
  private ready: Promise<void> = Promise.resolve();
  private tries = 0;

  constructor(
    private readonly trunk: SipTrunk,
    private readonly user: string,
    private readonly contactUser: string,
    private readonly sender: RequestSender,
    private readonly clock: Clock,
    private readonly onRegistrar: (addresses: readonly string[]) => void,
  ) {
    super();
    this.expiresSeconds = trunk.registration?.expiresSeconds ?? 300;
  }

  get status(): RegistrationStatus {
    return this.current;
  }

  /**
   * Registers and stays so.
   *
   * @param predecessor of the same trunk, which ends. It does not sign off what is registered anew, and signs off everything else
   *   before: a registrar may take up two requests that are under way at once in either order.
   */
  start(predecessor?: Registration): void {
    this.stopped = false;
    if (predecessor && predecessor.binding !== this.binding) {
      this.ready = predecessor.stop();
      void this.ready.then(() => this.register());
      return;
    }
    predecessor?.abandon();
    this.register();
  }

  /** Signs off; calls no longer come here. Resolves when the registrar has answered, or gave up on us. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    const wasRegistered = this.current.state === 'registered';
    this.become('unregistered', null);
    if (!wasRegistered) return this.ready;
    await new Promise<void>((resolve) => {
      const done = () => resolve();
      this.send(0, { onFinal: done, onFailure: done });
    });
  }

  /** Stops without signing off; the binding runs out by itself where nobody else renews it. */
  abandon(): void {
    this.stopped = true;
    this.cancel();
    this.sender.abandon(this.callId);
    this.become('unregistered', null);
  }

  /** What a registrar keeps of it (RFC 3261 §10): the address of record, and our Contact as far as it is ours to choose. */
  private get binding(): string {
    const { target, domain } = this.trunk;
    return JSON.stringify([target, domain, this.user, this.contactUser]);
  }

  private register(): void {
    if (this.stopped) return;
    if (this.current.state !== 'registered') this.become('registering', this.current.reason);
    this.send(this.expiresSeconds, {
      onFinal: (response, attempt) => this.onResponse(response, attempt),
      onFailure: (failure) => this.fail(FAILURES[failure]),
    });
  }

  private send(expires: number, handler: Parameters<RequestSender['send']>[2]): void {
    const { target, domain, credentials } = this.trunk;
    const address = formatSipUri({ user: this.user, host: domain });
    const request = new SipRequest('REGISTER', formatSipUri({ host: domain }));
    request.headers
      .set('max-forwards', 70)
      .set('from', `<${address}>;tag=${newTag()}`)
      .set('to', `<${address}>`)
      .set('call-id', this.callId)
      .set('cseq', `${++this.sequence} REGISTER`)
      .set('expires', expires);
    const renumber = () => ++this.sequence;
    this.sender.send(
      request,
      { hop: { flow: null, target }, credentials, contactUser: this.contactUser, renumber },
      handler,
    );
  }

  private onResponse(response: SipResponse, attempt: SentRequest): void {
    if (this.stopped) return;
    if (response.status === 423) {
      const least = parseSeconds(response.headers.get('min-expires')) ?? 0;
      if (least > this.expiresSeconds && ++this.tries < 3) {
        this.expiresSeconds = Math.min(least, LONGEST_SECONDS);
        this.register();
        return;
      }
    }
    if (response.status >= 300) {
      this.fail(`${response.status} ${response.reason}`);
      return;
    }
    this.tries = 0;
    this.retryMs = FIRST_RETRY_MS;
    this.onRegistrar([attempt.endpoint.address]);
    this.become('registered', null);
    void this.planRefresh(response, attempt);
  }

  /** At once where the answer has taught us another address of our own: the registrar has a Contact nobody can reach. */
  private async planRefresh(response: SipResponse, attempt: SentRequest): Promise<void> {
    const sent = attempt.request.headers.get('contact') ?? '';
    const now = await this.sender.contact(this.contactUser, attempt.endpoint).catch(() => sent);
    if (this.stopped) return;
    const hasMoved = now !== sent && this.contact !== now;
    this.contact = now;
    const seconds = Math.min(this.grantedSeconds(response, sent), LONGEST_SECONDS);
    const waitMs = hasMoved ? 0 : Math.max(seconds * REFRESH_AT, 1) * 1_000;
    this.cancel();
    this.cancel = this.clock.after(waitMs, () => this.register());
  }

  /** What the registrar granted to our own Contact, among those of others (§10.2.4). */
  private grantedSeconds(response: SipResponse, sent: string): number {
    const uri = parseNameAddress(sent)?.uri;
    const own = response.headers
      .all('contact')
      .map(parseNameAddress)
      .find((contact) => contact?.uri === uri);
    const granted =
      parseSeconds(own?.parameters.get('expires')) ?? parseSeconds(response.headers.get('expires'));
    return granted !== null && granted > 0 ? granted : this.expiresSeconds;
  }

  /** Waits longer after each failure (RFC 5626 §4.5), as operators block those who hammer. */
  private fail(reason: string): void {
    if (this.stopped) return;
    this.become('failed', reason);
    const waitMs = this.retryMs * (0.75 + Math.random() / 2);
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
    this.cancel();
    this.cancel = this.clock.after(waitMs, () => this.register());
  }

  private become(state: RegistrationState, reason: string | null): void {
    if (this.current.state === state && this.current.reason === reason) return;
    this.current = { state, reason };
    this.emit('status', this.current);
  }
}

const FAILURES = {
  timeout: 'no answer',
  transport: 'cannot be reached',
  unresolved: 'no such host',
  overload: 'too much is under way here',
  cancelled: 'given up',
} as const;
