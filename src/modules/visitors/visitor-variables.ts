import { ValidationFailedError } from '../../common/errors/errors.js';
import type { CompiledAssistant } from '../../runtime/compile-assistant.js';
import { byFoldedName, foldedName } from '../../runtime/variable-names.js';

const MAX_BYTES = 4_096;
/** By which a visitor's values may lengthen instructions and first words: either may name a value many times. */
const MAX_ADDED_CHARACTERS = 16_384;

/**
 * What is kept of the variables of a visitor: those that the assistant declares or uses, in whichever spelling.
 *
 * @throws ValidationFailedError for more than 4 kB, or values that would make the instructions too long
 */
export function visitorVariables(
  assistant: CompiledAssistant,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (Buffer.byteLength(JSON.stringify(sent)) > MAX_BYTES) {
    throw ValidationFailedError.of('variables', 'validation.too_large');
  }
  const open = byFoldedName(assistant.openVariables);
  const known = Object.entries(sent).filter(
    ([name]) => assistant.openVariables.has(name) || open.has(foldedName(name)),
  );
  const kept = Object.fromEntries(known);
  if (known.length > 0 && addedTo(assistant, kept) > MAX_ADDED_CHARACTERS) {
    throw ValidationFailedError.of('variables', 'visitors.variables_fill_too_much');
  }
  return kept;
}

function addedTo(assistant: CompiledAssistant, variables: Readonly<Record<string, unknown>>): number {
  const now = new Date();
  const lengthWith = (given: Readonly<Record<string, unknown>>) => {
    const variables = assistant.variablesOf({ variables: given, now });
    return assistant.instructions(variables).length + assistant.greeting(variables).length;
  };
  return lengthWith(variables) - lengthWith({});
}
