import { Client } from 'pg';

/** The database is reached through a pooler that lends connections by the transaction. Its message is for the operator. */
export class TransactionPoolerError extends Error {
  override readonly name = 'TransactionPoolerError';

  constructor() {
    super(
      'DATABASE_URL leads to a connection pooler in transaction mode (such as PgBouncer with pool_mode=transaction), ' +
        'on which locks are lost and a lead could be dialled twice: point DATABASE_URL at PostgreSQL itself. ' +
        'A process opens at most DATABASE_POOL_SIZE connections.',
    );
  }
}

/** Other clients of the pooler may take the connection that would give it away; not each time. */
const ROUNDS = 3;
/** A pooler with a single connection lets the second statement wait for the first one's transaction. */
const ANSWER_MS = 3_000;

/**
 * Refuses a pooler in transaction mode. Two connections to a server are two processes there, and stay the same ones.
 * A transaction pooler gives the process of an idle connection to another one that begins a transaction. The first
 * then gets a different process.
 *
 * @throws TransactionPoolerError
 */
export async function refuseTransactionPooler(url: string): Promise<void> {
  const [first, second] = [probe(url), probe(url)];
  try {
    await first.connect();
    await second.connect();
    for (let round = 0; round < ROUNDS; round++) {
      if (await isShared(first, second)) throw new TransactionPoolerError();
    }
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

function probe(url: string): Client {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The statement that fails says so.
  client.on('error', () => undefined);
  return client;
}

async function isShared(first: Client, second: Client): Promise<boolean> {
  const before = await backendOf(first);
  await second.query('BEGIN');
  try {
    const other = await backendOf(second);
    if (other === before) return true;
    return (await Promise.race([backendOf(first), silence()])) !== before;
  } finally {
    await second.query('ROLLBACK');
  }
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

function silence(): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ANSWER_MS).unref());
}
