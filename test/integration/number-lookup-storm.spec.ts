import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MAX_RUNNING_CALL_LOOKUPS } from '../../src/modules/caller-lookups/caller-lookups.service.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import { SandboxCallCarrier } from '../../src/providers/telephony/sandbox/sandbox-call-carrier.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';

const STORM_SECONDS = 3;
const CALLS_A_SECOND = 100;
const CALLS = STORM_SECONDS * CALLS_A_SECOND;
const LOOKUP_TIMEOUT_MS = 7_500;

let app: TestApp;
let carrier: SandboxCallCarrier;
let server: LocalServer;
let hangs = false;
const held = new Set<ServerResponse>();
let mostHeld = 0;

beforeAll(async () => {
  app = await TestApp.start({
    PROSA_ROLES: 'api,worker',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    CALLS_MAX_IN_PARALLEL: '1000',
  });
  const found = app.app.get(CallCarrier, { strict: false });
  if (!(found instanceof SandboxCallCarrier)) throw new Error('the test needs the sandbox carrier');
  carrier = found;
  await app.query('UPDATE plans SET max_calls_in_parallel = 1000');
  server = await LocalServer.start((_request, response) => {
    if (!hangs) return answerJson(response, {});
    held.add(response);
    response.once('close', () => held.delete(response));
    mostHeld = Math.max(mostHeld, held.size);
  });
}, 60_000);

afterAll(async () => {
  for (const response of held) response.destroy();
  await app.stop();
  await server.stop();
});

async function addNumber(owner: TestAccount): Promise<{ id: number; number: string }> {
  const id = await addPhoneNumber(app, owner);
  const [row] = await app.query<{ number: string }>(
    'SELECT phone_number AS number FROM phone_numbers WHERE id = $1',
    [id],
  );
  return { id, number: row?.number ?? '' };
}

/** What a caller meets, and after how long. */
async function call(from: string, to: string): Promise<{ readonly meets: string; readonly ms: number }> {
  const startedAt = performance.now();
  const callId = carrier.callIn(from, to);
  for await (const event of carrier.watch(callId, AbortSignal.timeout(60_000))) {
    const isAnswered = event.type === 'answered' || (event.type === 'state' && event.call.answeredAt);
    if (!isAnswered && event.type !== 'ended') continue;
    carrier.leave(callId);
    return { meets: isAnswered ? 'answer' : 'busy', ms: performance.now() - startedAt };
  }
  throw new Error('neither answered nor turned away');
}

/** Callers of one account at that pace, and a twentieth as many of another. */
async function storm(asking: string, other: string) {
  const stormy: ReturnType<typeof call>[] = [];
  const others: ReturnType<typeof call>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < CALLS; sent++) {
    stormy.push(call(`+55119876${String(10_000 + sent)}`, asking));
    if (sent % 20 === 0) others.push(call(`+55119875${String(10_000 + sent)}`, other));
    await sleep(Math.max(startedAt + (sent + 1) * (1_000 / CALLS_A_SECOND) - performance.now(), 0));
  }
  const answered = await Promise.all(others);
  expect(new Set(answered.map(({ meets }) => meets))).toEqual(new Set(['answer']));
  const turnedAway = await Promise.all(stormy);
  expect(new Set(turnedAway.map(({ meets }) => meets))).toEqual(new Set(['busy']));
  const median =
    answered.map(({ ms }) => ms).toSorted((one, next) => one - next)[Math.floor(answered.length / 2)] ?? 0;
  return { median, longestMs: Math.max(...turnedAway.map(({ ms }) => ms)) };
}

it('100 calls a second that ask a server which hangs delay no call of another account', async () => {
  const owner = await app.account({ balanceUsd: 100 });
  const asking = await addNumber(owner);
  await app
    .as(owner)
    .put(`/api/user/phone-numbers/${asking.id}/routing`)
    .send({ lookup_url: `${server.url}/who`, lookup_timeout_ms: LOOKUP_TIMEOUT_MS })
    .expect(200);
  const calm = await app.account({ balanceUsd: 100 });
  const other = await addNumber(calm);
  await createAssistant(app, calm, { phone_number_id: other.id });

  const quick = await storm(asking.number, other.number);
  hangs = true;
  const slow = await storm(asking.number, other.number);
  expect(slow.median).toBeLessThan(2 * quick.median + 500);
  // At most so many wait at a time; the others go on without a lookup. The server sees late that one has given up.
  expect(mostHeld).toBeGreaterThanOrEqual(MAX_RUNNING_CALL_LOOKUPS);
  expect(mostHeld).toBeLessThan(1.5 * MAX_RUNNING_CALL_LOOKUPS);
  expect(slow.longestMs).toBeGreaterThanOrEqual(LOOKUP_TIMEOUT_MS);
}, 120_000);
