import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { keyOfRemote } from '../config/load.js';
import { timeoutSignal } from '../common/time/timeout-signal.js';
import { checksOfRoutes } from '../contract/checks/routes.js';
import { OWN_OBJECT_CHECKS } from '../contract/checks/own-objects.js';
import { RULE_CHECKS } from '../contract/checks/rules.js';
import { ContractCheck } from '../contract/contract-check.js';
import { ContractClient } from '../contract/contract-client.js';
import { runChecks } from '../contract/contract-run.js';
import { reportLine, summaryOf } from '../contract/report.js';
import { junitXml } from './junit.js';
import { fail, neededOption, originOf, UsageError } from './remote-options.js';

const USAGE = `Usage: npm run contract -- --url https://prosa.example --key prosa_…

Checks a running Prosa against the contract of this version. It reads, and makes things named prosa-contract-… that it deletes
again. It places no call, starts no campaign and spends nothing.

  --url U          address of the server, with or without /api
  --key K          an API key of it (or PROSA_KEY in the environment); use an account of its own
  --allow-spend    also what asks the model, or leaves a closed conversation behind
  --junit FILE     write the results as JUnit XML
  --json FILE      write the results as JSON

Exit code: 0 all passed, 1 something failed, 2 the check could not be made.`;

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  'allow-spend': { type: 'boolean', default: false },
  junit: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

async function run(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const origin = originOf(neededOption('url', values.url));
  const key = neededOption('key', values.key ?? keyOfRemote());
  await mustAnswer(origin, key);
  // The whole application is loaded for its routes: only once all that was given can be used.
  const { openApiOfRoutes } = await import('../boot/openapi-of-routes.js');
  const contract = new ContractCheck(await openApiOfRoutes());
  const client = new ContractClient({ origin, key, contract });
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const results = await runChecks({
    client,
    contract,
    checks: [...RULE_CHECKS, ...checksOfRoutes(contract), ...OWN_OBJECT_CHECKS],
    allowSpend: values['allow-spend'],
    signal: interrupted.signal,
    onResult: (result) => console.log(reportLine(result)),
  });
  console.log(`\n${summaryOf(results)}`);
  if (values.json) await writeFile(values.json, JSON.stringify({ url: origin, results }, null, 2));
  if (values.junit) await writeFile(values.junit, junitXml('prosa contract', results));
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

/** A wrong address or key is no breach of the contract, and would make every check fail. */
async function mustAnswer(origin: string, key: string): Promise<void> {
  const response = await fetch(`${origin}/api/user/me`, {
    headers: { authorization: `Bearer ${key}` },
    signal: timeoutSignal(30_000),
  }).catch((cause: unknown) => {
    throw new UsageError(`${origin} does not answer`, { cause });
  });
  await response.body?.cancel();
  if (response.status === 401) throw new UsageError(`${origin} does not accept the key`);
}

try {
  process.exitCode = await run();
} catch (error) {
  process.exitCode = fail(error, USAGE);
}
