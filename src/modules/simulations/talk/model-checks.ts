import { evaluateCall } from '../../../runtime/call/evaluation/call-evaluation.js';
import type { Evaluation } from '../../../runtime/call/evaluation/evaluation.js';
import type { Check, ModelCheck } from '../scenario.js';
import type { CheckOutcome } from '../simulation-run.entity.js';
import { checkTalk, failed, holds, passed, shown } from './checks.js';
import type { Examiner } from './examiner.js';
import type { SimulatedConversation } from './talk.js';
import { verdictOn } from './verdict.js';

/** The outcomes of the checks of a scenario, in their order. */
export interface CheckedTalk {
  readonly outcomes: readonly CheckOutcome[];
  /** Checks of which a model gave no answer that can be used: they are no failure of the assistant. */
  readonly undecided: number;
}

const NO_VERDICT: CheckOutcome = failed('simulations.no_verdict');

/**
 * Checks a conversation. A model is asked only where a check wants it, and evaluates the conversation once for all of them.
 *
 * @throws ModelError when the model gives no answer at all
 */
export async function checkAll(
  checks: readonly Check[],
  talk: SimulatedConversation,
  examiner: Examiner,
): Promise<CheckedTalk> {
  let evaluation: Promise<Evaluation> | null = null;
  const evaluate = () => (evaluation ??= evaluationOf(talk, examiner));
  const outcomes: CheckOutcome[] = [];
  for (const check of checks) {
    outcomes.push(isForModel(check) ? await ask(check, talk, examiner, evaluate) : checkTalk(check, talk));
  }
  return { outcomes, undecided: outcomes.filter((outcome) => outcome === NO_VERDICT).length };
}

function isForModel(check: Check): check is ModelCheck {
  return check.type === 'judge' || check.type === 'extracts';
}

async function ask(
  check: ModelCheck,
  talk: SimulatedConversation,
  examiner: Examiner,
  evaluate: () => Promise<Evaluation>,
): Promise<CheckOutcome> {
  if (check.type === 'extracts') return extracted(check.values, await evaluate());
  const verdict = await verdictOn(check.criterion, talk, examiner);
  return verdict ? { passed: verdict.holds, reason: { words: verdict.reason } } : NO_VERDICT;
}

function extracted(wanted: Extract<Check, { type: 'extracts' }>['values'], found: Evaluation): CheckOutcome {
  const unknown = Object.keys(wanted).filter((name) => !Object.hasOwn(found, name));
  if (unknown.length > 0) return failed('simulations.no_field', { names: unknown.join(', ') });
  // Only an evaluation that could not be made leaves it open whether the goal was reached.
  if (found['status'] === null) return NO_VERDICT;
  const others = Object.entries(wanted).filter(([name, value]) => !holds(found[name], value));
  return others.length === 0
    ? passed('simulations.extracted')
    : failed('simulations.extracted_other', {
        values: shown(Object.fromEntries(others.map(([name]) => [name, found[name]]))),
      });
}

/** As after a call: what the assistant would report of this conversation. */
function evaluationOf({ said }: SimulatedConversation, examiner: Examiner): Promise<Evaluation> {
  const { signal, ...rest } = examiner;
  const lines = said.map(
    ({ role, text: words }) =>
      `${role === 'customer' ? 'Customer' : 'AI'}: ${words.replaceAll(/\s+/g, ' ').trim()}`,
  );
  return evaluateCall({ ...rest, transcript: lines.join('\n'), answeredBy: 'human', signal: signal() });
}
