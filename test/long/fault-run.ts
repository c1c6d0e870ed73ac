import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './load/client.js';
import { Judge } from './load/judge.js';
import { Load, type LoadOptions } from './load/load.js';
import { brokenPromises, comeToRest } from './load/verdict.js';
import type { Fault } from './fault-list.js';
import { Testbed } from './testbed/testbed.js';

export interface FaultReport {
  readonly fault: string;
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly acknowledged: Readonly<Record<string, number>>;
  /** Whether readiness reported a failure during the fault. */
  readonly readinessWentRed: boolean;
  /** From the end of the fault until each worked again; null when it did not in time. */
  readonly recoveredMs: Readonly<Record<string, number | null>>;
  /** From the end of the load until leads, calls and webhooks had come to rest. */
  readonly restMs: number;
  readonly violations: readonly string[];
}

export interface FaultTimes {
  readonly before: number;
  readonly after: number;
  readonly rest: number;
}

export const FULL_LOAD: LoadOptions = {
  chats: 50,
  thinkMs: 3_000,
  leadEveryMs: 500,
  callEveryMs: 2_000,
  importRows: 40,
  importEveryMs: 1_500,
};
export const FULL_TIMES: FaultTimes = { before: 5_000, after: 4_000, rest: 100_000 };

const RECOVERY_LIMIT_MS = 45_000;
/** Requests that were on their way when it was mended may still tell of it. */
const GRACE_MS = 3_000;
const STEP_MS = 50;
const FAULTS_SHOWN = 3;
const STACK_CHARACTERS = 1_500;

/** Brings a testbed up, breaks one thing under load, mends it, and looks at everything. */
export async function runFault(fault: Fault, options = FULL_LOAD, times = FULL_TIMES): Promise<FaultReport> {
  const testbed = await Testbed.start(fault.testbed);
  try {
    return await underLoad(testbed, fault, options, times);
  } finally {
    await testbed.stop();
  }
}

async function underLoad(
  testbed: Testbed,
  fault: Fault,
  options: LoadOptions,
  times: FaultTimes,
): Promise<FaultReport> {
  const judge = new Judge(testbed.contract);
  const load = await Load.prepare(testbed, judge, options);
  load.begin();
  await sleep(times.before);
  judge.isFaulty = true;
  judge.isApiAway = fault.takesApiAway ?? false;
  const watch = new ReadinessWatch(testbed.url);
  await fault.run(testbed);
  const recoveredMs = await recovery(testbed, judge);
  await watch.stop();
  await sleep(GRACE_MS);
  judge.calmDown();
  await sleep(times.after);
  // What is waiting now was sent when all was well.
  await load.end();
  const unwantedEnds = testbed.unwantedEnds;
  for (const one of testbed.processes) await one.ensureRunning();
  const endedAt = performance.now();
  const restless = await comeToRest(testbed, times.rest);
  const restMs = Math.round(performance.now() - endedAt);
  return {
    fault: fault.name,
    requests: load.requests,
    statuses: Object.fromEntries(judge.statuses),
    acknowledged: load.promises.counts,
    readinessWentRed: watch.wentRed,
    recoveredMs,
    restMs,
    violations: [
      ...unwantedEnds.map((end) => `a process ended unexpectedly: ${end}`),
      ...Object.entries(recoveredMs)
        .filter(([, ms]) => ms === null)
        .map(([what]) => `${what} did not work again within ${RECOVERY_LIMIT_MS} ms`),
      ...(restless === null ? [] : [`no rest within ${times.rest} ms: ${restless}`]),
      ...judge.violations,
      ...faultsIn(testbed.api.log()),
      ...(await brokenPromises(testbed, load.promises)),
    ],
  };
}

/** What the log says of answers 500, one line a kind: the testbed's files are gone when the run is over. */
function faultsIn(log: string): string[] {
  const causes = log
    .split('\n')
    .filter((line) => line.includes('"unexpected error"'))
    .map((line) => (JSON.parse(line) as { err?: { type?: string; message?: string; stack?: string } }).err)
    .map((err) => err?.stack?.slice(0, STACK_CHARACTERS) ?? `${err?.type}: ${err?.message}`);
  return [...new Set(causes)].slice(0, FAULTS_SHOWN).map((cause) => `a fault of ours was logged: ${cause}`);
}

/** How long it takes from now until each part works again; null for what does not in time. */
async function recovery(testbed: Testbed, judge: Judge): Promise<Record<string, number | null>> {
  const client = new Client(testbed.url, testbed.token, judge);
  const startedAt = performance.now();
  const healedAt = Date.now();
  const until = async (works: () => Promise<boolean>): Promise<number | null> => {
    while (performance.now() - startedAt < RECOVERY_LIMIT_MS) {
      if (await works()) return Math.round(performance.now() - startedAt);
      await sleep(STEP_MS);
    }
    return null;
  };
  try {
    const [ready, reads, dials] = await Promise.all([
      until(() => isReady(testbed.url)),
      until(async () => (await client.ask('GET', '/api/user/calls?per_page=1')).status === 200),
      until(async () => {
        const log = await testbed.dialLog().catch(() => null);
        return log?.dials.some(({ dialledAt }) => dialledAt > healedAt) ?? false;
      }),
    ]);
    return { ready, reads, dials };
  } finally {
    await client.close();
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(3_000) });
    await response.text();
    return response.ok;
  } catch {
    // No answer: not ready.
    return false;
  }
}

class ReadinessWatch {
  wentRed = false;
  private stopping = false;
  private readonly running: Promise<void>;

  constructor(private readonly url: string) {
    this.running = this.look();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async look(): Promise<void> {
    while (!this.stopping) {
      if (!(await isReady(this.url))) this.wentRed = true;
      await sleep(200);
    }
  }
}
