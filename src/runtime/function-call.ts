import { storableObject } from '../common/text/storable-object.js';
import { storableText } from '../common/text/storable-text.js';

/** A function the model called, as the API shows it. */
export interface FunctionCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
}

/** A function that the model calls, before it has answered. */
export type StartedFunction = Pick<FunctionCall, 'name' | 'arguments'>;

const MAX_NAME_LENGTH = 64;
const MAX_ARGUMENTS_LENGTH = 8 * 1024;
const MAX_RESULT_LENGTH = 16 * 1024;

/**
 * A call as it may be stored and shown. Arguments come from a model and results from a stranger's server, so both are
 * bounded: at most 8 KiB and 16 KiB of JSON and 32 levels, without the characters a jsonb column refuses. What is longer
 * becomes `{truncated: true, text}` with the beginning of its JSON.
 */
export function functionCall(
  name: string,
  args: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
): FunctionCall {
  return {
    name: storableText(name.slice(0, MAX_NAME_LENGTH)),
    arguments: bounded(args, MAX_ARGUMENTS_LENGTH),
    result: bounded(result, MAX_RESULT_LENGTH),
  };
}

function bounded(
  value: Readonly<Record<string, unknown>>,
  maxLength: number,
): Readonly<Record<string, unknown>> {
  const plain = storableObject(value, () => '…');
  const json = JSON.stringify(plain);
  return json.length <= maxLength
    ? plain
    : { truncated: true, text: json.slice(0, maxLength).toWellFormed() };
}
