import { escapeIdentifier, escapeLiteral, type Client } from 'pg';
import { connectAdmin, type ServerAccess } from './server-session.js';

export const ROLE = 'prosa';
export const DATABASE = 'prosa';

/**
 * Makes Prosa's role and database where they are missing. The role is an ordinary one: a statement that should not
 * have been possible must not read files or run programs of the machine, as a superuser's may.
 */
export async function ensureProsaDatabase(
  access: ServerAccess,
  password: string,
  log: (line: string) => void,
): Promise<void> {
  const admin = await connectAdmin(access);
  try {
    await followCollationChange(admin, access, log);
    const { rows } = await admin.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $2) as database`,
      [ROLE, DATABASE],
    );
    if (!rows[0]?.role) await admin.query(`create role ${ROLE} login password ${escapeLiteral(password)}`);
    if (!rows[0]?.database) await admin.query(`create database ${DATABASE} owner ${ROLE}`);
  } finally {
    await admin.end();
  }
}

/**
 * A release of the binaries may bring another ICU that sorts differently; indexes built under the old order then miss
 * rows. PostgreSQL only warns, so the indexes are built anew when the version changed.
 */
async function followCollationChange(
  admin: Client,
  access: ServerAccess,
  log: (line: string) => void,
): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select datname as name from pg_database
      where datallowconn and datcollversion is distinct from pg_database_collation_actual_version(oid)`,
  );
  for (const { name } of rows) {
    log(
      `The sorting rules of the database "${name}" have changed with this release: building its indexes anew.`,
    );
    const client = await connectAdmin(access, name);
    try {
      await client.query(`reindex database ${escapeIdentifier(name)}`);
      await client.query(`alter database ${escapeIdentifier(name)} refresh collation version`);
    } finally {
      await client.end();
    }
  }
}
