import { randomBytes } from 'node:crypto';
import { type Check, type CheckContext, SkippedError } from './check.js';
import type { ContractCheck } from './contract-check.js';
import type { ContractClient } from './contract-client.js';

export interface CheckResult {
  readonly group: string;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'left-out';
  /** Why it failed or was left out; empty when it passed. */
  readonly detail: string;
  readonly durationMs: number;
}

export interface ContractRunOptions {
  readonly client: ContractClient;
  readonly contract: ContractCheck;
  readonly checks: readonly Check[];
  readonly allowSpend: boolean;
  /** Ends the run after the check under way, which still cleans up. */
  readonly signal?: AbortSignal;
  readonly onResult?: (result: CheckResult) => void;
}

/** Makes the checks, one after the other, and cleans up after each. What goes wrong is a result, never an exception. */
export async function runChecks(options: ContractRunOptions): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of options.checks) {
    const startedAt = performance.now();
    const [outcome, detail] = await outcomeOf(check, options);
    const { group, title } = check;
    const result = { group, title, outcome, detail, durationMs: Math.round(performance.now() - startedAt) };
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}

async function outcomeOf(
  check: Check,
  { client, contract, allowSpend, signal }: ContractRunOptions,
): Promise<[CheckResult['outcome'], string]> {
  if (signal?.aborted) return ['left-out', 'the run was ended before'];
  if (check.spends && !allowSpend) return ['left-out', `${check.spends}; made with --allow-spend`];
  const tasks: (() => Promise<unknown>)[] = [];
  const context: CheckContext = {
    client,
    contract,
    mark: `prosa-contract-${randomBytes(4).toString('hex')}`,
    afterwards: (task) => tasks.push(task),
  };
  const problems: string[] = [];
  let leftOut: string | null = null;
  try {
    await check.run(context);
  } catch (error) {
    if (error instanceof SkippedError) leftOut = error.message;
    else problems.push(textOf(error));
  }
  for (const task of tasks.reverse()) {
    await task().catch((error: unknown) => problems.push(`Cleaning up: ${textOf(error)}`));
  }
  if (problems.length > 0) return ['failed', problems.join(' | ')];
  return leftOut === null ? ['passed', ''] : ['left-out', leftOut];
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
