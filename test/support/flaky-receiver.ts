import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { answerJson, LocalServer, type ReceivedRequest } from './http-server.js';

/** Of one event: fewer than the attempts of a delivery. */
const MOST_FAILURES = 6;

/** A receiver that fails three of ten requests, each id in its own way, and remembers what it accepted. */
export class FlakyReceiver {
  readonly accepted: string[] = [];
  readonly failures = { status: 0, retryAfter: 0, hang: 0, reset: 0, redirect: 0 };
  wrongSignatures = 0;
  private readonly seen = new Map<string, number>();

  private constructor(
    readonly server: LocalServer,
    private readonly verifier: Webhook,
    private readonly elsewhere: string,
  ) {}

  static async start(secret: string, elsewhere: string): Promise<FlakyReceiver> {
    const holder: { receiver?: FlakyReceiver } = {};
    const server = await LocalServer.start((request, response) =>
      holder.receiver?.receive(request, response),
    );
    holder.receiver = new FlakyReceiver(server, new Webhook(secret), elsewhere);
    return holder.receiver;
  }

  get url(): string {
    return `${this.server.url}/hook`;
  }

  private receive({ body, headers }: ReceivedRequest, response: ServerResponse): void {
    const id = String(headers['webhook-id']);
    const turn = this.seen.get(id) ?? 0;
    this.seen.set(id, turn + 1);
    try {
      this.verifier.verify(body, headers as Record<string, string>);
    } catch {
      this.wrongSignatures += 1;
    }
    // Ids and turns decide.
    const [draw = 0, way = 0] = createHash('sha256').update(`${id}:${turn}`).digest();
    if (draw >= 77 || turn >= MOST_FAILURES) {
      this.accepted.push(id);
      answerJson(response, {});
    } else this.fail(way % 10, response);
  }

  private fail(way: number, response: ServerResponse): void {
    if (way < 4) {
      this.failures.status += 1;
      answerJson(response, {}, 503);
    } else if (way < 5) {
      this.failures.retryAfter += 1;
      response.writeHead(429, { 'Retry-After': '1' }).end();
    } else if (way < 6) {
      this.failures.hang += 1;
    } else if (way < 8) {
      this.failures.reset += 1;
      response.socket?.destroy();
    } else {
      this.failures.redirect += 1;
      response.writeHead(302, { Location: this.elsewhere }).end();
    }
  }
}
