import type { KeyCheck } from '../../providers/account-keys/key-check.js';
import { failure, type Finding, ok, warning } from '../check.js';

/**
 * What a server said to a key, in a sentence.
 *
 * @param server its name
 * @param variables that an operator corrects, without their values
 */
export function keyFinding(check: KeyCheck, server: string, variables: string): Finding {
  if (check === 'ok') return ok(`${server} takes the key.`);
  if (check === 'refused') return failure(`${server} refuses the key: correct ${variables}.`);
  if (check === 'incompatible')
    return warning(
      `${server} does not list its models as OpenAI does: see whether the path in ${variables} is right.`,
    );
  return warning(`${server} does not answer: see whether this machine reaches it, and correct ${variables}.`);
}
