/**
 * What has changed. The ids are those of conversations for `conversation` and `typing`, of calls for `call`, of offers of
 * calls for `transfer-offer`, and of messages for `message`. `state` (of the watched conversation) and `resync` (hints may
 * have been missed: read all anew) have none.
 */
export const LIVE_TYPES = [
  'conversation',
  'message',
  'state',
  'typing',
  'call',
  'transfer-offer',
  'resync',
] as const;
export type LiveType = (typeof LIVE_TYPES)[number];

export interface LiveHint {
  readonly type: LiveType;
  readonly ids: readonly (number | string)[];
}

/**
 * Who receives a hint: the people of an account, the participants of a conversation, or processes. The latter serve
 * the SIP trunks or make the calls that prove numbers.
 */
export type LiveTopic =
  `account ${number}` | `conversation ${string}` | 'sip-trunks' | 'number-verifications';
