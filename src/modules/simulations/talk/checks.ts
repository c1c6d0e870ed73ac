import { isDeepStrictEqual } from 'node:util';
import { foldedText } from '../../../common/text/folded-text.js';
import { text } from '../../../i18n/catalogue.js';
import type { TextParams } from '../../../i18n/text.js';
import type { FunctionCall } from '../../../runtime/chat-turn.js';
import type { Check, ModelCheck } from '../scenario.js';
import { type SimulationTextKey, simulationText } from '../simulations.texts.js';
import type { CheckOutcome } from '../simulation-run.entity.js';
import type { SimulatedConversation } from './talk.js';

/** What is plain from the conversation itself. */
export type TalkCheck = Exclude<Check, ModelCheck>;

type CheckOf<Type extends TalkCheck['type']> = Extract<TalkCheck, { type: Type }>;
type Checker<Type extends TalkCheck['type']> = (
  check: CheckOf<Type>,
  talk: SimulatedConversation,
) => CheckOutcome;

const CHECKERS: { readonly [Type in TalkCheck['type']]: Checker<Type> } = {
  says: ({ text: wanted }, talk) => {
    const place = placeOf(wanted, talk);
    return place === null ? failed('simulations.not_said') : passed('simulations.said', { place });
  },
  never_says: ({ text: unwanted }, talk) => {
    const place = placeOf(unwanted, talk);
    return place === null ? passed('simulations.not_said') : failed('simulations.said', { place });
  },
  calls_tool: ({ name, arguments: wanted = {} }, talk) => {
    const calls = callsOf(name, talk);
    const fitting = calls.filter((call) => holds(call.arguments, wanted));
    if (fitting.length > 0) return passed('simulations.tool_called', { count: fitting.length });
    return calls.length === 0
      ? failed('simulations.tool_not_called')
      : failed('simulations.tool_arguments', { arguments: shown(calls.at(-1)?.arguments) });
  },
  never_calls_tool: ({ name }, talk) => {
    const count = callsOf(name, talk).length;
    return count === 0 ? passed('simulations.tool_not_called') : failed('simulations.tool_called', { count });
  },
  ends: (_check, { endedBy }) =>
    endedBy === 'assistant' ? passed('simulations.ended') : failed('simulations.not_ended'),
  max_turns: ({ turns }, { said }) => {
    const count = said.filter(({ role }) => role === 'customer').length;
    return { passed: count <= turns, reason: text(simulationText('simulations.turns'), { count }) };
  },
};

/** Whether something is true of a conversation, and why. */
export function checkTalk(check: TalkCheck, talk: SimulatedConversation): CheckOutcome {
  const checker = CHECKERS[check.type] as (check: TalkCheck, talk: SimulatedConversation) => CheckOutcome;
  return checker(check, talk);
}

const MAX_SHOWN = 500;

/** Which message of the assistant holds a text, from 1; null when none does. */
function placeOf(wanted: string, { said }: SimulatedConversation): number | null {
  const folded = foldedText(wanted);
  const messages = said.filter(({ role }) => role === 'assistant');
  const index = messages.findIndex(({ text: words }) => foldedText(words).includes(folded));
  return index === -1 ? null : index + 1;
}

function callsOf(name: string, { said }: SimulatedConversation): FunctionCall[] {
  return said.flatMap((turn) => turn.function_calls.filter((call) => call.name === name));
}

/** Whether a value is what was wanted; of objects, whether it holds what was wanted. Texts as in what is said. */
export function holds(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'string')
    return typeof value === 'string' && foldedText(value) === foldedText(wanted);
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (Array.isArray(wanted)) return isDeepStrictEqual(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(
    ([name, each]) => Object.hasOwn(value, name) && holds((value as Record<string, unknown>)[name], each),
  );
}

/** A value as it is shown in a reason. */
export function shown(value: unknown): string {
  return JSON.stringify(value ?? {})
    .slice(0, MAX_SHOWN)
    .toWellFormed();
}

export function passed(key: SimulationTextKey, params?: TextParams): CheckOutcome {
  return { passed: true, reason: text(simulationText(key), params) };
}

export function failed(key: SimulationTextKey, params?: TextParams): CheckOutcome {
  return { passed: false, reason: text(simulationText(key), params) };
}
