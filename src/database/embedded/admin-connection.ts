import { realpath } from 'node:fs/promises';
import { Client } from 'pg';
import { codeOf, EmbeddedPostgresError, messageOf } from './embedded-postgres.error.js';

export interface AdminAccess {
  port: number;
  password: string;
}

/** Connects as the superuser. The caller ends the client. */
export async function connectAdmin(
  access: AdminAccess,
  database = 'postgres',
  name = 'prosa start',
): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port: access.port,
    user: 'postgres',
    password: access.password,
    database,
    application_name: name,
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection is seen by the statement that fails; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** What the driver says, without a code, of a session that was lost before or during a query. */
const BROKEN_SESSION = /^(Client has encountered a connection error|Connection terminated)/;

/** Whether an error says that the server is not there, or is starting or stopping: another try may find it. */
export function isServerAway(error: unknown): boolean {
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(codeOf(error)) ||
    (error instanceof Error && BROKEN_SESSION.test(error.message))
  );
}

/**
 * Whether the server at the port serves this cluster.
 *
 * @returns `not-yet` when nothing listens or the server is starting or stopping.
 */
export async function checkServer(
  access: AdminAccess,
  clusterDir: string,
): Promise<'ours' | 'other' | 'not-yet'> {
  let client: Client;
  try {
    client = await connectAdmin(access);
  } catch (error) {
    if (codeOf(error) === '28P01') return 'other';
    if (isServerAway(error)) return 'not-yet';
    throw new EmbeddedPostgresError(
      `The database on port ${access.port} does not answer (${messageOf(error)}).`,
    );
  }
  try {
    const { rows } = await client.query<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    );
    const folder = rows[0]?.folder ?? '';
    return (await realpath(folder).catch(() => folder)) === clusterDir ? 'ours' : 'other';
  } finally {
    await client.end();
  }
}
