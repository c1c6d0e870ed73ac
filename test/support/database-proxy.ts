import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { FrontendReader } from './frontend-reader.js';

const BEGIN = /^(START TRANSACTION|BEGIN)/;
const COMMIT = 'COMMIT';

/** What a client does not hear the answer to, and what comes then. */
interface Loss {
  /** Text of a statement. */
  readonly of: string;
  /** Whether the answer to the statement is lost, or to the commit of its transaction, or the statement never arrives. */
  readonly at: 'statement' | 'commit' | 'request';
  /** For how long the database cannot be reached afterwards. */
  readonly awayMs: number;
}

/**
 * A proxy between a client and PostgreSQL. It records the statements, and can lose an answer: the server has done what
 * it was asked, the client sees all its connections end. It can take the server away as well.
 */
export class DatabaseProxy {
  private loss: Loss | null = null;
  private awayUntil = 0;
  private readonly sockets = new Set<Socket>();
  /** Answers that were lost. */
  lost = 0;
  /** What was asked, one statement for each round trip. */
  statements: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly port: number,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const target = new URL(databaseUrl);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    // Not by the Unix socket, past the proxy.
    url.searchParams.delete('host');
    const { port } = server.address() as AddressInfo;
    url.port = String(port);
    const proxy = new DatabaseProxy(server, port, url.href);
    server.on('connection', (client) => proxy.join(client, target));
    return proxy;
  }

  /** Loses the answer to the next statement that has the text. */
  loseAnswerTo(statement: string, awayMs = 0): void {
    this.loss = { of: statement, at: 'statement', awayMs };
  }

  /** Loses the next statement that has the text, before the server hears of it. */
  loseRequest(statement: string): void {
    this.loss = { of: statement, at: 'request', awayMs: 0 };
  }

  /** Loses the answer to the commit of the next transaction with a statement that has the text. */
  loseCommitOf(statement: string, awayMs = 0): void {
    this.loss = { of: statement, at: 'commit', awayMs };
  }

  /** Connections stand, and nothing goes through them any more: the host has died. New ones work. */
  fallSilent(): void {
    for (const socket of this.sockets) socket.removeAllListeners('data').resume();
  }

  /** Connections are reset, and new ones are refused. */
  async goAway(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.resetAndDestroy();
    await closed;
  }

  /** On the same port as before. */
  async comeBack(): Promise<void> {
    if (this.server.listening) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  stop(): Promise<void> {
    return this.goAway();
  }

  private join(client: Socket, target: URL): void {
    if (performance.now() < this.awayUntil) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    const reader = new FrontendReader();
    let isMeant = false;
    let losing: Loss | null = null;
    client.on('data', (chunk) => {
      for (const statement of reader.read(chunk)) {
        this.statements.push(statement);
        if (BEGIN.test(statement)) isMeant = false;
        if (this.loss && statement.includes(this.loss.of)) isMeant = true;
        if (this.loss && isMeant && (this.loss.at !== 'commit' || statement === COMMIT)) {
          losing = this.loss;
          this.loss = null;
        }
      }
      if (losing?.at === 'request') this.lose(losing);
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (losing) this.lose(losing);
      else client.write(chunk);
    });
  }

  private lose({ awayMs }: Loss): void {
    this.lost++;
    this.awayUntil = performance.now() + awayMs;
    for (const socket of this.sockets) socket.destroy();
  }
}
