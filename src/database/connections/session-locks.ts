import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { KeyedBatcher } from '../../common/concurrency/keyed-batcher.js';
import { ADVISORY_LOCK_CLASSES } from '../advisory-locks.js';
import { Database } from '../database.js';
import type { DatabaseSession } from './database-session.js';
import { KeptSession } from './kept-session.js';
import { DatabaseUnavailableError } from '../outages/database-unavailable.error.js';

/** What is locked, by the id of a row; of `sipTrunks` there is one lock. */
export type LockClass = 'lead' | 'call' | 'sipTrunks' | 'simulationRun';

/**
 * A process that is suspended for longer loses the locks below: the server frees them for other processes. As long as the
 * lease of a call, so that another process takes over calls and their trunks together.
 */
const UNHEARD_MS = 15_000;

const MAX_UNLOCKED_AT_ONCE = 64;

/** Locks for continuous work. The holder of one calls `confirm` after it was suspended. */
const FREED_WHEN_UNHEARD: ReadonlySet<LockClass> = new Set(['sipTrunks']);

/** A lock, until it is given back or the connection it belongs to is lost. */
export interface SessionLock {
  readonly lockClass: LockClass;
  readonly id: number;
  readonly session: DatabaseSession;
}

/**
 * Locks that a process holds while it works outside the database, for example while it asks a carrier. They belong to a
 * session. The server frees the locks of a process that dies at once. A suspended process keeps them, because it may still
 * send its request. One session outside the pool serves all locks, so that their holders occupy no connection of the pool.
 * For the server all locks have one owner; the set below tells the holders within this process apart.
 *
 * Locks of `FREED_WHEN_UNHEARD` have a session of their own, which the server ends when the process is suspended: other
 * processes continue the work.
 */
@Injectable()
export class SessionLocks implements BeforeApplicationShutdown {
  private readonly taken = new Set<string>();
  /** A lock may be given back twice when one of many could not be: the server does nothing then. */
  private readonly unlocks = new KeyedBatcher<DatabaseSession, SessionLock, void>(async (session, locks) => {
    await session.query(
      'SELECT pg_advisory_unlock(class, id) FROM unnest($1::int[], $2::int[]) AS held (class, id)',
      [locks.map(({ lockClass }) => ADVISORY_LOCK_CLASSES[lockClass]), locks.map(({ id }) => id)],
    );
    return locks.map(() => undefined);
  }, MAX_UNLOCKED_AT_ONCE);
  private readonly lasting: KeptSession;
  private readonly unheard: KeptSession;
  private isClosed = false;

  constructor(database: Database) {
    this.lasting = new KeptSession(() => database.openSession());
    this.unheard = new KeptSession(() => database.openSession({ endsUnheardAfterMs: UNHEARD_MS }));
  }

  /** Takes the locks of those rows that are free, in this process and in others. */
  async tryLockAll(lockClass: LockClass, ids: readonly number[]): Promise<SessionLock[]> {
    // A session that is opened after the shutdown would stay open.
    if (this.isClosed) return [];
    const free = ids.filter((id) => !this.taken.has(nameOf(lockClass, id)));
    if (free.length === 0) return [];
    for (const id of free) this.taken.add(nameOf(lockClass, id));
    let locked = new Set<number>();
    try {
      const session = await (FREED_WHEN_UNHEARD.has(lockClass) ? this.unheard : this.lasting).get();
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

  async unlock(lock: SessionLock): Promise<void> {
    const { lockClass, id, session } = lock;
    try {
      // With its connection, the lock is gone already.
      if (session.isLost()) return;
      await this.unlocks.run(session, lock);
    } finally {
      this.taken.delete(nameOf(lockClass, id));
    }
  }

  /**
   * Asks the database whether a lock is still held.
   *
   * @throws DatabaseUnavailableError where it does not say
   */
  async confirm({ lockClass, id, session }: SessionLock): Promise<boolean> {
    if (session.isLost()) return false;
    try {
      const [row] = await session.query<{ isHeld: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2
           AND objsubid = 2 AND granted AND pid = pg_backend_pid()) AS "isHeld"`,
        [ADVISORY_LOCK_CLASSES[lockClass], id],
      );
      return row?.isHeld ?? false;
    } catch (error) {
      // The lock has gone with its session.
      if (error instanceof DatabaseUnavailableError && error.outage === 'lost') return false;
      throw error;
    }
  }

  /** Runs the work under a lock; null, without running it, when the lock is taken. */
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
    await Promise.all([this.lasting.close(), this.unheard.close()]);
  }
}

function nameOf(lockClass: LockClass, id: number): string {
  return `${lockClass}:${id}`;
}
