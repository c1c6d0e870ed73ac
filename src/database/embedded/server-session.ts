import { Client } from 'pg';
import { ADVISORY_LOCK_CLASSES } from '../advisory-locks.js';
import { codeOf } from './embedded-postgres.error.js';

const LOCK = [ADVISORY_LOCK_CLASSES.embeddedServer, 1] as const;
const LOCK_NOT_AVAILABLE = '55P03';

export interface ServerAccess {
  port: number;
  password: string;
}

/** Connects as the superuser. The caller ends the client. */
export async function connectAdmin(access: ServerAccess, database = 'postgres'): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port: access.port,
    user: 'postgres',
    password: access.password,
    database,
    application_name: `process ${process.pid}`,
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
 * The right to run and stop a cluster's server, held by one process: an advisory lock of a session in that server. A
 * lock file with a process number goes stale when its maker is killed. It also lies when the number is used again or
 * seen from another container. A session ends with its process, for any cause.
 */
export class Ownership {
  private constructor(
    private readonly session: Client,
    onLost: () => void,
  ) {
    session.once('end', onLost);
  }

  /**
   * @param onLost called once when the session ends before `release`: the server is gone or restarting.
   * @returns the present owner's name when there is one.
   */
  static async claim(access: ServerAccess, onLost: () => void): Promise<Ownership | { owner: string }> {
    const session = await connectAdmin(access);
    try {
      // The session of a process killed a moment ago may still be about to notice.
      await session.query("set lock_timeout = '1s'");
      await session.query('select pg_advisory_lock($1, $2)', [...LOCK]);
      return new Ownership(session, onLost);
    } catch (error) {
      try {
        if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
        return { owner: await findOwner(session) };
      } finally {
        await session.end().catch(() => undefined);
      }
    }
  }

  /** Whether any process works with the server, under a role that is not the superuser. */
  async isServerInUse(): Promise<boolean> {
    const { rowCount } = await this.session.query("select from pg_stat_activity where usename <> 'postgres'");
    return (rowCount ?? 0) > 0;
  }

  /** To be called before the server is stopped. The lock ends with the server, so no other process takes it before. */
  release(): void {
    this.session.removeAllListeners('end');
  }

  async close(): Promise<void> {
    this.release();
    await this.session.end();
  }
}

async function findOwner(session: Client): Promise<string> {
  const { rows } = await session.query<{ name: string }>(
    `select a.application_name as name
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2 and l.objsubid = 2`,
    [...LOCK],
  );
  return rows[0]?.name ?? 'unknown process';
}
