import { afterEach, describe, expect, it } from '@jest/globals';
import { type Answer, answerJson, LocalServer } from '#test/support/http-server.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { SandboxCarrierClient } from './sandbox-carrier-client.js';

let server: LocalServer | null = null;
let client: SandboxCarrierClient | null = null;

afterEach(async () => {
  await client?.close();
  await server?.stop();
  server = null;
});

const CALL = { key: 'key', from: '+551130000000', to: '+5511980000000', ringingTimeoutMs: 1_000 };

async function failureAt(url: string): Promise<CallCarrierError> {
  client = new SandboxCarrierClient(url, 1);
  const failure = await client.place(CALL).catch((error: unknown) => error);
  if (!(failure instanceof CallCarrierError)) throw new Error('the call was taken');
  return failure;
}

async function failureOf(answer: Answer): Promise<CallCarrierError> {
  server = await LocalServer.start(answer);
  return failureAt(server.url);
}

describe('a call that the carrier did not take', () => {
  it('is undelivered when the server is down or the host has no address', async () => {
    const gone = await LocalServer.start(() => undefined);
    await gone.stop();
    expect(await failureAt(gone.url)).toMatchObject({ code: 'unavailable', sent: 'no', isUndelivered: true });
    expect(await failureAt('http://carrier.invalid:4000')).toMatchObject({ isUndelivered: true });
  });

  it('is undelivered when it is turned away before it is dealt with: 503', async () => {
    const failure = await failureOf((_request, response) => void response.writeHead(503).end('<h1>No</h1>'));
    expect(failure).toMatchObject({ code: 'unavailable', sent: 'no', isUndelivered: true });
  });

  it.each([
    ['7', 7_000],
    [undefined, null],
  ])('is undelivered when there are too many: 429 with Retry-After %s', async (header, retryAfterMs) => {
    const failure = await failureOf(
      (_request, response) =>
        void response.writeHead(429, header === undefined ? {} : { 'Retry-After': header }).end(),
    );
    expect(failure).toMatchObject({ code: 'rate-limited', sent: 'no', retryAfterMs, isUndelivered: true });
  });

  it.each([500, 502, 504])('may have been dialled after a status %i', async (status) => {
    const failure = await failureOf((_request, response) => answerJson(response, {}, status));
    expect(failure).toMatchObject({ code: 'unavailable', sent: 'maybe', isUndelivered: false });
  });

  it('may have been dialled when the connection breaks before the answer', async () => {
    const failure = await failureOf((_request, response) => void response.destroy());
    expect(failure).toMatchObject({ code: 'unavailable', sent: 'maybe', isUndelivered: false });
  });

  it('is refused, not undelivered, when the carrier says so itself', async () => {
    const failure = await failureOf((_request, response) =>
      answerJson(response, { code: 'rejected', sent: 'no' }, 409),
    );
    expect(failure).toMatchObject({ code: 'rejected', sent: 'no', isUndelivered: false });
  });
});
