import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { thrownMessage } from '../../../common/errors/thrown-message.js';

/** How long a provider that failed is asked last in other calls too. */
const REST_MS = 30_000;
/** Providers and models that may rest at the same time, those with keys of accounts each for itself. */
const MOST_RESTING = 10_000;

/** HTTP statuses that refuse one assistant's request, while the provider still serves others. */
const REFUSED_REQUEST = new Set([400, 404, 422]);

/** A voice that is not there, say: that is one assistant's matter, and nothing for the calls of all others. */
function isOfOneRequest(failure: unknown): boolean {
  if (REFUSED_REQUEST.has(statusOf(failure) ?? 0)) return true;
  return failure instanceof Error && failure.cause !== undefined && isOfOneRequest(failure.cause);
}

/** Of HTTP, by which the provider has answered; null where it is not known. */
function statusOf(failure: unknown): number | null {
  // Of the library's errors, which is not loaded for this: processes without calls read this file too.
  const reported = failure instanceof Error && 'statusCode' in failure ? Number(failure.statusCode) : 0;
  if (reported >= 400) return reported;
  // As `ws` says it, which the plugins pass on.
  const status = /Unexpected server response: (\d{3})/.exec(thrownMessage(failure))?.[1];
  return status === undefined ? null : Number(status);
}

/** A recognizer or a synthesizer, as far as it matters here. */
interface ProviderObject {
  on(event: 'error', listener: () => void): unknown;
  close(): Promise<void>;
}

/** One provider that could do the work; `open` loads it and is called at most once. */
export interface Candidate<T> {
  readonly provider: string;
  /** Left out where it is asked with the installation's key. */
  readonly own?: OwnKey;
  readonly open: () => Promise<T>;
}

/** The key of an account by which a provider is asked. */
export interface OwnKey {
  /** No two keys have the same. */
  readonly version: string;
  /** Something has failed with it. Never fails, and returns at once. */
  failed(): void;
}

/** What rests when a provider has failed: with an account's key that key alone. */
export function restingName({ provider, own }: Pick<Candidate<unknown>, 'provider' | 'own'>): string {
  return own ? `${provider}@${own.version}` : provider;
}

/**
 * As words for the log. Those of a server that an account has chosen may repeat its key: of them the status and the kind
 * of error are kept.
 */
export function tellableReason(failure: unknown, own: OwnKey | undefined): string {
  if (!own) return thrownMessage(failure);
  const status = statusOf(failure);
  const kind = failure instanceof Error ? failure.name : typeof failure;
  return status === null ? kind : `${kind}, status ${status}`;
}

/** Which providers, or single models of them, failed a moment ago, for all calls of this process. */
export class ProviderHealth {
  private readonly restingUntilMs = new LRUCache<string, number>({ max: MOST_RESTING });

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  isResting(provider: string): boolean {
    return (this.restingUntilMs.get(provider) ?? 0) > this.nowMs();
  }

  /** @returns whether it rests now: not where it refused only what one assistant had asked for */
  failed(provider: string, failure: unknown): boolean {
    if (isOfOneRequest(failure)) return false;
    this.restingUntilMs.set(provider, this.nowMs() + REST_MS);
    return true;
  }
}

/**
 * The providers of one call, in the order in which they are asked. One that fails is not asked again in this call, so that
 * the voice changes at most once a failure and never back. The last one is always asked again: no other one follows.
 */
export class Candidates<T extends ProviderObject> {
  private static readonly logger = new Logger('Speech');
  private readonly order: readonly Candidate<T>[];
  private readonly opened = new Map<string, Promise<T>>();
  private readonly there: T[] = [];
  private position = 0;
  private isClosed = false;

  constructor(
    private readonly skill: 'recognizer' | 'synthesizer',
    all: readonly Candidate<T>[],
    private readonly health: ProviderHealth,
  ) {
    const resting = all.filter((candidate) => health.isResting(restingName(candidate)));
    this.order = [...all.filter((candidate) => !resting.includes(candidate)), ...resting];
  }

  get current(): Candidate<T> {
    const candidate = this.order[this.position];
    if (!candidate) throw new Error('There must be a candidate');
    return candidate;
  }

  /** The provider after the current one; null when there is none. */
  get next(): Candidate<T> | null {
    return this.order[this.position + 1] ?? null;
  }

  /** Loads the first provider before it is needed, such as while the telephone rings. */
  prepare(): void {
    // Its failure is seen, and answered, when it is used.
    this.open(this.current).catch(() => {});
  }

  /** The provider's object, loaded at its first use. */
  open(candidate: Candidate<T>): Promise<T> {
    if (this.isClosed) return Promise.reject(new Error('The call is over'));
    const existing = this.opened.get(candidate.provider);
    if (existing) return existing;
    const opening = candidate.open().then((object) => {
      // An emitter without a listener throws; failures are seen where the work is done.
      object.on('error', () => {});
      if (this.isClosed) object.close().catch(() => {});
      else this.there.push(object);
      return object;
    });
    this.opened.set(candidate.provider, opening);
    // The next request loads it again.
    opening.catch(() => this.opened.delete(candidate.provider));
    return opening;
  }

  /**
   * Changes to the next provider, unless another caller has done so already.
   *
   * @param failure what it failed with
   * @returns whether there is another one than the one that failed
   */
  leave(candidate: Candidate<T>, failure: unknown): boolean {
    this.health.failed(restingName(candidate), failure);
    candidate.own?.failed();
    if (candidate !== this.current) return true;
    const next = this.next;
    Candidates.logger.warn({
      msg: next ? 'Speech provider failed, the next one takes over' : 'Speech provider failed',
      skill: this.skill,
      provider: candidate.provider,
      next: next?.provider,
      reason: tellableReason(failure, candidate.own),
    });
    if (next) this.position += 1;
    return next !== null;
  }

  /** What is still being loaded is closed when it is there: the end of a call does not wait for it. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.there.map((object) => object.close()));
  }
}
