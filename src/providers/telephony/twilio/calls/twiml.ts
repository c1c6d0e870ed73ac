import type { RejectReason } from '../../call-carrier.js';

/**
 * Connects a call with a WebSocket in both directions; when that is closed there is nothing more to do, and Twilio hangs up.
 * A stream's address takes no query, so that the token goes as a parameter (https://www.twilio.com/docs/voice/twiml/stream).
 */
export function connectStreamTwiml(url: string, token: string): string {
  return document(streamVerb(url, token));
}

/**
 * Plays keys, then connects the call with a WebSocket again (https://www.twilio.com/docs/voice/twiml/play#digits).
 *
 * @param digits 0-9, *, # and w for half a second
 */
export function playDigitsTwiml(digits: string, url: string, token: string): string {
  return document(`<Play digits="${escaped(digits)}"/>${streamVerb(url, token)}`);
}

/** https://www.twilio.com/docs/voice/twiml/reject: `rejected` says that the number is not in service. */
export function rejectTwiml(reason: RejectReason): string {
  return document(`<Reject reason="${reason === 'unassigned' ? 'rejected' : 'busy'}"/>`);
}

function streamVerb(url: string, token: string): string {
  const parameter = `<Parameter name="token" value="${escaped(token)}"/>`;
  return `<Connect><Stream url="${escaped(url)}">${parameter}</Stream></Connect>`;
}

function document(verbs: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
