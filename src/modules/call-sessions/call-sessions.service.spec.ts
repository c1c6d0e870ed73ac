import { beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { Logger } from '../../common/observability/logger.js';
import type { CallCarriers } from '../../providers/telephony/call-carriers.js';
import type { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import type { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { CallOwnershipService } from '../active-calls/leases/call-ownership.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import type { CallMonitorService } from './call-monitor.service.js';
import { CallSessionsService } from './call-sessions.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import type { CallLeasesService } from './call-leases.service.js';
import type { LineHandoverService } from './takeover/line-handover.service.js';

const CALLS = 1_000;

describe('the sessions of a process', () => {
  /** Leases of calls for which something was prepared, as a voice is while it rings. */
  let prepared: Set<CallLease>;
  let ends: (() => void)[];
  let sessions: CallSessionsService;
  let processes: { own: { capacity: number; overloaded: boolean } | null };

  beforeEach(() => {
    prepared = new Set();
    ends = [];
    processes = { own: null };
    const monitor = {
      monitor: async (lease: CallLease) => {
        prepared.add(lease);
        lease.signal.addEventListener('abort', () => prepared.delete(lease), { once: true });
        await new Promise<void>((resolve) => ends.push(resolve));
        // The end is written under the lease.
        expect(lease.isHeld).toBe(true);
      },
    } as unknown as CallMonitorService;
    const activeCalls = {
      open: async () => true,
    } as unknown as ActiveCallsService;
    const line = { media: { audio: {} }, capabilities: { livesInProcess: true } };
    sessions = new CallSessionsService(
      monitor,
      { recordSoon: () => undefined } as unknown as CallLeasesService,
      activeCalls,
      {} as CallOwnershipService,
      { named: () => line } as unknown as CallCarriers,
      processes as unknown as VoiceProcessesService,
      {} as LineHandoverService,
      Logger.create('fatal'),
    );
  });

  it('take calls while there is room for one more, and the process keeps up', () => {
    expect(sessions.takesOwnLines).toBe(true);
    processes.own = { capacity: 25, overloaded: false };
    expect(sessions.takesOwnLines).toBe(true);
    processes.own = { capacity: 25, overloaded: true };
    expect(sessions.takesOwnLines).toBe(false);
    processes.own = { capacity: 0, overloaded: false };
    expect(sessions.takesOwnLines).toBe(false);
  });

  it('keep prepared sessions while calls ring, and release those of a thousand unanswered calls', async () => {
    for (let id = 1; id <= CALLS; id++) {
      const call = { call: { id, userId: 7 }, active: { carrier: 'sip' } } as unknown as RunningCall;
      expect(await sessions.begin(call, `sip-${id}`)).toBe(true);
    }
    await until(async () => prepared.size === CALLS);
    for (const end of ends) end();
    await until(async () => sessions.ownLines === 0);
    expect(prepared.size).toBe(0);
  });
});
