import { isForbiddenAddress, type KeyCheck } from '../../account-keys/key-check.js';
import { ModelError, type ModelErrorCode } from '../model-error.js';

const RESULTS: Readonly<Partial<Record<ModelErrorCode, KeyCheck>>> = {
  unauthorized: 'refused',
  rejected: 'incompatible',
  malformed: 'incompatible',
};

/** @param list asks the server for its models; throws ModelError */
export async function checkChatKey(list: () => Promise<unknown>): Promise<KeyCheck> {
  try {
    await list();
    return 'ok';
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return isForbiddenAddress(error) ? 'forbidden' : (RESULTS[error.code] ?? 'unreachable');
  }
}
