import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Failpoint, FAILPOINTS } from '../../src/common/failpoints.js';
import { failingAt } from '../support/failing-at.js';
import { DiallerHarness, isStopped, type Verdict } from './dialler-harness.js';

/** `npm run test:faults -- 10000 100`; a short form runs with all tests. */
const LEADS = Number(process.env.FAULT_LEADS ?? 15);
const KILLS = Number(process.env.FAULT_KILLS ?? 2);
const WORKERS = Number(process.env.FAULT_WORKERS ?? 2);
/** All of them in the long form: each takes seconds. */
const FREEZES: readonly Failpoint[] = process.env.FAULT_LEADS ? FAILPOINTS : ['after-claim', 'before-send'];
const PARALLEL = 5;
/** Longer than the lease and a sweep: a takeover is done before the frozen process wakes up. */
const PAUSE_MS = 2_000;
/** A busy machine makes two or three attempts a second. */
const TIMEOUT_MS = 120_000 + KILLS * 8_000 + LEADS * 2_000;

const NOTHING_WRONG = {
  dialledTwice: [],
  dialledWithoutAttempt: [],
  numbersInTwoCalls: [],
  leadsCalledTooOften: [],
  leadsNotFinished: [],
  attemptsNotSettled: 0,
  wrongOutcomes: [],
  callsNotTold: [],
  moneyWrong: [],
} satisfies Partial<Verdict>;

let harness: DiallerHarness;

afterEach(() => harness.stop(), 30_000);

const report = (name: string, verdict: Verdict) =>
  process.stdout.write(
    `\n${JSON.stringify({
      test: name,
      leads: verdict.leads,
      attempts: verdict.attempts,
      dials: verdict.dials,
      interruptedSends: verdict.interruptedSends,
      mostLiveAtOnce: verdict.mostLiveAtOnce,
    })}\n`,
  );

describe('a campaign whose workers die', () => {
  it.each([
    ['and webhooks report all ends', true],
    ['and no webhook reports the ends', false],
  ])(
    `calls ${LEADS} leads to their end, none twice, over ${KILLS} kills at any moment, %s`,
    async (_title, isTold) => {
      harness = await DiallerHarness.start(PARALLEL, isTold);
      await harness.addLeads(LEADS);
      await harness.begin();
      for (let count = 0; count < WORKERS; count++) await harness.startWorker();
      let killed = 0;
      while (killed < KILLS) {
        await sleep(300 + Math.random() * 900);
        const ready = [...harness.workers].filter((worker) => worker.text.includes('Model '));
        const victim = ready[Math.floor(Math.random() * ready.length)];
        if (!victim) continue;
        await harness.kill(victim);
        await harness.startWorker();
        // Death comes to a campaign that is running.
        if ((await harness.stillOpen()) < PARALLEL) await harness.addLeads(20);
        killed++;
      }
      await harness.finished(TIMEOUT_MS - KILLS * 8_000 - 60_000);
      await harness.delivered(45_000);
      const verdict = await harness.verdict();
      report('kills', verdict);
      expect(verdict).toMatchObject(NOTHING_WRONG);
      expect(verdict.mostLiveAtOnce).toBeLessThanOrEqual(PARALLEL);
    },
    TIMEOUT_MS,
  );

  it(`survives a death at every named point of the dial path, and a freeze at ${FREEZES.length} of them`, async () => {
    harness = await DiallerHarness.start(PARALLEL);
    await harness.addLeads(20);
    await harness.begin();
    const fed = new AbortController();
    // Leads come slowly: a backlog would hide that an attempt was taken over.
    const feed = (async () => {
      while (!fed.signal.aborted) {
        if ((await harness.stillOpen()) < 12) await harness.addLeads(7);
        await sleep(100);
      }
    })();
    // One worker at a time dials while it is to fail, so that it comes to its point; the next one takes up what it left.
    try {
      for (const point of FAILPOINTS)
        await harness.awaitExit(await harness.startWorker(failingAt([point], 'kill')));
      await freezeAtEach(FREEZES);
      await harness.startWorker();
    } finally {
      fed.abort();
      await feed;
    }
    await harness.finished(60_000);
    await harness.delivered(45_000);
    const verdict = await harness.verdict();
    report('failpoints', verdict);
    expect(verdict).toMatchObject(NOTHING_WRONG);
    expect(verdict.mostLiveAtOnce).toBeLessThanOrEqual(PARALLEL);
    expect(verdict.interruptedSends).toBeGreaterThan(0);
  }, 400_000);
});

/** Lets a process freeze itself at each point, another take over, and the first wake up long past its lease. */
async function freezeAtEach(points: readonly Failpoint[]): Promise<void> {
  const freezing = await harness.startWorker(failingAt(points, 'pause'));
  for (let count = 0; count < points.length; count++) {
    while (!(await isStopped(freezing.pid))) await sleep(20);
    const other = await harness.startWorker();
    while (!other.text.includes('Model ')) await sleep(20);
    await sleep(PAUSE_MS);
    harness.interruptedSends++;
    await harness.kill(other);
    // It may stop at its next point within moments.
    freezing.kill('SIGCONT');
  }
}
