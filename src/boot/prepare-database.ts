import { migratePlugins, type PluginMigrations } from '../database/preparation/migrate-plugins.js';
import { migrate } from '../database/preparation/migrate.js';
import { type Preparation, whilePreparing } from '../database/preparation/preparation-lock.js';
import { refuseTransactionPooler } from '../database/pool/transaction-pooler.js';
import { migrateQueues } from '../queues/backend/queue-backend.js';

/**
 * Brings the product's schema and that of the queues to the newest migration. Safe to run from many processes at once.
 * Returns the names of the migrations applied.
 */
export async function prepareDatabase(
  preparation: Preparation,
  plugins: readonly PluginMigrations[] = [],
): Promise<string[]> {
  // It would keep the lock when we have gone.
  await refuseTransactionPooler(preparation.databaseUrl);
  return whilePreparing(preparation, async () => {
    const applied = await migrate(preparation.databaseUrl, preparation.warn ?? preparation.say);
    await migrateQueues(preparation.databaseUrl);
    return [...applied, ...(await migratePlugins(preparation.databaseUrl, plugins))];
  });
}
