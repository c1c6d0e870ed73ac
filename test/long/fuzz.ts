// `npm run test:fuzz -- <kind|all> <minutes> [--seed N] [--replay FILE]`: malformed input of each kind, for the given minutes.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { FuzzHarness, MEMORY_LIMIT_MB } from './fuzz/harness.js';
import { type FuzzKind, KINDS } from './fuzz/kinds.js';
import { type FuzzInput, inputFrom, textOf } from './fuzz/mutation.js';
import { fail, say, table } from './say.js';

const FAILURES = 'fuzz-failures';
const LANES = 3;
const RUNS_PER_SEED = 25;
/** Making a failing input smaller may take so long. */
const SHRINK_MS = 60_000;
const ENOUGH_FAILURES = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, replay: { type: 'string' } },
});
const [name = 'all', minutes = '1'] = positionals;
const kinds = KINDS.filter((kind) => name === 'all' || kind.name === name);
if (kinds.length === 0)
  fail(`There is no kind ${name}, but: all, ${KINDS.map((kind) => kind.name).join(', ')}`);

interface KindReport {
  readonly kind: string;
  readonly seed: number;
  readonly inputs: number;
  readonly seconds: number;
  readonly mostMemoryMb: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
}

async function main(): Promise<void> {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
  const reports: KindReport[] = [];
  for (const kind of kinds) {
    const harness = await FuzzHarness.start();
    try {
      const report = await fuzz(kind, harness, seed, Number(minutes) * 60_000);
      reports.push(report);
      say(JSON.stringify(report));
    } finally {
      await harness.stop();
    }
  }
  table(
    reports.map(({ failures, statuses: _statuses, ...rest }) => ({ ...rest, failures: failures.length })),
  );
  const failed = reports.filter(({ failures }) => failures.length > 0);
  if (failed.length > 0) fail(`Failures: ${failed.flatMap(({ failures }) => failures).join('\n')}`);
}

async function fuzz(kind: FuzzKind, harness: FuzzHarness, seed: number, forMs: number): Promise<KindReport> {
  const run = new KindRun(kind, harness, performance.now() + forMs);
  const startedAt = performance.now();
  let next = seed;
  const inputs = await kind.inputs(harness);
  const lane = async () => {
    while (run.goesOn) await run.check(inputs, next++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const { inputs: count, mostMemoryMb, failures } = run;
  const statuses = Object.fromEntries(harness.statuses);
  return { kind: kind.name, seed, inputs: count, seconds, mostMemoryMb, statuses, failures };
}

class KindRun {
  inputs = 0;
  mostMemoryMb = 0;
  readonly failures: string[] = [];

  constructor(
    private readonly kind: FuzzKind,
    private readonly harness: FuzzHarness,
    private readonly deadline: number,
  ) {}

  get goesOn(): boolean {
    return performance.now() < this.deadline && this.failures.length < ENOUGH_FAILURES;
  }

  async check(inputs: fc.Arbitrary<FuzzInput>, seed: number): Promise<void> {
    let shrinkUntil: number | null = null;
    const details = await fc.check(
      fc.asyncProperty(inputs, async (input) => {
        // Once time is up, what is left passes: the run or the shrinking ends.
        if (performance.now() > (shrinkUntil ?? this.deadline)) return;
        try {
          await this.tryOut(input);
        } catch (error) {
          shrinkUntil ??= performance.now() + SHRINK_MS;
          throw error;
        }
      }),
      { seed, numRuns: RUNS_PER_SEED },
    );
    if (!details.failed) return;
    const [input] = details.counterexample ?? [];
    const reason = details.errorInstance instanceof Error ? details.errorInstance.message : '';
    if (input) await this.keep(input, seed, reason);
  }

  /** @throws with what the input did */
  async tryOut(input: FuzzInput): Promise<void> {
    this.inputs += 1;
    const wrong = await this.kind.send(this.harness, input).then(
      () => null,
      (error: Error) => error,
    );
    const harm = (await this.harness.harm()) ?? this.tooMuchMemory();
    if (harm !== null) {
      await this.harness.revive();
      throw new Error(harm);
    }
    if (wrong !== null) throw wrong;
  }

  private tooMuchMemory(): string | null {
    for (const { plan, pid, isRunning } of [this.harness.testbed.api, this.harness.testbed.worker]) {
      if (!isRunning) continue;
      const megabytes = residentMb(pid);
      this.mostMemoryMb = Math.max(this.mostMemoryMb, megabytes);
      if (megabytes > MEMORY_LIMIT_MB) return `${plan.name} holds ${megabytes} MB`;
    }
    return null;
  }

  private async keep(input: FuzzInput, seed: number, reason: string): Promise<void> {
    await mkdir(FAILURES, { recursive: true });
    const file = join(FAILURES, `${this.kind.name}-${seed}.json`);
    await writeFile(file, textOf(input));
    const line = `${this.kind.name}, seed ${seed}: ${reason.slice(0, 600)}\n  replay: npm run test:fuzz -- ${this.kind.name} --replay ${file}`;
    this.failures.push(line);
    say(line);
  }
}

async function replay(kind: FuzzKind, file: string): Promise<void> {
  const harness = await FuzzHarness.start();
  try {
    await new KindRun(kind, harness, Number.POSITIVE_INFINITY).tryOut(
      inputFrom(await readFile(file, 'utf8')),
    );
    say('The product lives, and answered as documented.');
  } catch (error) {
    fail(String(error));
  } finally {
    await harness.stop();
  }
}

/** Of Linux; 0 elsewhere or when it has just ended. */
function residentMb(pid: number): number {
  try {
    return Math.round(
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024,
    );
  } catch {
    return 0;
  }
}

if (kinds.length === 0)
  fail(`There is no kind ${name}. There are: all, ${KINDS.map((kind) => kind.name).join(', ')}`);
else if (values.replay) await replay(kinds[0]!, values.replay);
else await main();
