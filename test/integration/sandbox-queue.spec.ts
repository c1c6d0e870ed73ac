import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailableError } from '../../src/database/outages/database-unavailable.error.js';
import { QueuedCallsService } from '../../src/modules/active-calls/queue/queued-calls.service.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import { CallSweepService } from '../../src/modules/call-recovery/call-sweep.service.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import { SandboxCallCarrier } from '../../src/providers/telephony/sandbox/sandbox-call-carrier.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const LINES = 10;
const WAITING = 50;
const BALANCE_USD = 1_000;
const QUEUE = { max_waiting: WAITING, max_seconds: 900, message: 'Um momento, já vamos atender.' };
/** The far end of calls that take lines of the plan and no part in the test. */
const OTHERS = '+5511900000000';
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };

const TIMED_OUT = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

interface CallRow {
  readonly id: number;
  readonly carrierCallId: string | null;
  readonly status: string;
  readonly name: string;
  readonly waitedMs: number | null;
  readonly charges: number;
  readonly paid: string;
}

describe('callers of sandbox numbers who wait for a line', () => {
  let app: TestApp;
  let carrier: SandboxCallCarrier;
  let owner: TestAccount;
  let number: string;
  let outboundId: number;
  const placed: string[] = [];

  beforeAll(async () => {
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      CALL_PRICE_PER_MINUTE: '0.06',
      CALLS_MAX_IN_PARALLEL: '100',
      CALLING_HOURS: 'off',
    });
    const found = app.app.get(CallCarrier, { strict: false });
    if (!(found instanceof SandboxCallCarrier)) throw new Error('the test needs the sandbox carrier');
    carrier = found;
  }, 60_000);
  afterAll(() => app.stop());

  beforeEach(async () => {
    owner = await app.account({ balanceUsd: BALANCE_USD });
    const id = await addPhoneNumber(app, owner);
    const [row] = await app.query<{ number: string }>(
      'SELECT phone_number AS number FROM phone_numbers WHERE id = $1',
      [id],
    );
    number = row!.number;
    await createAssistant(app, owner, { name: 'Loja', phone_number_id: id, ...PATIENT });
    outboundId = (await createAssistant(app, owner, { type: 'outbound' })).id;
    await app.as(owner).put(`/api/user/phone-numbers/${id}/routing`).send({ queue: QUEUE }).expect(200);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const callId of placed.splice(0)) carrier.leave(callId);
    await freeLines();
    await setLines(LINES);
    await until(async () => (await open()).length === 0, 30_000);
  });

  const setLines = (count: number) => app.query('UPDATE plans SET max_calls_in_parallel = $1', [count]);
  const open = () => app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId]);
  const calls = () =>
    app.query<CallRow>(
      `SELECT id, active.carrier_call_id AS "carrierCallId", status, assistant_name AS name,
         (routing->>'waitedMs')::integer AS "waitedMs",
         (SELECT count(*)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS charges,
         (SELECT coalesce(-sum(amount_micros), 0)::text FROM ledger_entries
          WHERE reference = 'call:' || calls.id) AS paid
       FROM calls LEFT JOIN active_calls active ON active.call_id = calls.id
       WHERE calls.user_id = $1 AND client_phone_number <> '${OTHERS}' ORDER BY id`,
      [owner.userId],
    );
  const waiting = async () =>
    (
      await app.query<{ callId: number }>(
        `SELECT call_id AS "callId" FROM active_calls WHERE user_id = $1 AND queued_at IS NOT NULL
         ORDER BY queued_at, call_id`,
        [owner.userId],
      )
    ).map(({ callId }) => callId);

  /** As if assistants talked on so many lines of the plan. */
  const takeLines = (count: number) =>
    app.query(
      `WITH running AS (
         INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number)
         SELECT $1, '', 'inbound', 'in-progress', $3 FROM generate_series(1, $2::int) RETURNING id)
       INSERT INTO active_calls (call_id, user_id, carrier, stage, max_duration_seconds, ringing_seconds,
         lease_token, lease_until)
       SELECT id, $1, 'sandbox', 'open', 3600, 30, gen_random_uuid(), now() + interval '1 hour' FROM running`,
      [owner.userId, count, OTHERS],
    );
  const freeLines = () =>
    app.query('DELETE FROM active_calls USING calls WHERE calls.id = call_id AND client_phone_number = $1', [
      OTHERS,
    ]);

  let callers = 0;
  function call(): string {
    const callId = carrier.callIn(`+5511987${String(650_000 + callers++)}`, number);
    placed.push(callId);
    return callId;
  }

  /** Every call is charged once, and nothing is held for any. */
  async function expectCharged(rows: readonly CallRow[]): Promise<void> {
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(new Set(rows.map(({ charges }) => charges))).toEqual(new Set([1]));
    const paid = rows.reduce((sum, row) => sum + Number(row.paid), 0);
    const [wallet] = await app.query<{ balance: string; held: string }>(
      'SELECT balance_micros::text AS balance, held_micros::text AS held FROM wallets WHERE user_id = $1',
      [owner.userId],
    );
    expect(wallet).toEqual({ balance: String(BALANCE_USD * 1_000_000 - paid), held: '0' });
    expect(await open()).toEqual([]);
  }

  /** Records which calls get a line, in the order in which they get it. */
  function recordServed(): number[] {
    const served: number[] = [];
    const queued = app.app.get(QueuedCallsService, { strict: false });
    const serve = queued.serve.bind(queued);
    jest.spyOn(queued, 'serve').mockImplementation(async (...args) => {
      const isServed = await serve(...args);
      if (isServed) served.push(args[0].call.id);
      return isServed;
    });
    return served;
  }

  it(`are all served in the order in which they came: ${WAITING} on ${LINES} lines`, async () => {
    await setLines(LINES);
    await takeLines(LINES);
    const served = recordServed();
    for (let at = 0; at < WAITING; at++) call();
    await until(async () => (await calls()).length === WAITING, 30_000);
    const inOrder = await waiting();
    expect(inOrder).toHaveLength(WAITING);
    await freeLines();

    const isOver = async () => {
      const rows = await calls();
      const talking = rows.filter(({ name, status }) => name === 'Loja' && status === 'in-progress');
      expect(talking.length).toBeLessThanOrEqual(LINES);
      for (const { carrierCallId } of talking) if (carrierCallId !== null) carrier.leave(carrierCallId);
      return rows.every(({ status }) => status === 'completed');
    };
    const startedMs = performance.now();
    await until(isOver, 50_000);
    process.stdout.write(
      `${WAITING} callers were served within ${Math.round(performance.now() - startedMs)} ms\n`,
    );

    expect(served).toEqual(inOrder);
    const rows = await calls();
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(['Loja']));
    expect(rows.every(({ waitedMs }) => waitedMs !== null)).toBe(true);
    await expectCharged(rows);
  }, 90_000);

  it('keep the line that has become free from calls for which no caller waits', async () => {
    await setLines(0);
    call();
    await until(async () => (await waiting()).length === 1, 10_000);
    const queued = app.app.get(QueuedCallsService, { strict: false });
    const serve = jest.spyOn(queued, 'serve').mockResolvedValue(false);
    await setLines(1);
    const dial = () =>
      app
        .as(owner)
        .post('/api/user/make_call')
        .send({ phone_number: '+5511987650901', assistant_id: outboundId });
    const refused = await dial().expect(422);
    expect(refused.body.message).toContain('1');
    serve.mockRestore();
    await until(async () => (await waiting()).length === 0, 10_000);
    await dial().expect(422);
    expect(await calls()).toMatchObject([{ name: 'Loja', status: 'in-progress' }]);
    carrier.leave(placed[0]!);
    await until(async () => (await open()).length === 0, 20_000);
    await dial().expect(200);
  }, 60_000);

  it('go on waiting, and are served, when the process that has their calls has lost them', async () => {
    await setLines(0);
    call();
    call();
    await until(async () => (await waiting()).length === 2, 10_000);
    // A call is in the queue before it is answered.
    await until(async () => (await calls()).every(({ status }) => status === 'in-progress'), 10_000);
    const inOrder = await waiting();
    // As if it had stood still for longer than its lease.
    const lost = await app.query<{ token: string }>(
      `UPDATE active_calls SET lease_token = gen_random_uuid(), lease_until = now() - interval '1 minute'
       WHERE user_id = $1 RETURNING lease_token AS token`,
      [owner.userId],
    );
    expect(lost).toHaveLength(2);
    const sweep = app.app.get(CallSweepService, { strict: false });
    const adopted = () =>
      app.query(
        `SELECT FROM active_calls WHERE user_id = $1 AND lease_token <> ALL($2::uuid[]) AND lease_until > now()`,
        [owner.userId, lost.map(({ token }) => token)],
      );
    await until(async () => {
      await sweep.sweep();
      return (await adopted()).length === 2;
    }, 20_000);
    // The process renews its leases every five seconds, and finds out that it has lost these.
    await sleep(6_000);
    expect(await waiting()).toEqual(inOrder);
    expect((await calls()).map(({ status, name }) => [status, name])).toEqual([
      ['in-progress', ''],
      ['in-progress', ''],
    ]);
    const served = recordServed();
    await setLines(1);
    await until(async () => (await waiting()).length === 1, 10_000);
    expect(await waiting()).toEqual(inOrder.slice(1));
    await setLines(2);
    await until(async () => (await waiting()).length === 0, 10_000);
    expect(served).toEqual(inOrder);
    for (const callId of placed) carrier.leave(callId);
    await until(async () => (await open()).length === 0, 20_000);
    await expectCharged(await calls());
  }, 60_000);

  it('go on waiting when the database does not answer in time', async () => {
    await setLines(0);
    call();
    await until(async () => (await waiting()).length === 1, 10_000);
    await until(async () => (await calls()).every(({ status }) => status === 'in-progress'), 10_000);
    const queued = app.app.get(QueuedCallsService, { strict: false });
    const serve = jest.spyOn(queued, 'serve').mockRejectedValueOnce(DatabaseUnavailableError.from(TIMED_OUT));
    await until(() => serve.mock.calls.length > 0, 10_000);
    await setLines(1);
    await until(async () => (await waiting()).length === 0, 10_000);
    expect(await calls()).toMatchObject([{ name: 'Loja', status: 'in-progress' }]);
  }, 60_000);

  it('wait also when the database does not answer in time as they call', async () => {
    const opened = app.app.get(CallsService, { strict: false });
    const open = jest.spyOn(opened, 'open').mockRejectedValueOnce(DatabaseUnavailableError.from(TIMED_OUT));
    call();
    await until(async () => (await calls()).some(({ name }) => name === 'Loja'), 10_000);
    expect(open).toHaveBeenCalledTimes(2);
  }, 60_000);

  it('are greeted also when they have waited for less than half a second', async () => {
    await setLines(0);
    call();
    await until(async () => (await waiting()).length === 1, 10_000);
    const queued = app.app.get(QueuedCallsService, { strict: false });
    const serve = queued.serve.bind(queued);
    jest
      .spyOn(queued, 'serve')
      .mockImplementation((waits, assistant, _waitedSeconds, tx) => serve(waits, assistant, 0, tx));
    await setLines(1);
    const said = async () =>
      (
        await app.query<{ text: string }>(
          `SELECT text FROM call_turns JOIN calls ON calls.id = call_id WHERE calls.user_id = $1 ORDER BY position`,
          [owner.userId],
        )
      ).map(({ text }) => text);
    await until(async () => (await said()).length > 0, 20_000);
    expect((await said())[0]).toContain('Olá');
  }, 60_000);
});
