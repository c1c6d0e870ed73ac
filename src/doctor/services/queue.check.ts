import { readRedisState } from '../../queues/backend/redis-state.js';
import { type Check, failure, type Finding, ok, warning } from '../check.js';
import { reasonOf } from '../reason-of.js';

/** Whether the Redis of the job queue answers and keeps jobs. */
export class QueueCheck implements Check {
  readonly name = 'queue';

  /** @param redisUrl undefined where jobs are in the database */
  constructor(private readonly redisUrl: string | undefined) {}

  async run(): Promise<readonly Finding[]> {
    if (this.redisUrl === undefined) return [ok('Jobs are in the database (REDIS_URL is empty).')];
    const { host } = new URL(this.redisUrl);
    try {
      const { version, evictionPolicy } = await readRedisState(this.redisUrl);
      if (evictionPolicy === 'noeviction') return [ok(`Redis ${version} answers at ${host}.`)];
      return [
        warning(
          `Redis ${version} at ${host} may drop jobs when its memory is full (maxmemory-policy ${evictionPolicy}): set noeviction.`,
        ),
      ];
    } catch (error) {
      return [
        failure(`Redis at ${host} does not answer (${reasonOf(error)}): start it, or correct REDIS_URL.`),
      ];
    }
  }
}
