import { setTimeout as sleep } from 'node:timers/promises';
import type { ManagedProcess } from './testbed/managed-process.js';
import type { Testbed, TestbedOptions } from './testbed/testbed.js';

/** Something that breaks under load, for a while, and is mended. */
export interface Fault {
  readonly name: string;
  readonly testbed?: TestbedOptions;
  /** The API process is away during the fault: requests may be cut. */
  readonly takesApiAway?: boolean;
  /** Breaks it, waits, and mends it. */
  readonly run: (testbed: Testbed) => Promise<void>;
}

const AWAY_MS = 5_000;
/** Longer than the lease of a send in this testbed, so that others have taken over when it goes on. */
const FROZEN_MS = 8_000;
const HOUR_MS = 3_600_000;

/** Dies, stays away for a while, and is started again as a supervisor would. */
function killed(pick: (testbed: Testbed) => ManagedProcess, awayMs = AWAY_MS) {
  return async (testbed: Testbed) => {
    await pick(testbed).kill();
    await sleep(awayMs);
    await pick(testbed).start();
  };
}

function frozen(pick: (testbed: Testbed) => ManagedProcess) {
  return async (testbed: Testbed) => {
    pick(testbed).freeze();
    await sleep(FROZEN_MS);
    pick(testbed).thaw();
  };
}

const redis = (testbed: Testbed): ManagedProcess => {
  if (!testbed.redis) throw new Error('this testbed has no Redis');
  return testbed.redis;
};
const api = (testbed: Testbed) => testbed.api;
const worker = (testbed: Testbed) => testbed.worker;
const carrier = (testbed: Testbed) => testbed.carrier;

function shifted(ms: number) {
  return async (testbed: Testbed) => {
    await testbed.shiftClock(ms);
    await sleep(AWAY_MS);
  };
}

/** Fills the small disk of the testbed, and makes room again. */
async function fullDisk(testbed: Testbed): Promise<void> {
  await testbed.disk?.fill();
  await sleep(FROZEN_MS);
  await testbed.disk?.free();
  await testbed.cluster.ensureRunning();
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'postgres-kill',
    run: async ({ cluster }) => {
      await cluster.kill();
      await cluster.ensureRunning();
    },
  },
  {
    name: 'postgres-away',
    run: async ({ cluster }) => {
      await cluster.kill();
      await sleep(AWAY_MS);
      await cluster.ensureRunning();
    },
  },
  {
    name: 'postgres-freeze',
    run: async ({ cluster }) => {
      const thaw = await cluster.freeze();
      await sleep(FROZEN_MS);
      thaw();
    },
  },
  {
    name: 'backend-kill',
    run: async ({ cluster }) => {
      const [busiest] = await cluster.backends();
      if (busiest) process.kill(busiest, 'SIGKILL');
      await sleep(1_000);
      await cluster.ensureRunning();
    },
  },
  {
    name: 'backend-freeze',
    run: async ({ cluster }) => {
      const [busiest] = await cluster.backends();
      if (!busiest) return;
      process.kill(busiest, 'SIGSTOP');
      await sleep(FROZEN_MS);
      process.kill(busiest, 'SIGCONT');
    },
  },
  { name: 'redis-kill', testbed: { queue: 'redis' }, run: killed(redis) },
  { name: 'redis-freeze', testbed: { queue: 'redis' }, run: frozen(redis) },
  { name: 'carrier-kill', run: killed(carrier) },
  { name: 'carrier-freeze', run: frozen(carrier) },
  { name: 'api-kill', takesApiAway: true, run: killed(api, 1_000) },
  { name: 'api-freeze', takesApiAway: true, run: frozen(api) },
  { name: 'worker-kill', run: killed(worker, 1_000) },
  { name: 'worker-freeze', run: frozen(worker) },
  {
    name: 'everything-kill',
    takesApiAway: true,
    run: async (testbed) => {
      await Promise.all([
        testbed.api.kill(),
        testbed.worker.kill(),
        testbed.carrier.kill(),
        testbed.cluster.kill(),
      ]);
      await testbed.cluster.ensureRunning();
      await testbed.carrier.start();
      await Promise.all([testbed.api.start(), testbed.worker.start()]);
    },
  },
  { name: 'data-disk-full', testbed: { smallDisk: 'data' }, run: fullDisk },
  {
    name: 'log-disk-full',
    testbed: { smallDisk: 'log', environment: { LOG_LEVEL: 'debug' } },
    run: fullDisk,
  },
  { name: 'clock-forward', testbed: { canShiftClock: true }, run: shifted(HOUR_MS) },
  { name: 'clock-back', testbed: { canShiftClock: true }, run: shifted(-HOUR_MS) },
];
