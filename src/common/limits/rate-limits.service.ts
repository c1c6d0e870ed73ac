import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { DatabaseConfig, LimitsConfig } from '../../config/config.js';
import { TooManyRequestsError } from '../errors/errors.js';
import { Logger } from '../observability/logger.js';
import { type LimitName, limitPoliciesOf } from './limit-policy.js';
import { LimitRedis } from './limit-redis.js';
import { RateLimit } from './rate-limit.js';
import { addRateLimitHeaders, addRefusalHeaders } from './rate-limit-headers.js';
import { addressOf, isLimited } from './subjects.js';

/** Every limit of the API. With RATE_LIMITS=off nothing is counted and no header is sent. */
@Injectable()
export class RateLimitsService implements OnApplicationShutdown {
  private readonly redis: LimitRedis | null;
  private readonly limits: ReadonlyMap<LimitName, RateLimit>;

  constructor(config: LimitsConfig, { redisUrl }: DatabaseConfig, logger: Logger) {
    this.redis = config.enabled && redisUrl ? new LimitRedis(redisUrl, logger) : null;
    const policies = config.enabled ? limitPoliciesOf(config) : [];
    this.limits = new Map(policies.map((policy) => [policy.name, new RateLimit(policy, this.redis)]));
  }

  get areOn(): boolean {
    return this.limits.size > 0;
  }

  /**
   * Counts one request of a subject and says in the answer's headers what is left; an upgrade has no such answer.
   *
   * @throws TooManyRequestsError when the quota is spent
   */
  async take(name: LimitName, subject: string, response?: Response): Promise<void> {
    const use = await this.limits.get(name)?.take(subject);
    if (!use) return;
    if (response) addRateLimitHeaders(response, use);
    if (response && use.isExceeded) addRefusalHeaders(response, use);
    if (use.isExceeded) throw new TooManyRequestsError(use.resetSeconds);
  }

  /** Limits each address, before a body is read or the database is asked. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    if (this.areOn && isLimited(request))
      this.take('address', addressOf(request), response).then(() => next(), next);
    else next();
  };

  onApplicationShutdown(): void {
    this.redis?.close();
  }
}
