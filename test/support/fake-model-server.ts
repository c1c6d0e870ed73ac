import type { ServerResponse } from 'node:http';
import { answerJson, LocalServer, type ReceivedRequest } from './http-server.js';

const MODEL = 'house-model';

/** A server that speaks as OpenAI does, and takes one key. */
export class FakeModelServer {
  /** What it says to everything. */
  says = 'Bom dia!';
  /** In place of whatever it would answer. */
  trouble: ((request: ReceivedRequest, response: ServerResponse) => void) | null = null;
  private server: LocalServer | null = null;

  constructor(public apiKey: string) {}

  static async start(apiKey: string): Promise<FakeModelServer> {
    const fake = new FakeModelServer(apiKey);
    fake.server = await LocalServer.start((request, response) => fake.answer(request, response));
    return fake;
  }

  /** Up to and with the version. */
  get baseUrl(): string {
    return `${this.server?.url}/v1`;
  }

  get requests(): readonly ReceivedRequest[] {
    return this.server?.requests ?? [];
  }

  /** Keys of the requests for answers, in their order. */
  get keysAsked(): readonly string[] {
    return this.asked().map(({ headers }) => String(headers.authorization).replace('Bearer ', ''));
  }

  /** Bodies of the requests for answers. */
  get bodies(): readonly Record<string, unknown>[] {
    return this.asked().map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  private asked(): readonly ReceivedRequest[] {
    return this.requests.filter(({ path }) => path === '/v1/chat/completions');
  }

  private answer(request: ReceivedRequest, response: ServerResponse): void {
    if (this.trouble) return this.trouble(request, response);
    if (request.headers.authorization !== `Bearer ${this.apiKey}`) {
      return answerJson(response, { error: { message: 'Incorrect API key provided.' } }, 401);
    }
    if (request.path === '/v1/models') return answerJson(response, { object: 'list', data: [{ id: MODEL }] });
    if (request.path !== '/v1/chat/completions') return answerJson(response, { error: {} }, 404);
    const message = { role: 'assistant', content: this.says };
    answerJson(response, { choices: [{ index: 0, message, finish_reason: 'stop' }] });
  }
}
