import type { ForwardCall, RejectReason, SpokenMessage } from '../../call/incoming-calls.js';

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

/** Speaks a text and hangs up (https://www.twilio.com/docs/voice/twiml/say#language). */
export function sayTwiml({ text, language }: SpokenMessage): string {
  return document(`<Say language="${escaped(language)}">${escaped(text)}</Say><Hangup/>`);
}

/**
 * Connects the caller, who hears ringing until the far end answers, with another number
 * (https://www.twilio.com/docs/voice/twiml/dial#answeronbridge). Nothing follows it: an unanswered call ends.
 *
 * @param callbackUrl Twilio reports the progress of the call to that number there; left out: nowhere
 */
export function dialTwiml({ to, from, ringingTimeoutMs, maxMs }: ForwardCall, callbackUrl?: string): string {
  const limits = `timeout="${secondsOf(ringingTimeoutMs)}" timeLimit="${secondsOf(maxMs)}"`;
  const reports = callbackUrl
    ? ` statusCallback="${escaped(callbackUrl)}" statusCallbackEvent="answered completed"`
    : '';
  return document(
    `<Dial answerOnBridge="true" callerId="${escaped(from)}" ${limits}><Number${reports}>${escaped(to)}</Number></Dial>`,
  );
}

/** https://www.twilio.com/docs/voice/twiml/reject: `rejected` says that the number is not in service. */
export function rejectTwiml(reason: RejectReason): string {
  return document(`<Reject reason="${reason === 'unassigned' ? 'rejected' : 'busy'}"/>`);
}

function streamVerb(url: string, token: string): string {
  const parameter = `<Parameter name="token" value="${escaped(token)}"/>`;
  return `<Connect><Stream url="${escaped(url)}">${parameter}</Stream></Connect>`;
}

function secondsOf(ms: number): number {
  return Math.max(Math.ceil(ms / 1_000), 1);
}

function document(verbs: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
