import { setTimeout as sleep } from 'node:timers/promises';
import type { ManagedProcess } from './stand/managed-process.js';
import type { Stand, StandOptions } from './stand/stand.js';

/** Something that breaks under load, for a while, and is mended. */
export interface Fault {
  readonly name: string;
  readonly stand?: StandOptions;
  /** The API process is away during the fault: requests may be cut. */
  readonly takesApiAway?: boolean;
  /** Breaks it, waits, and mends it. */
  readonly run: (stand: Stand) => Promise<void>;
}

const AWAY_MS = 5_000;
/** Longer than the lease of a send in this stand, so that others have taken over when it goes on. */
const FROZEN_MS = 8_000;
const HOUR_MS = 3_600_000;

/** Dies, stays away for a while, and is started again as a supervisor would. */
function killed(pick: (stand: Stand) => ManagedProcess, awayMs = AWAY_MS) {
  return async (stand: Stand) => {
    await pick(stand).kill();
    await sleep(awayMs);
    await pick(stand).start();
  };
}

function frozen(pick: (stand: Stand) => ManagedProcess) {
  return async (stand: Stand) => {
    pick(stand).freeze();
    await sleep(FROZEN_MS);
    pick(stand).thaw();
  };
}

const redis = (stand: Stand): ManagedProcess => {
  if (!stand.redis) throw new Error('this stand has no Redis');
  return stand.redis;
};
const api = (stand: Stand) => stand.api;
const worker = (stand: Stand) => stand.worker;
const carrier = (stand: Stand) => stand.carrier;

function shifted(ms: number) {
  return async (stand: Stand) => {
    await stand.shiftClock(ms);
    await sleep(AWAY_MS);
  };
}

/** Fills the small disk of the stand, and makes room again. */
async function fullDisk(stand: Stand): Promise<void> {
  await stand.disk?.fill();
  await sleep(FROZEN_MS);
  await stand.disk?.free();
  await stand.cluster.ensureRunning();
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
  { name: 'redis-kill', stand: { queue: 'redis' }, run: killed(redis) },
  { name: 'redis-freeze', stand: { queue: 'redis' }, run: frozen(redis) },
  { name: 'carrier-kill', run: killed(carrier) },
  { name: 'carrier-freeze', run: frozen(carrier) },
  { name: 'api-kill', takesApiAway: true, run: killed(api, 1_000) },
  { name: 'api-freeze', takesApiAway: true, run: frozen(api) },
  { name: 'worker-kill', run: killed(worker, 1_000) },
  { name: 'worker-freeze', run: frozen(worker) },
  {
    name: 'everything-kill',
    takesApiAway: true,
    run: async (stand) => {
      await Promise.all([stand.api.kill(), stand.worker.kill(), stand.carrier.kill(), stand.cluster.kill()]);
      await stand.cluster.ensureRunning();
      await stand.carrier.start();
      await Promise.all([stand.api.start(), stand.worker.start()]);
    },
  },
  { name: 'data-disk-full', stand: { smallDisk: 'data' }, run: fullDisk },
  { name: 'log-disk-full', stand: { smallDisk: 'log', environment: { LOG_LEVEL: 'debug' } }, run: fullDisk },
  { name: 'clock-forward', stand: { canShiftClock: true }, run: shifted(HOUR_MS) },
  { name: 'clock-back', stand: { canShiftClock: true }, run: shifted(-HOUR_MS) },
];
