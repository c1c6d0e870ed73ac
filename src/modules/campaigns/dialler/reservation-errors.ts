import { DoNotCallError } from '../../calls/outbound-calls.js';

/** The number may not be called at all; every other refusal is of the account and passes. */
export function isOnDoNotCallList(error: unknown): boolean {
  return error instanceof DoNotCallError;
}
