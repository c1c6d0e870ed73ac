import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SessionLocks } from '../../src/database/connections/session-locks.js';
import { TestApp } from '../support/app.js';
import { until } from '../support/until.js';

describe('locks that belong to a session of the database', () => {
  let app: TestApp;
  let locks: SessionLocks;

  beforeAll(async () => {
    app = await TestApp.start();
    locks = app.app.get(SessionLocks);
  });
  afterAll(() => app.stop());

  it('are kept by a stopped process, except that of the SIP trunks, which another process takes over', async () => {
    const [lead] = await locks.tryLockAll('lead', [1]);
    const [trunks] = await locks.tryLockAll('sipTrunks', [1]);
    const timeoutOf = async ({ session }: NonNullable<typeof lead>) =>
      (
        await session.query<{ timeout: string }>(
          "SELECT current_setting('idle_session_timeout') AS timeout",
          [],
        )
      )[0]?.timeout;
    expect(await timeoutOf(lead!)).toBe('0');
    expect(await timeoutOf(trunks!)).toBe('15s');
    await locks.unlock(lead!);
    await locks.unlock(trunks!);
  });

  it('are confirmed while they are held, and not once their session has ended or they were given back', async () => {
    const [held] = await locks.tryLockAll('sipTrunks', [1]);
    expect(await locks.confirm(held!)).toBe(true);
    // Of another row, or kind, says nothing of this one.
    await locks.tryLockAll('sipTrunks', [2]);
    await locks.tryLockAll('lead', [1]);
    await held!.session.query('SELECT pg_advisory_unlock(7043, 1)', []);
    expect(await locks.confirm(held!)).toBe(false);
    await locks.unlock(held!);

    const [ended] = await locks.tryLockAll('sipTrunks', [1]);
    const [{ pid } = { pid: 0 }] = await ended!.session.query<{ pid: number }>(
      'SELECT pg_backend_pid() AS pid',
      [],
    );
    await app.query('SELECT pg_terminate_backend($1)', [pid]);
    expect(await locks.confirm(ended!)).toBe(false);
    await until(() => ended!.session.isLost());
    expect(await locks.confirm(ended!)).toBe(false);
    await locks.unlock(ended!);

    const [again] = await locks.tryLockAll('sipTrunks', [1]);
    expect(await locks.confirm(again!)).toBe(true);
    await locks.unlock(again!);
  });
});
