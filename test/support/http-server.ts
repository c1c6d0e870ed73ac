import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request a local server has received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

/** A real HTTP server on loopback that remembers what it was asked. */
export class LocalServer {
  /** Node leaves those of a WebSocket open. */
  private readonly upgraded = new Set<Duplex>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    readonly url: string,
    readonly requests: readonly ReceivedRequest[],
  ) {}

  static async start(answer: Answer): Promise<LocalServer> {
    const requests: ReceivedRequest[] = [];
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { method = '', url: path = '', headers } = incoming;
        const request = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
        requests.push(request);
        void answer(request, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new LocalServer(server, `http://127.0.0.1:${port}`, requests);
  }

  /** Has another server on loopback answer requests for a WebSocket. */
  forwardUpgrades(port: number): void {
    this.server.on('upgrade', ({ method, url, rawHeaders }, socket, head) => {
      const other = connect(port, '127.0.0.1');
      const lines = rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
      );
      other.write([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      other.write(head);
      socket.pipe(other).pipe(socket);
      this.upgraded.add(socket).add(other);
      for (const end of [socket, other]) {
        end.on('error', () => {
          socket.destroy();
          other.destroy();
        });
      }
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    for (const socket of this.upgraded) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
