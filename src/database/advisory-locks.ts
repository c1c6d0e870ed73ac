import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/**
 * Locks that a process holds while it does something outside the database, such as asking a carrier. They end with the
 * work, or with the connection of a process that dies; a process that is only paused keeps them. Each holds a connection
 * of the pool, so as many as the work that runs at the same time.
 */
@Injectable()
export class AdvisoryLocks {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Runs the work under a lock; null, without running it, when somebody else has the lock.
   *
   * @param name what is locked, such as `call:17`
   */
  async tryWith<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    const runner = this.dataSource.createQueryRunner();
    await runner.connect();
    try {
      const [row] = (await runner.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken', [
        name,
      ])) as { taken: boolean }[];
      if (!row?.taken) return null;
      try {
        return await work();
      } finally {
        await runner.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
      }
    } finally {
      await runner.release();
    }
  }
}
