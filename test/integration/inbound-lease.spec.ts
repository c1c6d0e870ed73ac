import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CallSweepService } from '../../src/modules/call-recovery/call-sweep.service.js';
import { LEASE_MS } from '../../src/modules/active-calls/leases/call-lease.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import { SandboxCallCarrier } from '../../src/providers/telephony/sandbox/sandbox-call-carrier.js';
import { TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

interface Run {
  readonly call_id: number;
  readonly token: string;
  readonly is_leased: boolean;
}

describe('a carrier that takes longer to accept a call than a lease lasts', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', DATABASE_POOL_SIZE: '16' });
  }, 60_000);
  afterAll(() => app.stop());

  it('leaves the call with the process that answers it, which talks as soon as the line is open', async () => {
    const owner = await app.account({ balanceUsd: 10 });
    const numberId = await addPhoneNumber(app, owner);
    const { id } = await createAssistant(app, owner, { type: 'inbound', phone_number_id: numberId });
    await app.as(owner).put(`/api/user/assistant/${id}`).send({ status: 'active' }).expect(200);
    const [number] = await app.query<{ phone_number: string }>(
      'SELECT phone_number FROM phone_numbers WHERE id = $1',
      [numberId],
    );
    const carrier = app.app.get(CallCarrier, { strict: false });
    if (!(carrier instanceof SandboxCallCarrier)) throw new Error('the test needs the sandbox carrier');
    const accept = carrier.accept.bind(carrier);
    let acceptedAt = 0;
    jest.spyOn(carrier, 'accept').mockImplementation(async (callId) => {
      await sleep(LEASE_MS + 3_000);
      await accept(callId);
      acceptedAt = Date.now();
    });
    const run = async () =>
      (
        await app.query<Run>(
          'SELECT call_id, lease_token AS token, lease_until > now() AS is_leased FROM active_calls WHERE user_id = $1',
          [owner.userId],
        )
      )[0];

    carrier.callIn('+5511912345600', number?.phone_number ?? '');
    await until(async () => (await run()) !== undefined);
    const begun = await run();
    await sleep(LEASE_MS + 1_000);
    await app.app.get(CallSweepService, { strict: false }).sweep();
    expect(await run()).toEqual({ ...begun, is_leased: true });

    await until(async () => acceptedAt > 0, 10_000);
    await until(async () => {
      const [call] = await app.query<{ status: string }>('SELECT status FROM calls WHERE user_id = $1', [
        owner.userId,
      ]);
      return call?.status === 'in-progress';
    }, 5_000);
    expect((await run())?.token).toBe(begun?.token);
  }, 60_000);
});
