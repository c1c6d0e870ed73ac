import { DataSource } from 'typeorm';
import { prosaVersion } from '../../config/prosa-version.js';
import { dataSourceOptions } from '../data-source-options.js';
import { migrations } from '../migrations.js';
import { appliedTo, unknownOf } from './migrate.js';
import { checkNewerRelease } from './newer-release.js';

/** How far a database is prepared. */
export interface ReleaseState {
  readonly isEmpty: boolean;
  /** Migrations of this release that were not applied, the oldest first. */
  readonly pending: readonly string[];
  /** A sentence for the operator where a newer release has prepared it and this one runs on it; otherwise null. */
  readonly newer: string | null;
}

/**
 * Reads which migrations a database has, and changes nothing.
 *
 * @throws UnreleasedDatabaseError and NewerDatabaseError where this release does not run on it
 */
export async function readReleaseState(url: string): Promise<ReleaseState> {
  const dataSource = await new DataSource(dataSourceOptions(url, 1)).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const applied = new Set(await appliedTo(runner));
    const newer = await checkNewerRelease(runner, prosaVersion, await unknownOf(runner, applied));
    const pending = migrations.map(({ name }) => name).filter((name) => !applied.has(name));
    return { isEmpty: applied.size === 0, pending, newer };
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}
