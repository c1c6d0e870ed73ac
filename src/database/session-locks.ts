import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ADVISORY_LOCK_CLASSES } from './advisory-locks.js';
import { Database } from './database.js';
import type { DatabaseSession } from './database-session.js';

/** What is locked, by the id of a row; of `sipTrunks` there is one lock. */
export type LockClass = 'lead' | 'call' | 'sipTrunks' | 'simulationRun';

/** A lock, until it is given back or the connection it belongs to is lost. */
export interface SessionLock {
  readonly lockClass: LockClass;
  readonly id: number;
  readonly session: DatabaseSession;
}

/**
 * Locks that a process holds while it does something outside the database, such as asking a carrier. They belong to a
 * session: those of a process that dies are free at once, and one that is frozen keeps them, so that nobody takes over
 * what it may still send. One session, outside the pool, serves all of them: whoever holds a lock can wait for a
 * connection of the pool without keeping one from others. To the server they all are one owner's, so that the set
 * below tells apart who in this process holds what.
 */
@Injectable()
export class SessionLocks implements BeforeApplicationShutdown {
  private readonly taken = new Set<string>();
  private opening: Promise<DatabaseSession> | null = null;
  private isClosed = false;

  constructor(private readonly database: Database) {}

  /** The locks of those rows that nobody else holds, in this process or elsewhere. */
  async tryLockAll(lockClass: LockClass, ids: readonly number[]): Promise<SessionLock[]> {
    // A session that is opened after the end would be closed by nobody.
    if (this.isClosed) return [];
    const free = ids.filter((id) => !this.taken.has(nameOf(lockClass, id)));
    if (free.length === 0) return [];
    for (const id of free) this.taken.add(nameOf(lockClass, id));
    let locked = new Set<number>();
    try {
      const session = await this.openSession();
      const rows = await session.query<{ id: number; locked: boolean }>(
        'SELECT id, pg_try_advisory_lock($1, id) AS locked FROM unnest($2::int[]) AS id',
        [ADVISORY_LOCK_CLASSES[lockClass], free],
      );
      locked = new Set(rows.filter((row) => row.locked).map(({ id }) => id));
      return [...locked].map((id) => ({ lockClass, id, session }));
    } finally {
      for (const id of free) if (!locked.has(id)) this.taken.delete(nameOf(lockClass, id));
    }
  }

  async unlock({ lockClass, id, session }: SessionLock): Promise<void> {
    try {
      // With its connection, the lock is gone already.
      if (session.isLost()) return;
      await session.query('SELECT pg_advisory_unlock($1, $2)', [ADVISORY_LOCK_CLASSES[lockClass], id]);
    } finally {
      this.taken.delete(nameOf(lockClass, id));
    }
  }

  /** Runs the work under a lock; null, without running it, when somebody else has the lock. */
  async tryWith<T>(lockClass: LockClass, id: number, work: () => Promise<T>): Promise<T | null> {
    const [lock] = await this.tryLockAll(lockClass, [id]);
    if (!lock) return null;
    try {
      return await work();
    } finally {
      await this.unlock(lock);
    }
  }

  /** After `onModuleDestroy`, in which work that is locked comes to its end. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    const session = await this.opening?.catch(() => null);
    this.opening = null;
    await session?.close();
  }

  private async openSession(): Promise<DatabaseSession> {
    for (;;) {
      const opening = (this.opening ??= this.database.openSession());
      try {
        const session = await opening;
        if (!session.isLost()) return session;
      } catch (error) {
        if (this.opening === opening) this.opening = null;
        throw error;
      }
      if (this.opening === opening) this.opening = null;
    }
  }
}

function nameOf(lockClass: LockClass, id: number): string {
  return `${lockClass}:${id}`;
}
