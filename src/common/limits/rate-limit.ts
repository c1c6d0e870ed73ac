import { RateLimiterRedis } from 'rate-limiter-flexible';
import { BoundedSubjects } from './bounded-subjects.js';
import type { LimitPolicy } from './limit-policy.js';
import type { LimitRedis } from './limit-redis.js';
import { type WindowCount, WindowCounter } from './window-counter.js';

/** The use of a limit by a subject, after a request. */
export interface LimitUse {
  readonly policy: LimitPolicy;
  readonly remaining: number;
  /** Until the window ends and the quota is whole again; at least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/**
 * Counts the requests of each subject against one policy: in the memory of this process always, and in Redis where
 * all processes share the count. A request passes when neither count is over the quota. While Redis answers, all
 * processes together admit exactly the quota. When Redis is slow, away, or has lost its counts, each process admits
 * at most the quota.
 */
export class RateLimit {
  private readonly own: WindowCounter;
  private readonly shared: RateLimiterRedis | null;
  private readonly subjects: BoundedSubjects;

  constructor(
    private readonly policy: LimitPolicy,
    private readonly redis: LimitRedis | null,
  ) {
    const windowMs = policy.windowSeconds * 1_000;
    this.own = new WindowCounter(windowMs);
    this.shared = redis
      ? new RateLimiterRedis({
          keyPrefix: `prosa:limit:${policy.name}`,
          points: policy.quota,
          duration: policy.windowSeconds,
          storeClient: redis.connection,
        })
      : null;
    this.subjects = new BoundedSubjects(windowMs);
  }

  async take(subject: string): Promise<LimitUse> {
    const key = this.subjects.counterOf(subject);
    const own = this.own.add(key);
    // A subject over its quota is refused without asking Redis again.
    const shared = own.count > this.policy.quota ? null : await this.countShared(key);
    if (!shared) return this.useOf(own);
    const { endsAtMs } = this.own.merge(key, shared);
    return this.useOf({ count: Math.max(own.count, shared.count), endsAtMs });
  }

  /** Null without Redis, and while it is away. */
  private async countShared(key: string): Promise<WindowCount | null> {
    const { redis, shared } = this;
    if (!redis || !shared) return null;
    const askedAtMs = performance.now();
    const answer = await redis.ask(() => shared.penalty(key));
    if (!answer) return null;
    // Counted from the question, so that this window never outlasts the shared one.
    return { count: answer.consumedPoints, endsAtMs: askedAtMs + answer.msBeforeNext };
  }

  private useOf({ count, endsAtMs }: WindowCount): LimitUse {
    return {
      policy: this.policy,
      remaining: Math.max(0, this.policy.quota - count),
      resetSeconds: Math.max(1, Math.ceil((endsAtMs - performance.now()) / 1_000)),
      isExceeded: count > this.policy.quota,
    };
  }
}
