import { gt } from 'semver';
import type { QueryRunner } from 'typeorm';

/** Whether a release after the given one has prepared this database. */
export async function isPreparedByNewerRelease(runner: QueryRunner, release: string): Promise<boolean> {
  if (!(await hasReleases(runner))) return false;
  const rows = (await runner.query('SELECT version FROM database_releases')) as { version: string }[];
  return rows.some(({ version }) => gt(version, release));
}

/** Records that a release prepares this database. */
export async function recordRelease(runner: QueryRunner, release: string): Promise<void> {
  await runner.query('INSERT INTO database_releases (version) VALUES ($1) ON CONFLICT DO NOTHING', [release]);
}

/** Databases of 0.2.0 have no such table. */
export async function hasReleases(runner: QueryRunner): Promise<boolean> {
  const [{ table }] = (await runner.query("SELECT to_regclass('database_releases') AS table")) as [
    { table: string | null },
  ];
  return table !== null;
}
