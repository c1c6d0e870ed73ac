import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Transactions } from '../../src/database/transactions.js';
import { LiveTurns } from '../../src/modules/active-calls/live-turns.js';
import { CallCompletionService } from '../../src/modules/call-completion/call-completion.service.js';
import { ActiveCallsService } from '../../src/modules/active-calls/active-calls.service.js';
import { OutboundCallsService } from '../../src/modules/outbound-calls/outbound-calls.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { phoneNumber } from '../support/campaign-builders.js';

const LINES = 7;

interface Tenant {
  readonly account: TestAccount;
  readonly assistantId: number;
}

/** No process dials: a call keeps its line until the test ends it. */
describe('the lines of the platform', () => {
  let app: TestApp;
  const tenants: Tenant[] = [];

  beforeAll(async () => {
    app = await TestApp.start({ CALLS_MAX_IN_PARALLEL: String(LINES), DATABASE_POOL_SIZE: '16' });
    for (let i = 0; i < 12; i++) {
      const account = await app.account({ balanceUsd: 10 });
      const { id } = await createAssistant(app, account, { type: 'outbound', post_call_evaluation: false });
      tenants.push({ account, assistantId: id });
    }
  }, 60_000);
  beforeEach(() => app.query('DELETE FROM active_calls'));
  afterAll(() => app.stop());

  const start = ({ account, assistantId }: Tenant) =>
    app
      .as(account)
      .post('/api/user/make_call')
      .send({ phone_number: phoneNumber(1), assistant_id: assistantId });

  const lines = async () =>
    (
      await app.query<{ line: number }>('SELECT line FROM active_calls WHERE line IS NOT NULL ORDER BY line')
    ).map(({ line }) => line);

  const tenant = (at: number) => tenants[at] as Tenant;
  const activeCalls = () => app.app.get(ActiveCallsService, { strict: false });

  it('are all given out, and none twice, to accounts that start at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      await app.query('DELETE FROM active_calls');
      const answers = await Promise.all(tenants.map(start));
      const started = answers.filter(({ status }) => status === 200).length;
      expect(started).toBeLessThanOrEqual(LINES);
      expect(await lines()).toHaveLength(started);
      // A tenant may have been skipped because of a tenant whose line was free in the end.
      for (const each of tenants) await start(each);
      expect(await lines()).toEqual(Array.from({ length: LINES }, (_, at) => at + 1));
      expect((await start(tenant(0))).status).not.toBe(200);
    }
  }, 60_000);

  it('are free again when the talk is over, and no sooner', async () => {
    const ids: number[] = [];
    for (let at = 0; at < LINES; at++) ids.push((await start(tenant(at)).expect(200)).body.call_id);
    await start(tenant(8)).expect(({ status }) => expect(status).not.toBe(200));
    const found = await activeCalls().find(ids[3] ?? 0);
    if (!found) throw new Error('the call does not run');
    const ended = found.active.line;
    await app.app
      .get(CallCompletionService, { strict: false })
      .talked(
        found,
        { status: 'ended_by_customer', seconds: 5, facts: {} },
        { token: null, turns: new LiveTurns() },
      );
    await start(tenant(8)).expect(200);
    expect(
      (
        await app.query<{ line: number }>('SELECT line FROM active_calls ORDER BY stage_since DESC LIMIT 1')
      )[0]?.line,
    ).toBe(ended);
    await start(tenant(9)).expect(({ status }) => expect(status).not.toBe(200));
  });

  it('count those of calls from when there were more', async () => {
    for (let at = 0; at < 3; at++) await start(tenant(at)).expect(200);
    await app.query('UPDATE active_calls SET line = line + $1', [LINES]);
    for (let at = 3; at < LINES; at++) await start(tenant(at)).expect(200);
    await start(tenant(9)).expect(({ status }) => expect(status).not.toBe(200));
  });

  it('are never exceeded by accounts that start at the same moment while calls have lines beyond a lowered limit', async () => {
    for (let round = 0; round < 5; round++) {
      await app.query('DELETE FROM active_calls');
      for (let at = 0; at < 4; at++) await start(tenant(at)).expect(200);
      await app.query('UPDATE active_calls SET line = line + $1', [LINES]);
      const answers = await Promise.all(tenants.slice(4).map(start));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(LINES - 4);
      expect(await lines()).toHaveLength(LINES);
    }
  }, 60_000);

  it('are started on by one account while the start of another is not committed', async () => {
    const [slow, quick] = [tenant(0), tenant(1)];
    const transactions = app.app.get(Transactions, { strict: false });
    await transactions.run(async (tx) => {
      await app.app.get(OutboundCallsService, { strict: false }).reserve(tx, {
        userId: slow.account.userId,
        assistantId: slow.assistantId,
        from: phoneNumber(2),
        phoneNumberId: null,
        to: phoneNumber(1),
        attemptId: randomUUID(),
        campaign: null,
        leadId: null,
        variables: {},
      });
      for (let i = 1; i < LINES; i++) await start(tenant(i)).timeout(3_000).expect(200);
      // The last line is the open transaction's.
      await start(quick)
        .timeout(3_000)
        .expect(({ status }) => expect(status).not.toBe(200));
    });
    expect(await lines()).toEqual(Array.from({ length: LINES }, (_, at) => at + 1));
  });
});
