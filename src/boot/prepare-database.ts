import { allFeatures } from '../all-features.js';
import { codeOf } from '../database/outages/driver-error.js';
import { refuseTransactionPooler } from '../database/pool/transaction-pooler.js';
import {
  DatabaseBehindError,
  DatabasePrivilegeError,
  findRole,
} from '../database/preparation/database-role.js';
import { findMissingOfPlugins, migratePlugins } from '../database/preparation/migrate-plugins.js';
import { findMissing, migrate } from '../database/preparation/migrate.js';
import { type Preparation, whilePreparing } from '../database/preparation/preparation-lock.js';
import type { Plugin } from '../plugins/plugin.js';
import { findMissingQueues, migrateQueues } from '../queues/backend/queue-schema.js';
import { JobCatalog } from '../queues/job-catalog.js';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Brings the product's schema, that of the queues and the tables of plugins to the newest migration, where the role of the
 * connection owns them. Any other role only compares. Safe to run from many processes at once. Returns the names of the
 * migrations applied.
 *
 * @param finish runs afterwards, still as the only process that prepares
 * @throws DatabaseBehindError where the role may not apply what is missing
 */
export async function prepareDatabase(
  preparation: Preparation,
  plugins: readonly Plugin[] = [],
  finish: () => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const { databaseUrl } = preparation;
  // It would keep the lock when we have gone.
  await refuseTransactionPooler(databaseUrl);
  return whilePreparing(preparation, async () => {
    const { name, mayPrepare } = await findRole(databaseUrl);
    const applied = mayPrepare ? await apply(preparation, plugins) : [];
    if (!mayPrepare) await refuseBehind(preparation, plugins, name);
    await finish();
    return applied;
  });
}

async function apply(preparation: Preparation, plugins: readonly Plugin[]): Promise<string[]> {
  const { databaseUrl, say, warn = say, progress } = preparation;
  const applied = await migrate(databaseUrl, warn, progress);
  await migrateQueues(databaseUrl, queuesOf(plugins));
  return [...applied, ...(await migratePlugins(databaseUrl, plugins))];
}

/** A process of an older plugin, or without it, runs on a database that has more. */
async function refuseBehind(
  { databaseUrl, say, warn = say }: Preparation,
  plugins: readonly Plugin[],
  role: string,
): Promise<void> {
  try {
    const missing = [
      ...(await findMissing(databaseUrl, warn)),
      ...(await findMissingQueues(databaseUrl, queuesOf(plugins))),
      ...(await findMissingOfPlugins(databaseUrl, plugins)),
    ];
    if (missing.length > 0) throw new DatabaseBehindError(role, missing);
  } catch (error) {
    throw codeOf(error) === INSUFFICIENT_PRIVILEGE ? new DatabasePrivilegeError(role, error) : error;
  }
}

function queuesOf(plugins: readonly Plugin[]): readonly string[] {
  return new JobCatalog(allFeatures(plugins).flatMap(({ jobs = [] }) => jobs)).queueNames;
}
