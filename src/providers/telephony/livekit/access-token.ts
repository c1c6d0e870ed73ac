import { createHmac } from 'node:crypto';
import type { LiveKitConfig } from '../../../config/config.js';

/** What the bearer of a token may do with rooms, in LiveKit's words. */
export type VideoGrant =
  /** To be asked to join rooms. */
  | { readonly agent: true }
  /** To end rooms. */
  | { readonly roomCreate: true }
  | { readonly roomList: true }
  /** To see who is in a room, and to act on them. */
  | { readonly roomAdmin: true; readonly room: string }
  | {
      readonly roomJoin: true;
      readonly room: string;
      readonly canPublish: true;
      readonly canPublishSources: readonly string[];
      readonly canPublishData: true;
      readonly canSubscribe: true;
    };

export interface Grants {
  readonly video?: VideoGrant | undefined;
  /** To have calls made, and transferred. */
  readonly sip?: { readonly call: true };
}

export interface TokenTerms extends Grants {
  readonly expiresAt: Date;
  /** Of who joins a room. */
  readonly identity?: string;
  /** How the room is set up by the first participant that joins it. */
  readonly roomConfig?: {
    readonly emptyTimeout: number;
    readonly departureTimeout: number;
    readonly agents?: readonly { readonly agentName: string; readonly metadata: string }[];
  };
}

/** An access token of a LiveKit server: a JWT, signed with HS256. */
export function accessToken({ apiKey, apiSecret }: LiveKitConfig, terms: TokenTerms): string {
  const { video, sip, expiresAt, identity, roomConfig } = terms;
  const claims = {
    iss: apiKey,
    sub: identity,
    exp: Math.floor(expiresAt.getTime() / 1_000),
    video,
    sip,
    roomConfig,
  };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', apiSecret).update(signed).digest('base64url')}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
