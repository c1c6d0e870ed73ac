import { once } from 'node:events';
import { createServer, type Server, type Socket, connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.js';
import { refuseTransactionPooler, TransactionPoolerError } from './transaction-pooler.js';

const READY_FOR_QUERY = 0x5a;
const IDLE = 0x49;
const TERMINATE = 0x58;

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

/**
 * A pooler in transaction mode: each client logs in by itself, and from then on its transactions run on whichever of the
 * logged-in connections was free last, as PgBouncer chooses.
 */
class TransactionPooler {
  private readonly free: Socket[] = [];
  private readonly sockets = new Set<Socket>();
  private server!: Server;

  async start(target: URL): Promise<string> {
    this.server = createServer((client) => this.serve(client, target)).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const url = new URL(target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    url.searchParams.delete('host');
    return url.href;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private serve(client: Socket, target: URL): void {
    const own = connect(Number(target.port), target.hostname);
    for (const socket of [client, own]) this.sockets.add(socket.on('error', () => undefined));
    let lent: Socket | null = own;
    const toClient = (data: Buffer) => {
      client.write(data);
      // The answer ends with ReadyForQuery and the state of the transaction.
      if (data.at(-6) !== READY_FOR_QUERY || data.at(-1) !== IDLE || !lent) return;
      lent.off('data', toClient);
      this.free.push(lent);
      lent = null;
    };
    own.on('data', toClient);
    client.on('data', (data) => {
      if (data[0] === TERMINATE) return;
      if (!lent) {
        lent = this.free.pop() ?? null;
        lent?.on('data', toClient);
      }
      lent?.write(data);
    });
  }
}

describe('a pooler in transaction mode', () => {
  it('is refused with a sentence that tells what to do', async () => {
    const pooler = new TransactionPooler();
    const url = await pooler.start(new URL(database.url));

    const refusal = refuseTransactionPooler(url);

    await expect(refusal).rejects.toThrow(TransactionPoolerError);
    await expect(refusal).rejects.toThrow('point DATABASE_URL at PostgreSQL itself');
    pooler.stop();
  });

  it('is not seen in PostgreSQL itself', async () => {
    await expect(refuseTransactionPooler(database.url)).resolves.toBeUndefined();
  });
});
