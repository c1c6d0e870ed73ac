import { byFoldedName, foldedName } from './variable-names.js';
import { CALL_VARIABLES, textOf, type Variables } from './variables.js';

/** What of a visitor's values the tools of an assistant may use. */
export interface VisitorValueRules {
  /** The owner's values. */
  readonly variables: Variables;
  /** Names that tools take from visitors; null or left out: those without an owner's value. */
  readonly visitorVariables?: readonly string[] | null;
}

/** Never a visitor's: a tool knows the customer by it. */
const PLATFORM_NAMES = byFoldedName(CALL_VARIABLES);

/**
 * The values of a visitor that tools may use, whatever the spelling of their names. Tools identify the customer by variables, and
 * anybody may be a visitor.
 *
 * @param trusted names among them that the owner's server has given values
 */
export function visitorValuesForTools(
  given: Variables,
  { variables: own, visitorVariables: allowed }: VisitorValueRules,
  trusted: readonly string[] = [],
): Variables {
  const trustedNames = new Set(trusted);
  const isAllowed = (name: string) => {
    if (trustedNames.has(name)) return true;
    if (PLATFORM_NAMES.has(foldedName(name))) return false;
    if (allowed) return allowed.some((one) => isSameName(one, name));
    return !Object.entries(own).some(([one, value]) => isSameName(one, name) && textOf(value).trim() !== '');
  };
  return Object.fromEntries(Object.entries(given).filter(([name]) => isAllowed(name)));
}

/**
 * The values of a visitor under those that the owner's server has given. The visitor's are left out under a name of the owner's, in
 * any spelling: the text of a prompt would otherwise decide which of the two counts.
 */
export function withOwnersValues(given: Variables, owners: Variables): Record<string, unknown> {
  const folded = byFoldedName(Object.keys(owners));
  const others = Object.entries(given).filter(
    ([name]) => !Object.hasOwn(owners, name) && !folded.has(foldedName(name)),
  );
  return { ...Object.fromEntries(others), ...owners };
}

function isSameName(one: string, other: string): boolean {
  const folded = foldedName(one);
  return one === other || (folded !== '' && folded === foldedName(other));
}
