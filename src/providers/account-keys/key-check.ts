import { EgressError } from '../../common/egress/egress-error.js';

/**
 * - `ok`: the server takes the key
 * - `refused`: it does not
 * - `forbidden`: the server's address is local, private or reserved
 * - `incompatible`: what answers does not list its models as OpenAI does, e.g. because the path is wrong
 * - `unreachable`: nothing answers, or not now
 */
export const KEY_CHECKS = ['ok', 'refused', 'forbidden', 'incompatible', 'unreachable'] as const;
export type KeyCheck = (typeof KEY_CHECKS)[number];

/** Whether the guarded connector has refused to dial. */
export function isForbiddenAddress(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return cause.code === 'forbidden-address';
  }
  return false;
}
