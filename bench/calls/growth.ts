import { load, percentile } from '../support/http-load.js';
import type { Scenario } from './scenarios.js';
import { SeededProsa, type Target } from './seeded-prosa.js';

const CONNECTIONS = 8;
const ROUNDS = 9;
/** Until the compiler of the engine has settled. */
const WARM_UP_SECONDS = 10;
const MAX_GROWTH = 1.3;

interface Growth {
  readonly from: number;
  readonly to: number;
  /** Of load for each list of each database. */
  readonly seconds: number;
  readonly scenarios: readonly Scenario[];
}

/**
 * Compares Prosa on two databases of different size, in turns, so that a slow moment of the machine meets both. Whether no
 * list became more costly than it may.
 */
export async function measureGrowth({ from, to, seconds, scenarios }: Growth): Promise<boolean> {
  const running: SeededProsa[] = [];
  try {
    for (const calls of [from, to]) running.push(await SeededProsa.start(calls));
    const [few, many] = running as [SeededProsa, SeededProsa];
    for (const prosa of running)
      await rpsOf(prosa.target({ query: () => ({}) }, prosa.seeded.small), WARM_UP_SECONDS);
    const ratios: Record<string, { 'big tenant': string; 'small tenant': string }> = {};
    let highest = 0;
    for (const scenario of scenarios) {
      const ratioOf = (kind: 'big' | 'small') =>
        compare(few.target(scenario, few.seeded[kind]), many.target(scenario, many.seeded[kind]), seconds);
      const [big, small] = [await ratioOf('big'), await ratioOf('small')];
      ratios[scenario.name] = { 'big tenant': big.toFixed(2), 'small tenant': small.toFixed(2) };
      highest = Math.max(highest, big, small);
      console.log(`  ${scenario.name} done`);
    }
    console.log(`\nCost of a list among ${to} calls to that among ${from}; goal: at most ${MAX_GROWTH}`);
    console.table(ratios);
    console.log(highest <= MAX_GROWTH ? 'The goal is met.' : 'The goal is missed.');
    return highest <= MAX_GROWTH;
  } finally {
    for (const prosa of running) await prosa.stop();
  }
}

/** How many times as long a request takes in the second place as in the first one: the middle of the rounds. */
async function compare(first: Target, second: Target, seconds: number): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = await rpsOf(first, seconds / ROUNDS);
    rounds.push(before / (await rpsOf(second, seconds / ROUNDS)));
  }
  return percentile(rounds, 0.5);
}

async function rpsOf({ url, headers }: Target, seconds: number): Promise<number> {
  const { requests, seconds: taken } = await load(url, headers, { connections: CONNECTIONS, seconds });
  return requests / taken;
}
