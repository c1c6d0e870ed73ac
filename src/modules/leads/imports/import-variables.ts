import { VariableNames } from '../../../runtime/variable-names.js';
import type { Variables } from '../lead.entity.js';
import type { ImportVariables } from './lead-import.entity.js';

/**
 * Which placeholders the columns of a file fill in.
 *
 * @param used names that the assistant asks for
 * @param columns names of the columns that become variables
 * @param defaults values of the assistant for names without a column
 */
export function importVariables(
  used: readonly string[],
  columns: readonly string[],
  defaults: Variables,
): ImportVariables {
  const ofFile = new VariableNames(Object.fromEntries(columns.map((name) => [name, name])));
  const ofAssistant = new VariableNames(defaults);
  const found = used.map((name) => ofFile.find(name));
  return {
    used,
    filled: [...new Set(found.filter((name) => name !== null))],
    missing: used.filter((name, at) => found[at] === null && ofAssistant.find(name) === null),
  };
}
