import type { ReportedCase } from '../junit.js';
import type { RemoteRun, RemoteSimulation, RemoteTurn } from './remote-simulations.js';

const WORDS = { pending: 'pending', passed: 'passed', failed: 'FAILED', error: 'BROKE OFF' } as const;
const MAX_SHOWN = 300;

/** One row of the table. */
export function runLine({ number, status, transcript, error }: RemoteRun): string {
  const messages = transcript.filter(({ role }) => role === 'customer').length;
  const row = `  run ${String(number).padStart(2)}  ${WORDS[status].padEnd(9)}  ${messages} messages of the customer`;
  return error === null ? row : `${row}  (${error})`;
}

/** What did not hold in a run, and all that was said in it; empty for a run that passed. */
export function failureText(run: RemoteRun, simulation: RemoteSimulation): string {
  if (run.status === 'passed') return '';
  return [
    `\n${titleOf(simulation)}, run ${run.number}:`,
    ...problemsOf(run, simulation).map((problem) => `  ✗ ${problem}`),
    ...run.transcript.flatMap(turnLines),
  ].join('\n');
}

/** What did not hold, one sentence each. */
export function problemsOf({ checks, error }: RemoteRun, simulation: RemoteSimulation): string[] {
  const failed = checks.filter(({ passed }) => !passed);
  return [
    ...(error === null ? [] : [error]),
    ...failed.map(({ check, reason }) => `${checkName(simulation.checks[check])}: ${reason}`),
  ];
}

/** The runs as cases of a report for CI. */
export function casesOf(simulation: RemoteSimulation): ReportedCase[] {
  return simulation.results.map((run) => ({
    group: titleOf(simulation),
    title: `run ${run.number}`,
    outcome: run.status === 'passed' ? 'passed' : 'failed',
    detail: problemsOf(run, simulation).join('\n'),
    durationMs: durationOf(run),
  }));
}

export interface Rate {
  readonly runs: number;
  readonly passed: number;
}

export function rateOf(simulations: readonly RemoteSimulation[]): Rate {
  const runs = simulations.flatMap(({ results }) => results);
  return { runs: runs.length, passed: runs.filter(({ status }) => status === 'passed').length };
}

export function summaryOf({ runs, passed }: Rate, atLeast: number): string {
  return `${passed} of ${runs} runs passed (${percent(passed / runs)}, at least ${percent(atLeast)} wanted)`;
}

export function titleOf({ name, id }: RemoteSimulation): string {
  return name ?? `simulation ${id}`;
}

function checkName(check: Readonly<Record<string, unknown>> | undefined): string {
  const { type, ...rest } = check ?? {};
  const values = Object.values(rest).map((value) => shown(value));
  return [String(type), ...values].join(' ');
}

function turnLines({ role, text, function_calls: calls }: RemoteTurn): string[] {
  return [
    `    ${role}: ${text.replaceAll('\n', '\n      ')}`,
    ...calls.map(({ name, arguments: args, result }) => `      → ${name}(${shown(args)}) = ${shown(result)}`),
  ];
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? '';
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
}

function durationOf({ started_at: from, finished_at: to }: RemoteRun): number {
  return from === null || to === null ? 0 : Math.max(0, Date.parse(to) - Date.parse(from));
}

/** Rounded down: 99.6 % is not 100. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
