import { STATEMENT_TIMEOUT_MS, WatchedClient } from '../outages/watched-client.js';

/**
 * A connection of one's own. `query` fails for ever once the connection was lost. The server parses each text once, so they
 * are to be from a small, fixed set.
 */
export interface DatabaseSession {
  query<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
  isLost(): boolean;
  close(): Promise<void>;
}

export interface DatabaseSessionOptions {
  /**
   * The server ends the session when it has not heard of this process for so long, with everything that belongs to it.
   * The session itself reports that the process is alive. Left out: it lasts as long as the connection, also while the
   * process is suspended.
   */
  readonly endsUnheardAfterMs?: number;
  /** The limit of time of each statement: 30 s when not given, none with 0. */
  readonly statementTimeoutMs?: number;
}

/** So many signs of life fit into the time after which a session is ended. */
const SIGNS_OF_LIFE = 5;

/** Opens a connection outside every pool, for what belongs to a session and not to a transaction. */
export async function openDatabaseSession(
  url: string,
  { endsUnheardAfterMs, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: DatabaseSessionOptions = {},
): Promise<DatabaseSession> {
  const client = new WatchedClient({
    connectionString: url,
    application_name: 'prosa-session',
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  let isLost = false;
  let signs: NodeJS.Timeout | undefined;
  const lose = () => {
    isLost = true;
    clearInterval(signs);
  };
  // A query that is under way, and every later one, reports the loss itself.
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  let last: Promise<unknown> = Promise.resolve();
  const names = new Map<string, string>();
  const nameOf = (sql: string) => {
    const name = names.get(sql) ?? `prosa_${names.size + 1}`;
    names.set(sql, name);
    return name;
  };
  // One after the other, as the driver asks.
  const query = <Row>(sql: string, parameters: readonly unknown[]) => {
    const statement = { name: nameOf(sql), text: sql, values: [...parameters] };
    const result = last.then(async () => (await client.query(statement)).rows as Row[]);
    last = result.catch(() => undefined);
    return result;
  };
  // The driver sends no 0, and an operator may have set a limit for the database.
  if (statementTimeoutMs === 0) await query('SET statement_timeout = 0', []);
  if (endsUnheardAfterMs !== undefined) {
    await query("SELECT set_config('idle_session_timeout', $1, false)", [String(endsUnheardAfterMs)]);
    // One that cannot be given is followed by the loss of the connection.
    const giveSign = () => void query('SELECT 1', []).catch(() => undefined);
    signs = setInterval(giveSign, endsUnheardAfterMs / SIGNS_OF_LIFE).unref();
  }
  return {
    query,
    isLost: () => isLost,
    close: async () => {
      clearInterval(signs);
      if (!isLost) await client.end();
    },
  };
}
