// `npm run test:faults -- all [--only postgres-kill,api-kill] [--list]`: breaks one thing after another under load.
import { parseArgs } from 'node:util';
import { FAULTS } from './fault-list.js';
import { type FaultReport, runFault } from './fault-run.js';
import { NotPossibleHere } from './testbed/testbed.js';
import { fail, say, table } from './say.js';

const { values } = parseArgs({
  options: { only: { type: 'string' }, list: { type: 'boolean', default: false } },
});
const wanted = values.only?.split(',');
const unknown = wanted?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];

if (unknown.length > 0) fail(`There is no fault ${unknown.join(', ')}. There are: ${names()}`);
else if (values.list) say(names());
else await main();

function names(): string {
  return FAULTS.map(({ name }) => name).join(', ');
}

async function main(): Promise<void> {
  const reports: FaultReport[] = [];
  const leftOut: string[] = [];
  const startedAt = performance.now();
  for (const fault of FAULTS.filter(({ name }) => wanted?.includes(name) ?? true)) {
    try {
      const report = await runFault(fault);
      reports.push(report);
      say(JSON.stringify(report));
    } catch (error) {
      const { message } = error as Error;
      say(JSON.stringify({ fault: fault.name, leftOut: message }));
      leftOut.push(`${fault.name}: ${message}`);
      // A run that broke off proves nothing, and must not count as one that went well.
      if (!(error instanceof NotPossibleHere)) fail(`${fault.name} broke off: ${(error as Error).stack}`);
    }
  }
  table(reports.map(rowOf));
  for (const { fault, violations } of reports)
    for (const violation of violations) say(`${fault}: ${violation}`);
  say(
    `${reports.length} faults run in ${((performance.now() - startedAt) / 60_000).toFixed(1)} min, ${leftOut.length} left out${leftOut.map((each) => `; ${each}`).join('')}`,
  );
  const broken = reports.filter(({ violations }) => violations.length > 0).length;
  if (broken > 0) fail(`${broken} of ${reports.length} faults broke a promise.`);
}

function rowOf({
  fault,
  requests,
  statuses,
  acknowledged,
  recoveredMs,
  restMs,
  ...rest
}: FaultReport): object {
  const { readinessWentRed, violations } = rest;
  const kept = Object.values(acknowledged).reduce((sum, count) => sum + count, 0);
  return {
    fault,
    requests,
    kept,
    refused: statuses['503'] ?? 0,
    unanswered: statuses.none ?? 0,
    'ready ms': recoveredMs.ready,
    'reads ms': recoveredMs.reads,
    'dials ms': recoveredMs.dials,
    'rest ms': restMs,
    red: readinessWentRed,
    violations: violations.length,
  };
}
