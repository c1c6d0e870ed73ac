import { EventEmitter } from 'node:events';
import type { CancelTimer, Clock } from '../clock.js';
import type { RequestSender, SentRequest } from '../call/request-sender.js';
import { parseSeconds } from '../message/header-values.js';
import { retryAfterSeconds } from '../message/retry-after.js';
import { SipRequest, type SipResponse } from '../message/sip-message.js';
import { formatSipUri } from '../message/sip-uri.js';
import { newTag } from '../transaction/transaction-layer.js';
import { grantedSeconds } from './granted-seconds.js';
import { serverAddressesOf } from './registrar-addresses.js';
import type { SipTrunk } from './sip-trunk.js';
import { firstHopOf, writeRoute } from './trunk-route.js';

export type RegistrationState = 'unregistered' | 'registering' | 'registered' | 'failed';

export interface RegistrationStatus {
  readonly state: RegistrationState;
  /** Of the last refusal: `403 Forbidden`, or why nothing came. Null while all is well. */
  readonly reason: string | null;
}

const FIRST_RETRY_MS = 10_000;
const LAST_RETRY_MS = 300_000;
/** A Retry-After is obeyed within these limits; 0 is none, as it would send one request after another. */
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Waits are spread, as a registrar that was away is asked by all its clients; a Retry-After only becomes longer. */
const RETRY_SPREAD = 0.5;
const RETRY_AFTER_SPREAD = 0.1;
/** Registrars ask for longer intervals; a day is not waited for. */
const LONGEST_SECONDS = 86_400;

/** Keeps a trunk registered at its operator (RFC 3261 §10): refreshes in time, tries again after failures, and signs off. */
export class Registration extends EventEmitter<{ status: [RegistrationStatus] }> {
  private readonly callId = newTag();
  private sequence = 0;
  private current: RegistrationStatus = { state: 'unregistered', reason: null };
  private contact = '';
  private expiresSeconds: number;
  /** When the registrar forgets what it granted last, by the clock: a refresh that fails changes nothing there. */
  private boundUntilMs = 0;
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
    const isBound = this.current.state === 'registered' || this.clock.nowMs() < this.boundUntilMs;
    this.boundUntilMs = 0;
    this.become('unregistered', null);
    if (!isBound) return this.ready;
    await new Promise<void>((resolve) => {
      const done = () => resolve();
      this.send(0, { onFinal: done, onFailure: done });
    });
  }

  /** Stops without signing off; the binding expires unless another process renews it. */
  abandon(): void {
    this.stopped = true;
    this.cancel();
    this.boundUntilMs = 0;
    this.sender.abandon(this.callId);
    this.become('unregistered', null);
  }

  /** What a registrar keeps of it (RFC 3261 §10): the address of record, and our Contact as far as it is ours to choose. */
  private get binding(): string {
    const { target, outboundProxy, domain } = this.trunk;
    return JSON.stringify([target, outboundProxy, domain, this.user, this.contactUser]);
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
    const { domain, credentials } = this.trunk;
    const address = formatSipUri({ user: this.user, host: domain });
    const request = new SipRequest('REGISTER', formatSipUri({ host: domain }));
    request.headers
      .set('max-forwards', 70)
      .set('from', `<${address}>;tag=${newTag()}`)
      .set('to', `<${address}>`)
      .set('call-id', this.callId)
      .set('cseq', `${++this.sequence} REGISTER`)
      .set('expires', expires);
    writeRoute(request, this.trunk);
    const renumber = () => ++this.sequence;
    this.sender.send(
      request,
      { hop: firstHopOf(this.trunk), credentials, contactUser: this.contactUser, renumber },
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
      this.fail(`${response.status} ${response.reason}`, retryAfterSeconds(response) ?? 0);
      return;
    }
    this.tries = 0;
    this.retryMs = FIRST_RETRY_MS;
    void this.trustServers(attempt);
    this.become('registered', null);
    const granted = grantedSeconds(response, contactOf(attempt)) ?? this.expiresSeconds;
    const grantedMs = Math.min(granted, LONGEST_SECONDS) * 1_000;
    this.boundUntilMs = this.clock.nowMs() + grantedMs;
    void this.planRefresh(grantedMs, attempt);
  }

  /** Calls may come from the server that has answered, and from all addresses of an outbound proxy and of the registrar behind it. */
  private async trustServers({ endpoint }: SentRequest): Promise<void> {
    this.onRegistrar([endpoint.address]);
    if (!this.trunk.outboundProxy) return;
    const addresses = await serverAddressesOf(this.trunk, this.sender.resolver);
    if (!this.stopped) this.onRegistrar([endpoint.address, ...addresses]);
  }

  /**
   * At once where the answer has shown another address of ours: the registrar has a Contact that cannot be reached.
   */
  private async planRefresh(grantedMs: number, attempt: SentRequest): Promise<void> {
    const sent = contactOf(attempt);
    const now = await this.sender.contact(this.contactUser, attempt.endpoint).catch(() => sent);
    if (this.stopped) return;
    const hasMoved = now !== sent && this.contact !== now;
    this.contact = now;
    const waitMs = hasMoved ? 0 : refreshDelayMs(grantedMs);
    this.cancel();
    this.cancel = this.clock.after(waitMs, () => this.register());
  }

  /** Waits as long as the registrar asks, else longer after each failure (RFC 5626 §4.5), as operators block those who hammer. */
  private fail(reason: string, retryAfter = 0): void {
    if (this.stopped) return;
    this.become('failed', reason);
    const waitMs =
      retryAfter > 0
        ? Math.min(retryAfter * 1_000, MAX_RETRY_AFTER_MS) * (1 + Math.random() * RETRY_AFTER_SPREAD)
        : this.retryMs * (1 - RETRY_SPREAD / 2 + Math.random() * RETRY_SPREAD);
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

/** Ours, as the registrar was sent it. */
function contactOf({ request }: SentRequest): string {
  return request.headers.get('contact') ?? '';
}

/** When a fifth of the time is left, and at least five seconds of a time that is long enough, for requests that are lost. */
function refreshDelayMs(grantedMs: number): number {
  const marginMs = Math.max(grantedMs / 5, 5_000);
  return Math.max(grantedMs - marginMs, grantedMs / 2);
}

const FAILURES = {
  timeout: 'no answer',
  transport: 'cannot be reached',
  unresolved: 'no such host',
  overload: 'too much is under way here',
  cancelled: 'given up',
} as const;
