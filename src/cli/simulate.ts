import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { timeoutSignal } from '../common/time/timeout-signal.js';
import { keyOfRemote } from '../config/load.js';
import { junitXml } from './junit.js';
import { fail, neededOption, originOf, UsageError } from './remote-options.js';
import { RemoteSimulations, type RemoteSimulation } from './simulation/remote-simulations.js';
import { casesOf, failureText, rateOf, runLine, summaryOf, titleOf } from './simulation/simulation-report.js';

const USAGE = `Usage: npm run simulate -- --url https://prosa.example --key prosa_… --assistant 2 scenario.json …

Has a script or a model talk to an assistant, as each scenario says, and checks what the assistant says and does. A scenario is
the body of POST /user/assistant/{id}/simulations: see docs/how-to/simulation.md.

  --url U          address of the server, with or without /api
  --key K          an API key of it (or PROSA_KEY in the environment)
  --assistant ID   the assistant to talk to
  --prompt FILE    try this prompt in place of the one the assistant has
  --runs N         play each scenario so often, in place of its own number
  --at-least P     share of the runs that must pass, as 0.9 or 90%; all of them when left out
  --timeout S      give up after so many seconds (600)
  --junit FILE     write the results as JUnit XML
  --json FILE      write the simulations as JSON

Exit code: 0 enough runs passed, 1 too few did, 2 the simulation could not be made.`;

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  assistant: { type: 'string' },
  prompt: { type: 'string' },
  runs: { type: 'string' },
  'at-least': { type: 'string', default: '1' },
  timeout: { type: 'string', default: '600' },
  junit: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const origin = originOf(neededOption('url', values.url));
  const key = neededOption('key', values.key ?? keyOfRemote());
  const assistantId = wholeNumber('assistant', neededOption('assistant', values.assistant));
  const atLeast = shareOf(values['at-least']);
  const timeoutSeconds = wholeNumber('timeout', values.timeout);
  const changes = {
    ...(values.prompt === undefined ? {} : { prompt: await textOf(values.prompt) }),
    ...(values.runs === undefined ? {} : { runs: wholeNumber('runs', values.runs) }),
  };
  const scenarios = await scenariosIn(positionals);
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new UsageError('interrupted')));
  process.once('SIGTERM', () => interrupted.abort(new UsageError('interrupted')));
  const late = timeoutSignal(timeoutSeconds * 1_000);
  late.addEventListener('abort', () =>
    interrupted.abort(new UsageError(`not over after ${timeoutSeconds} seconds`)),
  );
  const remote = new RemoteSimulations(origin, key, interrupted.signal);
  const simulations: RemoteSimulation[] = [];
  for (const scenario of scenarios) {
    simulations.push(await simulate(remote, assistantId, { ...scenario, ...changes }));
  }
  const rate = rateOf(simulations);
  console.log(`\n${summaryOf(rate, atLeast)}`);
  if (values.json) await writeFile(values.json, JSON.stringify({ url: origin, simulations }, null, 2));
  if (values.junit) await writeFile(values.junit, junitXml('prosa simulation', simulations.flatMap(casesOf)));
  return rate.passed / rate.runs >= atLeast ? 0 : 1;
}

/** Plays one scenario, and prints its rows while they come. One that is given up is stopped. */
async function simulate(
  remote: RemoteSimulations,
  assistantId: number,
  scenario: object,
): Promise<RemoteSimulation> {
  const begun = await remote.begin(assistantId, scenario);
  console.log(titleOf(begun));
  try {
    const simulation = await remote.finished(begun.id, (each) => console.log(runLine(each)));
    for (const each of simulation.results) {
      const failure = failureText(each, simulation);
      if (failure !== '') console.log(failure);
    }
    return simulation;
  } catch (error) {
    await remote.delete(begun.id).catch(() => undefined);
    throw error;
  }
}

async function scenariosIn(files: readonly string[]): Promise<object[]> {
  if (files.length === 0) throw new UsageError('name a file with a scenario');
  return Promise.all(
    files.map(async (file): Promise<object> => {
      const text = await textOf(file);
      try {
        const scenario: unknown = JSON.parse(text);
        if (typeof scenario === 'object' && scenario !== null && !Array.isArray(scenario)) return scenario;
      } catch (cause) {
        throw new UsageError(`${file} is not JSON: ${cause instanceof Error ? cause.message : ''}`, {
          cause,
        });
      }
      throw new UsageError(`${file} holds no scenario`);
    }),
  );
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read`, { cause });
  }
}

function wholeNumber(name: string, value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageError(`--${name} must be a whole number, not ${value}`);
  return Number(value);
}

/** `0.9` or `90%`. */
function shareOf(value: string): number {
  const [, number = '', sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(value) ?? [];
  const share = Number(number) / (sign === '%' ? 100 : 1);
  if (number === '' || share > 1)
    throw new UsageError(`--at-least must be 0 to 1, or 0% to 100%, not ${value}`);
  return share;
}

try {
  process.exitCode = await run();
} catch (error) {
  process.exitCode = fail(error, USAGE);
}
