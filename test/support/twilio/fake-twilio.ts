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
  /** The primary token, which signs. */
  authToken = '12345';
  /** Good for requests; signs nothing until it is promoted. */
  secondaryToken: string | null = null;
  /** https://www.twilio.com/docs/iam/api/account: `status` */
  status: 'active' | 'suspended' | 'closed' = 'active';
  readonly numbers: FakeTwilioNumbers;
  readonly calls: FakeTwilioCalls;
  /** What happens to the next requests of a method, in order. */
  readonly troubles: { readonly method: string; readonly trouble: FakeTrouble }[] = [];
  private server!: LocalServer;

  private constructor(
    stock: readonly FakeNumber[],
    readonly accountSid: string,
  ) {
    this.calls = new FakeTwilioCalls(this.accountSid, () => this.authToken);
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

  static async start(
    stock: readonly FakeNumber[] = [],
    accountSid = `AC${'5'.repeat(32)}`,
  ): Promise<FakeTwilio> {
    const fake = new FakeTwilio(stock, accountSid);
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

  /** Makes the secondary token the primary one; the one before is good for nothing (https://www.twilio.com/docs/iam/api/authtoken). */
  promote(): void {
    if (this.secondaryToken === null) throw new Error('there is no secondary token');
    this.authToken = this.secondaryToken;
    this.secondaryToken = null;
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
    const logins = [this.authToken, this.secondaryToken].map(
      (token) => `Basic ${Buffer.from(`${this.accountSid}:${token}`).toString('base64')}`,
    );
    if (!logins.includes(headers.authorization ?? '')) return refusal(401, 20003, 'Authenticate');
    const { pathname, searchParams } = new URL(path, this.url);
    const country = /^\/v1\/PhoneNumbers\/Countries\/([A-Z]{2})$/.exec(pathname);
    if (country) return this.numbers.countryPrices(country[1] ?? '');
    const account = `/2010-04-01/Accounts/${this.accountSid}`;
    if (method === 'GET' && pathname === `${account}.json`) {
      return { status: 200, body: { sid: this.accountSid, status: this.status, type: 'Full' } };
    }
    const form = new URLSearchParams(body);
    const below = pathname.startsWith(account) ? pathname.slice(account.length) : '';
    const answer =
      this.calls.answer(method, below, form) ?? this.numbers.answer(method, below, searchParams, form);
    return answer ?? refusal(404, 20404, 'The requested resource was not found');
  }
}
