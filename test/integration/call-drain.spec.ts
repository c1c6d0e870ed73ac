import { afterEach, describe, expect, it } from '@jest/globals';
import { CallRunnerService } from '../../src/modules/call-sessions/call-runner.service.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';

/** A minute passes in three seconds. */
const SPEED = 20;

/** Of a carrier whose lines live in the process, as those of the web and of SIP do. */
describe('a process that stops', () => {
  let app: TestApp;
  let carrier: CallCarrier;
  let owner: TestAccount;

  async function start(): Promise<CallRunnerService> {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: String(SPEED) });
    carrier = app.app.get(CallCarrier, { strict: false });
    Object.assign(carrier.capabilities, { reattachable: false, livesInProcess: true });
    owner = await app.account({ balanceUsd: 10 });
    return app.app.get(CallRunnerService, { strict: false });
  }
  afterEach(() => app.stop());

  async function dial(phone: string): Promise<number> {
    const { id } = await createAssistant(app, owner, { type: 'outbound', post_call_evaluation: false });
    const request = { phone_number: phone, assistant_id: id };
    return (await app.as(owner).post('/api/user/make_call').send(request).expect(200)).body.call_id;
  }

  async function statusOf(callId: number): Promise<string> {
    const [row] = await app.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [callId]);
    return row?.status ?? 'gone';
  }
  const becomes = (callId: number, status: string) =>
    until(async () => (await statusOf(callId)) === status, 20_000);

  it('lets its own calls finish, and takes no others', async () => {
    const runner = await start();
    const callId = await dial('+5511987654300');
    await becomes(callId, 'in-progress');
    const draining = runner.drain(30_000);
    const late = await dial('+5511987654310');
    expect(await draining).toBe(0);
    await becomes(callId, 'completed');
    const [row] = await app.query<{ transcript: string }>('SELECT transcript FROM calls WHERE id = $1', [
      callId,
    ]);
    expect(row?.transcript).toMatch(/Customer: .*[Tt]chau/);
    expect(await statusOf(late)).toBe('initiated');
    expect(await app.query('SELECT stage FROM active_calls WHERE call_id = $1', [late])).toEqual([
      { stage: 'waiting' },
    ]);
  }, 60_000);

  it('hangs up those that last too long, with all that belongs to their end', async () => {
    const runner = await start();
    const callId = await dial('+5511987654300');
    await becomes(callId, 'in-progress');
    expect(await runner.drain(1)).toBe(1);
    await becomes(callId, 'completed');
    const [row] = await app.query<{ key: string }>('SELECT attempt_id AS key FROM calls WHERE id = $1', [
      callId,
    ]);
    expect(await carrier.findCall(row?.key ?? '')).toMatchObject({ call: { end: { by: 'platform' } } });
    expect(await app.query('SELECT call_id FROM active_calls')).toEqual([]);
    expect(await app.query("SELECT state FROM holds WHERE state = 'held'")).toEqual([]);
  }, 60_000);
});
