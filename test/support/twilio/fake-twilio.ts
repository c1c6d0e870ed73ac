import type { ServerResponse } from 'node:http';
import { LocalServer, type ReceivedRequest } from '../http-server.js';
import { FakeTwilioCalls } from './fake-twilio-calls.js';
import { type FakeAnswer, type FakeNumber, FakeTwilioNumbers, refusal } from './fake-twilio-numbers.js';

/** What happens to a request instead of, or after, its being carried out. */
export type FakeTrouble =
  | { readonly kind: 'answer'; readonly status: number; readonly headers?: Record<string, string> }
  /** It is carried out, and the connection breaks before the answer. */
  | { readonly kind: 'lost-answer' };

/**
 * Twilio's REST API on loopback, after its documentation: HTTP Basic authentication by account SID and auth token
 * (https://www.twilio.com/docs/iam/api/authentication), forms in, JSON out (https://www.twilio.com/docs/usage/requests-to-twilio).
 */
export class FakeTwilio {
  readonly accountSid = `AC${'5'.repeat(32)}`;
  readonly authToken = '12345';
  readonly numbers: FakeTwilioNumbers;
  readonly calls = new FakeTwilioCalls(this.accountSid, this.authToken);
  /** What happens to the next requests of a method, in order. */
  readonly troubles: { readonly method: string; readonly trouble: FakeTrouble }[] = [];
  private server!: LocalServer;

  private constructor(stock: readonly FakeNumber[]) {
    const price = (number_type: string, current_price: string) => ({
      number_type,
      base_price: current_price,
      current_price,
    });
    this.numbers = new FakeTwilioNumbers(this.accountSid, stock, [
      price('local', '1.15'),
      price('mobile', '6.00'),
      price('toll free', '2.15'),
    ]);
  }

  static async start(stock: readonly FakeNumber[] = []): Promise<FakeTwilio> {
    const fake = new FakeTwilio(stock);
    fake.server = await LocalServer.start((request, response) => fake.answer(request, response));
    return fake;
  }

  get url(): string {
    return this.server.url;
  }

  get requests(): readonly ReceivedRequest[] {
    return this.server.requests;
  }

  stop(): Promise<void> {
    this.calls.stop();
    return this.server.stop();
  }

  private answer(request: ReceivedRequest, response: ServerResponse): void {
    const at = this.troubles.findIndex(({ method }) => method === request.method);
    const trouble = at < 0 ? null : (this.troubles.splice(at, 1)[0]?.trouble ?? null);
    if (trouble?.kind === 'answer') {
      const { body } = refusal(trouble.status, trouble.status === 429 ? 20429 : 20500, 'No.');
      response.writeHead(trouble.status, trouble.headers).end(JSON.stringify(body));
      return;
    }
    const { status, body } = this.carryOut(request);
    if (trouble?.kind === 'lost-answer') response.destroy();
    else response.writeHead(status, { 'Content-Type': 'application/json' }).end(body && JSON.stringify(body));
  }

  private carryOut({ method, path, headers, body }: ReceivedRequest): FakeAnswer {
    const login = Buffer.from(`${this.accountSid}:${this.authToken}`).toString('base64');
    if (headers.authorization !== `Basic ${login}`) return refusal(401, 20003, 'Authenticate');
    const { pathname, searchParams } = new URL(path, this.url);
    const country = /^\/v1\/PhoneNumbers\/Countries\/([A-Z]{2})$/.exec(pathname);
    if (country) return this.numbers.countryPrices(country[1] ?? '');
    const account = `/2010-04-01/Accounts/${this.accountSid}`;
    const form = new URLSearchParams(body);
    const below = pathname.startsWith(account) ? pathname.slice(account.length) : '';
    const answer =
      this.calls.answer(method, below, form) ?? this.numbers.answer(method, below, searchParams, form);
    return answer ?? refusal(404, 20404, 'The requested resource was not found');
  }
}
