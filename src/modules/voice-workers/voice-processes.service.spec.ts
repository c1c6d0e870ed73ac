import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '../../common/observability/logger.js';
import type { CallsConfig, VoiceConfig } from '../../config/config.js';
import type { Transactions } from '../../database/transactions.js';
import type { CallCarriers } from '../../providers/telephony/call-carriers.js';
import type { JobsService } from '../../queues/jobs.service.js';
import type { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { VoiceProcessesRepository } from './voice-processes.repository.js';
import { VoiceProcessesService } from './voice-processes.service.js';

describe('a voice process that cannot keep up', () => {
  let nowMs: number;
  let beats: { readonly draining: boolean }[];
  let woken: number[];
  let processes: VoiceProcessesService;

  beforeEach(async () => {
    nowMs = 0;
    jest.useFakeTimers();
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    beats = [];
    woken = [];
    const repository = {
      beat: async (row: { readonly draining: boolean }) => void beats.push(row),
      listWaiting: async () => [7],
      markDead: async () => undefined,
    } as unknown as VoiceProcessesRepository;
    const carrier = { name: 'sip', media: { audio: {} }, placesHere: true };
    processes = new VoiceProcessesService(
      repository,
      {} as ActiveCallsService,
      {} as Transactions,
      { all: [carrier] } as unknown as CallCarriers,
      { maxCalls: 25 } as VoiceConfig,
      {} as CallsConfig,
      {
        wake: (_job: unknown, { callId }: { callId: number }) => void woken.push(callId),
      } as unknown as JobsService,
      Logger.create('fatal'),
    );
    await processes.join('127.0.0.1:1');
  });
  afterEach(async () => {
    await processes.leave();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** Timers are so late for so long. */
  async function run(seconds: number, lateMs: number): Promise<void> {
    for (const endMs = nowMs + seconds * 1_000; nowMs < endMs;) {
      nowMs += 100 + lateMs;
      await jest.advanceTimersByTimeAsync(100);
    }
  }

  it('tells the others within a second that it takes no calls, and those that wait once it does again', async () => {
    await run(8, 10);
    expect([processes.own?.overloaded, beats.at(-1)?.draining]).toEqual([false, false]);
    await run(7, 150);
    expect([processes.own?.overloaded, processes.own?.draining, beats.at(-1)?.draining]).toEqual([
      true,
      false,
      true,
    ]);
    expect(beats.at(-1)).not.toHaveProperty('overloaded');
    expect(processes.latenessMs).toBeGreaterThan(100);
    woken.length = 0;
    await run(8, 0);
    expect([processes.own?.overloaded, woken]).toEqual([true, []]);
    await run(4, 0);
    expect([processes.own?.overloaded, beats.at(-1)?.draining]).toEqual([false, false]);
    expect(woken).toContain(7);
  });

  it('stays as it is after one pause, as when a model is loaded', async () => {
    await run(4, 3_900);
    await run(8, 0);
    expect(processes.own?.overloaded).toBe(false);
    expect(beats.some(({ draining }) => draining)).toBe(false);
  });
});
