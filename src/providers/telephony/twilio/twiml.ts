import type { RejectReason } from '../call-carrier.js';

/**
 * Connects a call with a WebSocket in both directions; when that is closed there is nothing more to do, and Twilio hangs up.
 * A stream's address takes no query, so that the token goes as a parameter (https://www.twilio.com/docs/voice/twiml/stream).
 */
export function connectStreamTwiml(url: string, token: string): string {
  return document(
    `<Connect><Stream url="${escaped(url)}"><Parameter name="token" value="${escaped(token)}"/></Stream></Connect>`,
  );
}

/** https://www.twilio.com/docs/voice/twiml/reject: `rejected` says that the number is not in service. */
export function rejectTwiml(reason: RejectReason): string {
  return document(`<Reject reason="${reason === 'busy' ? 'busy' : 'rejected'}"/>`);
}

function document(verbs: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
