import { createHash } from 'node:crypto';
import type { InternalToken } from '../../../common/crypto/internal-token.js';

/** Tells the rooms and the agent of this installation from those of others that share its LiveKit server. */
export function installationName({ own }: InternalToken): string {
  return `prosa-${createHash('sha256').update(`livekit ${own}`).digest('hex').slice(0, 12)}`;
}
