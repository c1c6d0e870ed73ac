import type { AnsweredBy } from '../../../providers/telephony/call/carrier-call.js';

/**
 * What answers in place of a person, and may connect one:
 *
 * - `menu`: a voice menu, which offers keys to press
 * - `screening`: a service that asks who calls, and why
 */
export const CALL_SCREENERS = ['menu', 'screening'] as const;
export type CallScreener = (typeof CALL_SCREENERS)[number];

/** Who is at the other end of a call we placed, where that can be detected. */
export type RemoteParty = AnsweredBy | CallScreener;

export function isCallScreener(farEnd: RemoteParty): farEnd is CallScreener {
  return farEnd === 'menu' || farEnd === 'screening';
}

const BEGIN_AS_USUAL =
  'When a person comes on the line, who was not there before, begin the conversation with them as usual.';

const SCREENED =
  'An automated service screens this call: it asks who is calling and why, and may then connect a person, or not. Answer it in ' +
  'one short sentence that says who calls and why, and nothing else. When it asks you to wait, say no more than "Thank you". ' +
  BEGIN_AS_USUAL;

const IN_MENU =
  'A voice menu has answered this call. Press the key that leads to a person who can help, with send_keypad_tones, as soon as ' +
  'the menu has named it; where it asks for something that you know, give it. Do not hold a conversation with the menu, and ' +
  `leave no message in it. ${BEGIN_AS_USUAL}`;

const IN_MENU_WITHOUT_KEYS =
  'A voice menu has answered this call, and you cannot press keys. Name what you want where the menu takes words; do not hold a ' +
  `conversation with it, and leave no message in it. ${BEGIN_AS_USUAL}`;

/**
 * The note for the model from then on.
 *
 * @param mayPress whether it has a tool for keys
 */
export function callScreenerNote(gatekeeper: CallScreener, mayPress: boolean): string {
  return gatekeeper === 'screening' ? SCREENED : mayPress ? IN_MENU : IN_MENU_WITHOUT_KEYS;
}
