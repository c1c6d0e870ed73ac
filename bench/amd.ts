/**
 * How often people are taken for answering machines, and machines for people: `npm run bench -- amd [--wrong] [--takes 2] [--detector file]`.
 *
 * Sentences of people, mailboxes, networks, menus and call screening (bench/amd/sentences) are spoken by espeak-ng in several
 * voices, over lines with noise, loss and beeps made by sox and by calculation, and played to the detector together with an
 * assistant that greets, is interrupted and answers. Words come from a scripted recogniser with the delays of real ones, which
 * misses some on bad lines. The detector was tuned on the set `tuning`; `held-out` was written before.
 *
 * Goals: people taken for machines 1 % at most, machines taken for people 10 % at most. `--wrong` lists the situations that failed.
 * `--takes` says how many recordings are made of each sentence, and `--set` measures one set alone. `--detector` measures another version: the path of its `answering-machine-detector.ts`.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Detector, type Outcome, Simulation } from './amd/simulation.js';
import { SETS, type Situation, situationsOf, type Truth } from './amd/situations.js';
import { RATE_HZ, requirePrograms } from './amd/sounds.js';

interface Result {
  readonly situation: Situation;
  readonly outcome: Outcome;
}

const { values } = parseArgs({
  options: {
    wrong: { type: 'boolean', default: false },
    takes: { type: 'string', default: '2' },
    set: { type: 'string' },
    detector: { type: 'string' },
  },
});
const DETECTOR = values.detector
  ? pathToFileURL(resolve(values.detector)).href
  : new URL('../src/voice/machine/answering-machine-detector.ts', import.meta.url).href;
/** What ends the call, or says nothing to a person. */
const AS_MACHINE = new Set(['machine', 'menu']);
const GOALS = { peopleAsMachines: 0.01, machinesAsPeople: 0.1 };

const { AnsweringMachineDetector } = (await import(DETECTOR)) as {
  AnsweringMachineDetector: new (sampleRateHz: number) => Detector;
};
requirePrograms();
for (const set of SETS.filter((name) => name === (values.set ?? name))) {
  const results = situationsOf(set, Number(values.takes)).map((situation) => ({
    situation,
    outcome: new Simulation(situation, new AnsweringMachineDetector(RATE_HZ)).run(),
  }));
  print(set, results);
}

function print(set: string, results: readonly Result[]): void {
  console.log(`\nSentences: ${set}, ${results.length} situations`);
  console.table(rowsBy(results, ({ truth }) => truth));
  console.table(rowsBy(results, ({ truth, language }) => `${truth}, ${language}`));
  console.table(rowsBy(results, ({ truth, kind }) => `${truth}, ${kind}`));
  console.table(rowsBy(results, ({ truth, condition }) => `${truth}, ${condition.name}`));
  goal('people judged machines', GOALS.peopleAsMachines, of(results, 'human'));
  goal('machines judged people', GOALS.machinesAsPeople, of(results, 'machine'));
  if (!values.wrong) return;
  for (const { situation, outcome } of results.filter(isWrong)) {
    const { truth, language, kind, condition, name } = situation;
    console.log(
      `  ${truth} as ${outcome.decision} at ${outcome.atMs}: [${language}, ${kind}, ${condition.name}] ${name}`,
    );
  }
}

function of(results: readonly Result[], truth: Truth): readonly Result[] {
  return results.filter(({ situation }) => situation.truth === truth);
}

function isWrong({ situation: { truth }, outcome: { decision } }: Result): boolean {
  switch (truth) {
    case 'human':
      return decision !== 'human' && decision !== 'unknown';
    case 'other':
      return AS_MACHINE.has(decision);
    case 'machine':
    case 'menu':
    case 'screening':
      return decision !== truth;
  }
}

function rowsBy(results: readonly Result[], keyOf: (situation: Situation) => string) {
  const keys = [...new Set(results.map(({ situation }) => keyOf(situation)))];
  return Object.fromEntries(
    keys.map((key) => [key, rowOf(results.filter(({ situation }) => keyOf(situation) === key))]),
  );
}

function rowOf(results: readonly Result[]) {
  const times = results
    .filter((result) => !isWrong(result))
    .flatMap(({ outcome }) => outcome.atMs ?? [])
    .toSorted((one, other) => one - other);
  const seconds = (share: number) => ((times[Math.floor(times.length * share)] ?? NaN) / 1_000).toFixed(1);
  return {
    situations: results.length,
    wrong: results.filter(isWrong).length,
    'wrong %': percent(results.filter(isWrong).length / results.length),
    'hung up on %': percent(
      results.filter(({ outcome }) => AS_MACHINE.has(outcome.decision)).length / results.length,
    ),
    'greeting spoken %': percent(results.filter(({ outcome }) => outcome.wasGreeted).length / results.length),
    'decided after p50 / p95 s': `${seconds(0.5)} / ${seconds(0.95)}`,
  };
}

function goal(name: string, most: number, results: readonly Result[]): void {
  const share = results.filter(isWrong).length / results.length;
  console.log(`${share <= most ? 'met' : 'MISSED'}: ${name} ${percent(share)} % (goal ${percent(most)} %)`);
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
