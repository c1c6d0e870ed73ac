import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ApiKeysService } from '../../src/modules/api-keys/api-keys.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { fillAccount } from '../support/belongings.js';
import type { Answer } from '../../src/contract/contract-check.js';
import { type FuzzRequest, requestsTo } from '../support/fuzz-requests.js';

/** `FUZZ_REQUESTS=10000 npm test -- fuzz` is the long form; `FUZZ_SEED` repeats a run. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500);
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_314);
const HANG_MS = 5_000;
const ODD_TOKENS = ['', 'x', 'Bearer', 'prosa_0', `prosa_${'0'.repeat(36)}`, 'a b c', '\u00ff'];

describe('Generated requests', () => {
  let app: TestApp;
  let account: TestAccount;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses = new Map<number, number>();
  let sent = 0;

  beforeAll(async () => {
    app = await TestApp.start({ OPEN_REGISTRATION: 'true' });
    account = await app.account({ balanceUsd: 1_000 });
  });
  afterAll(async () => {
    agent.destroy();
    await app.stop();
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    process.stdout.write(`fuzz: ${sent} requests, seed ${SEED}, ${counts.join(', ')}\n`);
  });

  function send({ method, url, headers, body, token }: FuzzRequest): Promise<Answer> {
    const authorization = {
      none: undefined,
      valid: account.token,
      odd: ODD_TOKENS[sent % ODD_TOKENS.length],
    }[token];
    const { hostname, port } = new URL(app.origin);
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          agent,
          hostname,
          port,
          method,
          path: url,
          timeout: HANG_MS,
          headers: {
            ...headers,
            ...(body ? { 'content-length': String(body.length) } : {}),
            ...(authorization === undefined ? {} : { authorization: `Bearer ${authorization}` }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              contentType: response.headers['content-type'] ?? '',
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          );
        },
      );
      request.on('timeout', () => request.destroy(new Error(`no answer in ${HANG_MS} ms`)));
      request.on('error', reject);
      request.end(body);
    });
  }

  /** What is wrong with the answer, in words that show the request. */
  async function problemOf(request: FuzzRequest): Promise<string | null> {
    const answer = await send(request).catch((error: Error) => error);
    sent += 1;
    if (answer instanceof Error) return answer.message;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    // The run may have deleted the very key it uses.
    if (answer.status === 401 && request.token === 'valid') await renewKeys();
    if (answer.status >= 500) return `${answer.status} ${answer.text}`;
    return app.contract.problemOf(request.method, request.url, answer);
  }

  async function renewKeys(): Promise<void> {
    await app.query('DELETE FROM api_keys WHERE user_id = $1', [account.userId]);
    const { token } = await app.app.get(ApiKeysService).create(account.userId, 'fuzz');
    account = { ...account, token };
  }

  // spec: conventions.all-request-response
  it(
    'get an answer of a documented shape, never a fault, from every operation',
    async () => {
      const own = await fillAccount(app, account, 'fuzz');
      const ids = {
        integers: [own.assistant, ...Object.values(own)].filter((id) => typeof id === 'number'),
        uuids: [own.assistantUuid, ...Object.values(own)].filter((id) => typeof id === 'string'),
      };
      const { routes } = app.contract;
      const numRuns = Math.ceil(REQUESTS / routes.length);
      const failures: string[] = [];
      for (const route of routes) {
        const details = await fc.check(
          fc.asyncProperty(requestsTo(route, ids), async (request) => {
            const problem = await problemOf(request);
            if (problem !== null) throw new Error(problem);
          }),
          { numRuns, seed: SEED, endOnFailure: false },
        );
        if (details.failed) {
          const [request] = details.counterexample ?? [];
          const shown = request && { ...request, body: request.body?.toString('utf8').slice(0, 600) };
          const reason = details.errorInstance instanceof Error ? details.errorInstance.message : '';
          failures.push(
            `${reason}\n  ${JSON.stringify(shown)}\n  seed ${SEED}, path ${details.counterexamplePath ?? ''}`,
          );
        }
      }
      expect(failures).toEqual([]);
      expect(sent).toBeGreaterThanOrEqual(REQUESTS);
      expect({}).not.toHaveProperty('polluted');
    },
    Math.max(60_000, REQUESTS * 40),
  );
});
