import type { InternalToken } from '#src/common/crypto/internal-token.js';

import { installationName } from '../../livekit/installation-name.js';

/** The identity of the customer in a room. No other participant is admitted. */
export const CUSTOMER = 'customer';
/** Of data messages both ways. */
export const TOPIC = 'prosa';

const NAME = /^(prosa-[0-9a-f]{12})-(\d{1,10})-/;
const HASH = /^(\d{1,10}) ([\w-]{43})$/;
const MAX_ID = 2 ** 31 - 1;

/**
 * Which rooms of a LiveKit server are those of this installation: several may share one. The voice processes are known there
 * as one agent of this name.
 */
export class RoomNames {
  readonly agentName: string;

  constructor(token: InternalToken) {
    this.agentName = installationName(token);
  }

  /** @param tokenHash SHA-256 of the call's token */
  of(callId: number, tokenHash: Buffer): string {
    return `${this.agentName}-${callId}-${tokenHash.toString('hex').slice(0, 12)}`;
  }

  /** Null when it is no room of this installation. */
  callOf(room: string): number | null {
    const [, agentName, callId] = NAME.exec(room) ?? [];
    return agentName === this.agentName ? idOf(callId) : null;
  }
}

/**
 * What an agent is sent about the call when its room is opened: not the token, which the WebSocket accepts as well.
 */
export function jobMetadata(callId: number, tokenHash: Buffer): string {
  return `${callId} ${tokenHash.toString('base64url')}`;
}

/** Null when it is none. */
export function callOfMetadata(metadata: string): { callId: number; tokenHash: Buffer } | null {
  const [, id, hash = ''] = HASH.exec(metadata) ?? [];
  const callId = idOf(id);
  return callId === null ? null : { callId, tokenHash: Buffer.from(hash, 'base64url') };
}

function idOf(digits: string | undefined): number | null {
  const id = Number(digits ?? 0);
  return id > 0 && id <= MAX_ID ? id : null;
}
