/**
 * What has changed: ids of conversations for `conversation` and `typing`, of calls for `call`, of messages for `message`,
 * none for `state` (of the conversation that is watched) and `resync` (hints may have been missed: read all anew).
 */
export const LIVE_TYPES = ['conversation', 'message', 'state', 'typing', 'call', 'resync'] as const;
export type LiveType = (typeof LIVE_TYPES)[number];

export interface LiveHint {
  readonly type: LiveType;
  readonly ids: readonly (number | string)[];
}

/**
 * Who is to hear: the people of an account, who takes part in a conversation, the process that serves the SIP trunks, or those
 * that make the calls which prove numbers.
 */
export type LiveTopic =
  `account ${number}` | `conversation ${string}` | 'sip-trunks' | 'number-verifications';
