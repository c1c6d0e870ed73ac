import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CallRunnerService } from '../../src/modules/call-sessions/call-runner.service.js';
import type { TestAccount } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { TwilioProduct } from '../support/twilio/twilio-product.js';
import { until } from '../support/until.js';

const CALLER = '+14155550100';
const FAR_END = '+12025550100';

describe('calls to numbers of Twilio while no voice process is there', () => {
  let product: TwilioProduct;
  let owner: TestAccount;
  let line: { id: number; number: string };
  let numbers = 0;

  beforeAll(async () => {
    product = await TwilioProduct.open([], { PROSA_ROLES: 'api,worker', CALL_PRICE_PER_MINUTE: '0.06' });
  }, 60_000);
  beforeEach(async () => {
    owner = await product.app.account({ balanceUsd: 10 });
    line = await addNumber();
  });
  afterAll(() => product.close());

  /** As if it had been rented. */
  async function addNumber() {
    const number = `+1212555${String(3_000 + ++numbers)}`;
    const [row] = await product.app.query<{ id: number }>(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type) VALUES ($1, $2, 'US', 'normal')
       RETURNING id`,
      [owner.userId, number],
    );
    const id = row?.id ?? 0;
    await createAssistant(product.app, owner, { type: 'inbound', phone_number_id: id });
    return { id, number };
  }

  async function route(routing: object): Promise<void> {
    await product.app.as(owner).put(`/api/user/phone-numbers/${line.id}/routing`).send(routing).expect(200);
  }

  const latest = async () => (await product.app.as(owner).get('/api/user/calls').expect(200)).body.data[0];
  const statusOf = (sid: string) => product.twilio.calls.calls.get(sid)?.status;

  it('are forwarded by Twilio, and cost the seconds that Twilio has counted', async () => {
    await route({ unavailable: { action: 'forward', phone_number: FAR_END } });
    const sid = product.callIn(CALLER, line.number);
    await until(async () => statusOf(sid) === 'in-progress', 20_000);
    expect(product.twilio.calls.dialled.get(sid)).toEqual({ to: FAR_END, callerId: line.number });
    expect(await latest()).toMatchObject({
      assistant_name: '',
      routing: { branch: 'unavailable', action: 'forward', reason: 'no_voice', forwarded_to: FAR_END },
    });
    await until(async () => (await latest()).status === 'in-progress', 20_000);
    await sleep(1_500);
    product.twilio.calls.hangUp(sid);
    await until(async () => (await latest()).status === 'completed', 40_000);
    const { duration, total_cost } = await latest();
    expect(duration).toBeGreaterThan(0);
    expect(duration).toBe(product.twilio.calls.calls.get(sid)?.durationSeconds);
    // The price of the line alone.
    expect(total_cost).toBeCloseTo((0.002 * duration) / 60, 5);
    expect(await product.app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId])).toEqual(
      [],
    );
  }, 60_000);

  it('hear a message, in more calls than a voice process would speak on', async () => {
    await route({ unavailable: { action: 'message', text: 'Call again later.' } });
    const sids = Array.from({ length: 25 }, (_unused, at) =>
      product.callIn(`+1415555${String(1_000 + at)}`, line.number),
    );
    await until(async () => sids.every((sid) => product.twilio.calls.said.has(sid)), 30_000);
    expect(product.twilio.calls.said.get(sids[0] ?? '')).toMatchObject({ text: 'Call again later.' });
    const completed = async () =>
      (await product.app.as(owner).get('/api/user/calls?status=completed').expect(200)).body.total;
    await until(async () => (await completed()) === 25, 60_000);
  }, 120_000);

  it('hear busy where nothing else is set, and do not wait where no process can play sound', async () => {
    await route({
      unavailable: { action: 'busy' },
      queue: { max_waiting: 5, max_seconds: 60, message: 'One moment.' },
    });
    const sid = product.callIn(CALLER, line.number);
    await until(async () => statusOf(sid) === 'busy', 20_000);
    await until(async () => (await latest()) !== undefined);
    expect(await latest()).toMatchObject({
      status: 'busy',
      routing: { branch: 'unavailable', action: 'busy', reason: 'no_voice', waited_ms: null },
    });
  }, 60_000);

  it('are left to the fallback URL at Twilio where their number has no routing, or is unknown', async () => {
    for (const number of [line.number, '+12125559999']) {
      const sid = product.callIn(CALLER, number);
      await until(async () => product.twilio.calls.leftToFallback.has(sid), 20_000);
    }
    expect(await latest()).toBeUndefined();
  }, 60_000);

  it('are neither waited for nor hung up by a process that stops', async () => {
    await route({ unavailable: { action: 'forward', phone_number: FAR_END } });
    const sid = product.callIn(CALLER, line.number);
    await until(async () => statusOf(sid) === 'in-progress', 20_000);
    await until(async () => (await latest()).status === 'in-progress', 20_000);
    expect(await product.app.app.get(CallRunnerService, { strict: false }).drain(60_000)).toBe(0);
    expect(statusOf(sid)).toBe('in-progress');
    product.twilio.calls.hangUp(sid);
    await until(async () => (await latest()).status === 'completed', 40_000);
  }, 60_000);
});
