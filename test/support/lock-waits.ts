import { until } from '@prosa/testing';

interface Queried {
  query(sql: string): Promise<readonly unknown[]>;
}

/** Resolves once a session of the database waits for a lock. */
export function waitsForLock(database: Queried): Promise<void> {
  return until(async () => {
    const waiting = await database.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  });
}
