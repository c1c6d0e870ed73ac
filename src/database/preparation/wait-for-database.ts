import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { tlsRefusalOf } from './tls-refusal.js';
import { DatabaseUnavailableError } from '../outages/database-unavailable.error.js';
import { WatchedClient } from '../outages/watched-client.js';

/** The oldest major version that `npm run test:operate` tests. */
const OLDEST_MAJOR = 15;

const POLL_MS = 500;
const CONNECT_MS = 10_000;

/** Of a server that answers and refuses the role, the password or the name of the database. */
const REFUSED_STATES = /^(28...|3D000|42501)$/;

/** The database cannot be used. The message is a complete sentence for the operator. */
export abstract class DatabaseStartError extends Error {}

/** The database was away for as long as a start waits. A later start may find it. */
export class DatabaseAwayError extends DatabaseStartError {
  override readonly name = 'DatabaseAwayError';
}

/** The server does not let Prosa in. */
export class DatabaseAccessError extends DatabaseStartError {
  override readonly name = 'DatabaseAccessError';
}

/** The server is older than those that Prosa works on. */
export class OldPostgresError extends DatabaseStartError {
  override readonly name = 'OldPostgresError';

  constructor(version: string) {
    super(
      `The database of DATABASE_URL is PostgreSQL ${version}, and Prosa needs PostgreSQL ${OLDEST_MAJOR} or newer: upgrade it, or ` +
        'name another one. Nothing was changed.',
    );
  }
}

export interface DatabaseWait {
  readonly databaseUrl: string;
  /** Takes one sentence when a wait begins. */
  readonly say: (line: string) => void;
  /** Zero tries once. */
  readonly waitMs: number;
}

/**
 * Returns when the server accepts a connection to the database.
 *
 * @throws DatabaseAwayError after the wait
 * @throws OldPostgresError before anything is created
 * @throws DatabaseAccessError at once when the role, the password or the name is wrong
 */
export async function waitForDatabase({ databaseUrl, say, waitMs }: DatabaseWait): Promise<void> {
  const deadlineMs = performance.now() + waitMs;
  const seconds = Math.round(waitMs / 1_000);
  for (let attempt = 1; ; attempt++) {
    const reason = await connectOnce(databaseUrl);
    if (reason === null) return;
    const what = `The database at ${placeOf(databaseUrl)} cannot be reached (${reason})`;
    if (performance.now() >= deadlineMs) {
      const waited = seconds > 0 ? ` after ${seconds} s of waiting (DATABASE_WAIT_SECONDS)` : '';
      throw new DatabaseAwayError(`${what}${waited}: start the database, or correct DATABASE_URL.`);
    }
    if (attempt === 1) say(`${what}: Prosa waits for it up to ${seconds} s…`);
    await sleep(POLL_MS);
  }
}

/** Why the database is away; null when it is there. */
async function connectOnce(databaseUrl: string): Promise<string | null> {
  let client: WatchedClient | null = null;
  try {
    // It reads the files of certificates that the address names.
    client = new WatchedClient({
      connectionString: databaseUrl,
      application_name: 'prosa-preparation',
      connectionTimeoutMillis: CONNECT_MS,
    });
    await client.connect();
    await refuseOldPostgres(client);
    return null;
  } catch (error) {
    if (error instanceof OldPostgresError) throw error;
    if (isAway(error)) return reasonOf(error);
    throw toRejection(error, databaseUrl);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function refuseOldPostgres(client: WatchedClient): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  const version = rows[0]?.version ?? '';
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) throw new OldPostgresError(version);
}

function isAway(error: unknown): boolean {
  return DatabaseUnavailableError.from(error) instanceof DatabaseUnavailableError;
}

/** Errors without a condition of PostgreSQL are those of the client, such as a missing password. */
function toRejection(error: unknown, databaseUrl: string): unknown {
  if (error instanceof DatabaseError && !REFUSED_STATES.test(error.code ?? '')) return error;
  const place = placeOf(databaseUrl);
  const tls = tlsRefusalOf(error, place);
  if (tls !== null) return new DatabaseAccessError(tls, { cause: error });
  return new DatabaseAccessError(
    `The database at ${place} does not let Prosa in (${reasonOf(error)}): ` +
      'correct the user, the password and the name of the database in DATABASE_URL.',
    { cause: error },
  );
}

/** Connections to all addresses of a name fail with one error, which has a code and no text. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}

/** Without the password. */
function placeOf(databaseUrl: string): string {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  return searchParams.get('host') ?? `${hostname}:${port || 5_432}`;
}
