import { Client } from 'pg';

/** A connection of one's own. `query` fails for ever once the connection was lost. */
export interface DatabaseSession {
  query<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
  isLost(): boolean;
  close(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 30_000;

/** Opens a connection outside every pool, for what belongs to a session and not to a transaction. */
export async function openDatabaseSession(url: string): Promise<DatabaseSession> {
  const client = new Client({
    connectionString: url,
    application_name: 'prosa-session',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  let isLost = false;
  const lose = () => {
    isLost = true;
  };
  // A query that is under way, and every later one, reports the loss itself.
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  let last: Promise<unknown> = Promise.resolve();
  return {
    // One after the other, as the driver asks.
    query: <Row>(sql: string, parameters: readonly unknown[]) => {
      const result = last.then(async () => (await client.query(sql, [...parameters])).rows as Row[]);
      last = result.catch(() => undefined);
      return result;
    },
    isLost: () => isLost,
    close: async () => {
      if (!isLost) await client.end();
    },
  };
}
