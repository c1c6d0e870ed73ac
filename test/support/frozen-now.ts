import { Database } from '../../src/database/database.js';
import type { Tx } from '../../src/database/transactions.js';
import type { TestApp } from './app.js';

/** In SQL, a millisecond after and before the moment at which `now()` is frozen. */
export const LATER = "now() + interval '1 millisecond'";
export const EARLIER = "now() - interval '1 millisecond'";

class Undo extends Error {}

/**
 * Runs `work` in one transaction, which is undone. In it `now()` is constant, so that a test can put a row exactly on the
 * boundary of a condition, or a millisecond off. All queries on the given database run in that transaction, also
 * repositories that open none.
 */
export async function withFrozenNow(
  app: TestApp,
  work: (database: Database, tx: Tx) => Promise<void>,
): Promise<void> {
  const database = app.app.get(Database);
  const undone = database.run(async (tx) => {
    const bound = Object.create(database) as Database;
    bound.query = (sql, parameters, given) => database.query(sql, parameters, given ?? tx);
    bound.readPrepared = (sql, parameters, given) => database.readPrepared(sql, parameters, given ?? tx);
    bound.writePrepared = (sql, parameters, given) => database.writePrepared(sql, parameters, given ?? tx);
    bound.manager = (given) => database.manager(given ?? tx);
    await work(bound, tx);
    throw new Undo();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
}
