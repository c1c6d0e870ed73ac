import { EgressError } from '../../../common/egress/egress-error.js';
import { ModelError, type ModelErrorCode } from '../model-error.js';

/**
 * - `ok`: the server takes the key
 * - `refused`: it does not
 * - `forbidden`: the server's address is local, private or reserved
 * - `incompatible`: what answers does not list its models as OpenAI does, e.g. because the path is wrong
 * - `unreachable`: nothing answers, or not now
 */
export const CHAT_KEY_CHECKS = ['ok', 'refused', 'forbidden', 'incompatible', 'unreachable'] as const;
export type ChatKeyCheck = (typeof CHAT_KEY_CHECKS)[number];

const RESULTS: Readonly<Partial<Record<ModelErrorCode, ChatKeyCheck>>> = {
  unauthorized: 'refused',
  rejected: 'incompatible',
  malformed: 'incompatible',
};

/** @param list asks the server for its models; throws ModelError */
export async function checkChatKey(list: () => Promise<unknown>): Promise<ChatKeyCheck> {
  try {
    await list();
    return 'ok';
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return isForbidden(error) ? 'forbidden' : (RESULTS[error.code] ?? 'unreachable');
  }
}

function isForbidden(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return cause.code === 'forbidden-address';
  }
  return false;
}
