import { beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import type { VoiceConfig } from '../../config/config.js';
import { Logger } from '../../common/observability/logger.js';
import type { CallCarriers } from '../../providers/telephony/call-carriers.js';
import type { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import type { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { CallOwnershipService } from '../active-calls/leases/call-ownership.service.js';
import { CallRunnerService } from './call-runner.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import type { CallLeasesService } from './call-leases.service.js';
import type { LineHandoverService } from './takeover/line-handover.service.js';

const CALLS = 1_000;

describe('CallRunnerService', () => {
  /** Leases of calls for which something was prepared, as a voice is while it rings. */
  let prepared: Set<CallLease>;
  let ends: (() => void)[];
  let runner: CallRunnerService;
  let processes: { own: { capacity: number; overloaded: boolean } | null };

  beforeEach(() => {
    prepared = new Set();
    ends = [];
    processes = { own: null };
    const line = { media: { audio: {} }, capabilities: { livesInProcess: true } };
    runner = new CallRunnerService(
      { recordSoon: () => undefined } as unknown as CallLeasesService,
      {} as ActiveCallsService,
      {} as CallOwnershipService,
      { named: () => line } as unknown as CallCarriers,
      processes as unknown as VoiceProcessesService,
      {} as LineHandoverService,
      { fallbackCalls: 1 } as VoiceConfig,
      Logger.create('fatal'),
    );
  });

  async function monitor(lease: CallLease): Promise<void> {
    prepared.add(lease);
    lease.signal.addEventListener('abort', () => prepared.delete(lease), { once: true });
    await new Promise<void>((resolve) => ends.push(resolve));
    // The end is written under the lease.
    expect(lease.isHeld).toBe(true);
  }

  it('takes calls while there is room for one more, and the process keeps up', () => {
    expect(runner.takesOwnLines).toBe(true);
    processes.own = { capacity: 25, overloaded: false };
    expect(runner.takesOwnLines).toBe(true);
    processes.own = { capacity: 25, overloaded: true };
    expect(runner.takesOwnLines).toBe(false);
    processes.own = { capacity: 0, overloaded: false };
    expect(runner.takesOwnLines).toBe(false);
  });

  it('takes calls without an assistant in addition to the others, up to a limit of their own', async () => {
    processes.own = { capacity: 1, overloaded: false };
    const talk = (lease: CallLease) => runner.start(lease, () => monitor(lease));
    talk(runner.createLease(1, 'sip'));
    await until(async () => prepared.size === 1);
    expect([runner.takesOwnLines, runner.takesFallbackLines]).toEqual([false, true]);
    talk(runner.createLease(2, 'sip', true));
    await until(async () => prepared.size === 2);
    expect([runner.takesOwnLines, runner.takesFallbackLines]).toEqual([false, false]);
    ends[0]?.();
    await until(async () => prepared.size === 1);
    expect([runner.takesOwnLines, runner.takesFallbackLines]).toEqual([true, false]);
    processes.own = { capacity: 1, overloaded: true };
    ends[1]?.();
    await until(async () => prepared.size === 0);
    expect([runner.takesOwnLines, runner.takesFallbackLines]).toEqual([false, false]);
  });

  it('holds the lease of a call until its monitor has returned, and releases it then, for a thousand unanswered calls', async () => {
    for (let id = 1; id <= CALLS; id++) {
      const lease = runner.createLease(id, 'sip');
      runner.start(lease, () => monitor(lease));
    }
    await until(async () => prepared.size === CALLS);
    for (const end of ends) end();
    await until(async () => runner.ownLines === 0);
    expect(prepared.size).toBe(0);
  });
});
