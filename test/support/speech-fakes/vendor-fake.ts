import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** How a provider fails: at connect, right after it, in the middle, by saying nothing for ever, by saying something else. */
export type Failing = 'never' | 'refuse' | 'leave' | 'break' | 'silence' | 'garbage';

/** A WebSocket server on loopback that speaks like a provider, or fails like one. */
export abstract class VendorFake {
  failing: Failing = 'never';
  /** Every connection's address and headers. */
  readonly connections: IncomingMessage[] = [];
  private readonly http: Server = createServer((_, response) => response.writeHead(404).end());
  private readonly sockets = new WebSocketServer({ noServer: true });

  async start(): Promise<void> {
    this.http.on('upgrade', (request, socket, head) => {
      this.connections.push(request);
      if (this.failing === 'refuse') {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      this.sockets.handleUpgrade(request, socket, head, (client) => this.accept(client));
    });
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  /** Ends every connection, as a provider that goes down does. */
  breakAll(): void {
    for (const client of this.sockets.clients) client.terminate();
  }

  async stop(): Promise<void> {
    this.breakAll();
    this.sockets.close();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  private accept(client: WebSocket): void {
    if (this.failing === 'leave') return client.close();
    client.on('message', (data: Buffer, isBinary: boolean) => {
      if (this.failing === 'silence') return;
      if (this.failing === 'garbage') {
        client.send('<html>502 Bad Gateway</html>');
        client.send('{"type":"nobody.knows.this"}');
        return;
      }
      this.receive(client, isBinary ? data : JSON.parse(data.toString()));
    });
    if (this.failing !== 'silence') this.greet(client);
  }

  protected greet(_client: WebSocket): void {}

  /** A binary message as a Buffer, a text one parsed. */
  protected abstract receive(client: WebSocket, message: any): void;

  protected send(client: WebSocket, message: object): void {
    client.send(JSON.stringify(message));
  }
}

/** A tone that a test can tell from silence. Mono PCM16, little endian. */
export function tone(seconds: number, rateHz = 24_000, hz = 440): Buffer {
  const samples = Int16Array.from({ length: Math.round(seconds * rateHz) }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hz * index) / rateHz)),
  );
  return Buffer.from(samples.buffer);
}
