import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { collectGarbage } from '#test/support/garbage.js';
import { Logger } from '../../../common/observability/logger.js';
import { SystemClock } from '../../../common/time/clock.js';
import { readUntil } from '#test/conformance/call-carrier.conformance.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { SandboxCallCarrier } from '../../../providers/telephony/sandbox/sandbox-call-carrier.js';
import { MemoryJournal } from '../../../providers/telephony/sandbox/sandbox-journal.js';
import { CallLease } from '../../active-calls/leases/call-lease.js';
import { CallHangupService } from './call-hangup.service.js';

const SPEED = 100;
/** A person who says nothing and never hangs up. */
const PATIENT = { answers: 'human', opening: null, replies: [], nudge: null } as const;

describe('the end of a line', () => {
  let carrier: SandboxCallCarrier;
  let hangup: CallHangupService;
  let lease: CallLease;
  let carrierCallId: string;

  beforeEach(async () => {
    const clock = new SystemClock(SPEED);
    carrier = new SandboxCallCarrier({ clock, journal: new MemoryJournal(), persona: () => PATIENT });
    hangup = new CallHangupService(Logger.create('fatal'));
    lease = new CallLease(1, 'sandbox', carrier);
    const placed = await carrier.place({
      key: 'attempt',
      from: '+551130000000',
      to: '+5511987654300',
      ringingTimeoutMs: 30_000,
    });
    carrierCallId = placed.callId;
    await readUntil(carrier.watch(carrierCallId), 'answered');
  });
  afterEach(() => carrier.close());

  const line = () => ({ lease, carrierCallId });
  const progress = async () => {
    const lookup = await carrier.findCall('attempt');
    return lookup.found === 'yes' ? lookup.call.progress : null;
  };

  it('comes by itself while others talk', async () => {
    const waiting = hangup.waitForEnd(line(), 600_000);
    await sleep(20);
    await carrier.hangUp(carrierCallId);
    expect(await waiting).toMatchObject({ end: { outcome: 'hung-up' } });
  });

  it('comes by us when the time of others is over', async () => {
    const waiting = hangup.waitForEnd(line(), 20_000);
    for (let round = 0; round < 3; round++) {
      await sleep(20);
      collectGarbage();
    }
    const last = await waiting;
    expect(last).toMatchObject({ end: { by: 'platform' } });
    expect(last?.end?.answeredMs).toBeGreaterThanOrEqual(20_000);
  });

  it('is left to the next process when this one stops, at once and with the line open', async () => {
    const waiting = hangup.waitForEnd(line(), 1_200_000);
    await sleep(20);
    lease.release();
    const startedAt = performance.now();
    expect((await waiting)?.end ?? null).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(await progress()).toBe('answered');
  });

  it('is an error while the carrier cannot be watched, and the call stays up', async () => {
    const waiting = hangup.waitForEnd(line(), 600_000);
    await sleep(20);
    await carrier.close();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    expect(await progress()).toBe('answered');
  });

  it('is asked for until the carrier hears it', async () => {
    const hangUp = jest
      .spyOn(carrier, 'hangUp')
      .mockRejectedValueOnce(new CallCarrierError('timeout', 'maybe'));
    expect(await hangup.hangUp(line())).toMatchObject({ end: { by: 'platform' } });
    expect(hangUp).toHaveBeenCalledTimes(2);
  });

  it('of a line that the carrier has forgotten is null', async () => {
    expect(await hangup.hangUp({ lease, carrierCallId: 'sandbox-gone' })).toBeNull();
    expect(await hangup.readFinalState({ lease, carrierCallId: 'sandbox-gone' })).toBeNull();
  });
});
