import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { catchError, finalize, type Observable } from 'rxjs';
import type { Principal } from '../../common/auth/principal.js';
import { DomainError, type ErrorKind } from '../../common/errors/domain-error.js';
import { wantsEvents } from '../../common/http/event-stream.js';
import { Logger } from '../../common/observability/logger.js';
import { bodyHashOf } from './body-hash.js';
import type { Lease } from './idempotency-keys.repository.js';
import { EventsNotRepeatableError, IdempotencyKeyInvalidError } from './idempotency.errors.js';
import { IdempotencyService, type KeyedRequest } from './idempotency.service.js';
import { IdempotentEffectService } from './idempotent-effect.service.js';
import { ReplayedAnswer } from './replayed-answer.js';

const KEY = /^[\x20-\x7e]{1,255}$/;

/** Refusals of work that was begun. What is refused before that, or fails on our side, may be tried again. */
const OUTCOMES: readonly ErrorKind[] = ['refused', 'payment-required', 'conflict', 'limit'];

/** Runs a request with an Idempotency-Key once, and gives its answer to repetitions. See `Idempotent`. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly effect: IdempotentEffectService,
    private readonly logger: Logger,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: Principal }>();
    const keyed = await keyedRequestOf(request);
    if (!keyed) return next.handle();
    const beginning = await this.idempotency.begin(keyed);
    if ('answer' in beginning) throw new ReplayedAnswer(beginning.answer);
    return this.run(beginning.lease, http.getResponse<Response>(), next);
  }

  private run(lease: Lease, response: Response, next: CallHandler): Observable<unknown> {
    let failure: unknown = null;
    holdBack(response, (body) => this.settle(lease, failure, { status: response.statusCode, body }));
    const stopRenewing = this.idempotency.keepAlive(lease);
    return this.effect
      .within(lease, () => next.handle())
      .pipe(
        catchError((error: unknown) => {
          failure = error;
          throw error;
        }),
        finalize(stopRenewing),
      );
  }

  /** Never fails: the work is done, and the caller receives its result in any case. */
  private async settle(
    lease: Lease,
    failure: unknown,
    answer: { status: number; body: string },
  ): Promise<void> {
    try {
      if (failure === null || isOutcome(failure)) await this.idempotency.complete(lease, answer);
      else await this.idempotency.release(lease);
    } catch (error) {
      this.logger.error('answer not kept for its idempotency key', { err: error });
    }
  }
}

/** @throws IdempotencyKeyInvalidError | EventsNotRepeatableError */
async function keyedRequestOf(request: Request & { user?: Principal }): Promise<KeyedRequest | null> {
  const key = request.headers['idempotency-key'];
  const scope = scopeOf(request);
  if (typeof key !== 'string' || !scope) return null;
  if (!KEY.test(key)) throw new IdempotencyKeyInvalidError();
  if (wantsEvents(request)) throw new EventsNotRepeatableError();
  const { method, originalUrl } = request;
  const [path = ''] = originalUrl.split('?', 1);
  const requestHash = createHash('sha256')
    .update(await bodyHashOf(request))
    .update(originalUrl.slice(path.length))
    .digest();
  // Routes match in any case, with and without a slash at the end.
  return { scope, method, path: path.toLowerCase().replace(/\/$/, ''), key, requestHash };
}

function scopeOf({ user, params }: Request & { user?: Principal }): string | null {
  if (user) return `account:${user.userId}`;
  return typeof params.uuid === 'string' ? `conversation:${params.uuid.toLowerCase()}` : null;
}

function isOutcome(failure: unknown): boolean {
  return failure instanceof DomainError && OUTCOMES.includes(failure.kind);
}

/**
 * Passes the JSON of the answer to `settle` before the caller gets it, from the handler and from the error filter. A
 * caller that has the answer can rely on getting it again.
 */
function holdBack(response: Response, settle: (body: string) => Promise<void>): void {
  const send = response.send.bind(response);
  response.json = (value: unknown) => {
    const body = JSON.stringify(value);
    void settle(body).then(() => {
      if (response.headersSent) return;
      response.type('application/json');
      send(body);
    });
    return response;
  };
}
