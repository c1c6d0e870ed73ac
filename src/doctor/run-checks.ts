import { BoundedQuestion } from '../common/concurrency/bounded-question.js';
import { type Check, failure, type Finding } from './check.js';
import { reasonOf } from './reason-of.js';

/** For one check. All of them run at the same time. */
const LIMIT_MS = 15_000;

export interface CheckFinding extends Finding {
  readonly check: string;
}

/** Runs all checks at once, each with a limit of time. Never fails. Returns their findings in the order of the checks. */
export async function runChecks(checks: readonly Check[], limitMs = LIMIT_MS): Promise<CheckFinding[]> {
  const found = await Promise.all(checks.map((check) => findingsOf(check, limitMs)));
  return checks.flatMap(({ name }, index) => (found[index] ?? []).map((one) => ({ check: name, ...one })));
}

function findingsOf(check: Check, limitMs: number): Promise<readonly Finding[]> {
  const tooLate = [
    failure(`The check got no answer within ${limitMs / 1_000} s: see whether the system hangs.`),
  ];
  const question = new BoundedQuestion(() => check.run().catch(failed), limitMs, tooLate);
  return question.ask();
}

function failed(error: unknown): readonly Finding[] {
  return [failure(`The check failed (${reasonOf(error)}).`)];
}
