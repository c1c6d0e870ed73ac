import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { BoundedSubjects } from './bounded-subjects.js';
import type { LimitPolicy } from './limit-policy.js';

/** Where a subject stands after a request. */
export interface LimitUse {
  readonly policy: LimitPolicy;
  readonly remaining: number;
  /** Until the window ends and the quota is whole again; at least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/**
 * Counts the requests of each subject against one policy: in Redis where all processes share the count, and otherwise,
 * or while Redis is away, in the memory of this process.
 */
export class RateLimit {
  private readonly limiter: RateLimiterMemory | RateLimiterRedis;
  private readonly subjects: BoundedSubjects;

  constructor(
    private readonly policy: LimitPolicy,
    redis: Redis | null,
  ) {
    const options = {
      keyPrefix: `prosa:limit:${policy.name}`,
      points: policy.quota,
      duration: policy.windowSeconds,
    };
    const memory = new RateLimiterMemory(options);
    this.limiter = redis
      ? new RateLimiterRedis({
          ...options,
          storeClient: redis,
          rejectIfRedisNotReady: true,
          insuranceLimiter: memory,
          // A subject over its quota is refused without asking Redis again.
          inMemoryBlockOnConsumed: policy.quota + 1,
        })
      : memory;
    this.subjects = new BoundedSubjects(policy.windowSeconds * 1_000);
  }

  async take(subject: string): Promise<LimitUse> {
    try {
      return this.useOf(await this.limiter.consume(this.subjects.counterOf(subject)), false);
    } catch (refusal) {
      // The library throws its result when the quota is spent.
      if (refusal instanceof RateLimiterRes) return this.useOf(refusal, true);
      throw refusal;
    }
  }

  private useOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isExceeded: boolean): LimitUse {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    return { policy: this.policy, remaining: Math.max(0, remainingPoints), resetSeconds, isExceeded };
  }
}
