import type { ModelKeyDetails } from '../model-key-vault.service.js';

export const KEY_STATUSES = ['active', 'refused', 'unreadable'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export function statusOf({ isReadable, refusedAt }: ModelKeyDetails): KeyStatus {
  if (!isReadable) return 'unreadable';
  return refusedAt === null ? 'active' : 'refused';
}
