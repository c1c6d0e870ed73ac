import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { untilDatabaseAnswers } from '../../database/outages/lost-connection.js';
import { UnavailableError } from '../../common/errors/errors.js';
import { Logger } from '../../common/observability/logger.js';
import { Handles } from '../../queues/workers/handles.js';
import { MAX_ANSWER_BYTES } from './idempotency-key.entity.js';
import {
  type FoundKey,
  IdempotencyKeysRepository,
  type Lease,
  type NewKey,
} from './idempotency-keys.repository.js';
import {
  AnswerLostError,
  IdempotencyKeyReusedError,
  RequestStillRunningError,
} from './idempotency.errors.js';
import { StoredResponsesService } from './stored-responses.service.js';
import { sweepIdempotencyKeysJob } from './sweep-idempotency-keys.job.js';

const KEEP_MS = 86_400_000;
/** A request whose process died is known as such after this long. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
const MAX_TRIES = 5;
const SWEEP_BATCH = 1_000;

/** A request with a key: a key means one request of one scope, method and path. */
export interface KeyedRequest {
  /** `account:12` or `conversation:<uuid>`. */
  readonly scope: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** SHA-256 of what a repetition must have in common. */
  readonly requestHash: Buffer;
}

export interface Answer {
  readonly status: number;
  /** JSON as it was sent. */
  readonly body: string;
}

/** Either the request may run, under a lease, or it has run and this was its answer. */
export type Beginning = { readonly lease: Lease } | { readonly answer: Answer };

/** Remembers for a day what requests with an Idempotency-Key answered. */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly keys: IdempotencyKeysRepository,
    private readonly answers: StoredResponsesService,
    private readonly logger: Logger,
  ) {}

  /**
   * @throws IdempotencyKeyReusedError | RequestStillRunningError | AnswerLostError
   */
  async begin(request: KeyedRequest): Promise<Beginning> {
    const { scope, method, path, key, requestHash } = request;
    const keyHash = createHash('sha256')
      .update(JSON.stringify([scope, method, path, key]))
      .digest();
    const lease = { keyHash, token: randomUUID() };
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (await this.add({ ...lease, scope, requestHash })) return { lease };
      const found = await this.keys.find(keyHash);
      if (found?.isExpired) await this.keys.deleteExpired(keyHash);
      else if (found) {
        const beginning = await this.repeat(found, request, lease);
        if (beginning) return beginning;
      }
      // Otherwise the first request was released since, or has answered while we tried to take it over: look again.
    }
    throw new UnavailableError();
  }

  /** Keeps a lease alive until the returned function is called. */
  keepAlive(lease: Lease): () => void {
    const timer = setInterval(() => {
      this.keys
        .renew(lease, LEASE_MS)
        .catch((error: unknown) => this.logger.warn('idempotency lease not renewed', { err: error }));
    }, RENEW_MS);
    return () => clearInterval(timer);
  }

  /** Stores the answer for repetitions. Retries in the background when the database is away. */
  async complete(lease: Lease, { status, body }: Answer): Promise<void> {
    const isKept = Buffer.byteLength(body) <= MAX_ANSWER_BYTES;
    const kept = isKept ? this.answers.seal(lease.keyHash, body) : null;
    await this.settle(() => this.keys.complete(lease, status, kept));
  }

  /**
   * Lets a repetition run as if this request had not: it changed nothing. Retries in the background when the database
   * is away.
   */
  async release(lease: Lease): Promise<void> {
    await this.settle(() => this.keys.release(lease));
  }

  /** Deletes what is older than a day. Returns how many keys. */
  @Handles(sweepIdempotencyKeysJob)
  async sweep(): Promise<number> {
    let total = 0;
    for (let deleted = SWEEP_BATCH; deleted === SWEEP_BATCH; total += deleted) {
      deleted = await this.keys.sweep(SWEEP_BATCH);
    }
    return total;
  }

  private async add(key: NewKey): Promise<boolean> {
    try {
      return await this.keys.add(key, LEASE_MS, KEEP_MS);
    } catch (error) {
      // The key may be there all the same, without a run.
      this.retryInBackground(() => this.keys.release(key));
      throw error;
    }
  }

  private async settle(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.retryInBackground(write);
      throw error;
    }
  }

  /**
   * Writes as soon as the database is back, so that a repetition need not wait for the end of the lease. Harmless when
   * that has ended in the meantime: each write names the lease.
   */
  private retryInBackground(write: () => Promise<void>): void {
    void untilDatabaseAnswers(write, (error) =>
      this.logger.warn('idempotency key not settled yet', { err: error }),
    );
  }

  /** Null when the key has changed hands since it was found. */
  private async repeat(
    found: FoundKey,
    { requestHash }: KeyedRequest,
    lease: Lease,
  ): Promise<Beginning | null> {
    if (!found.requestHash.equals(requestHash)) throw new IdempotencyKeyReusedError();
    if (found.responseStatus !== null) {
      const body = this.answers.open(found);
      if (body === null) throw new AnswerLostError();
      return { answer: { status: found.responseStatus, body } };
    }
    if (!found.isLeaseOver) throw new RequestStillRunningError();
    return (await this.keys.takeOver(lease, found.leaseToken, LEASE_MS)) ? { lease } : null;
  }
}
