import type { CarrierAccountId } from '../../../providers/telephony/twilio/twilio-accounts.js';

/** Name of the carrier, as voice processes tell whose lines they have. */
export const TWILIO = 'twilio';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PROCESS = `(?:/(?<processId>${UUID}))?`;
const ACCOUNT = `(?:/accounts/(?<account>${UUID}))?`;
/**
 * Below the public address. The URLs given to Twilio name the process, so that a callback reaches it. They also name
 * the account whose token signs, where that is not the installation's.
 */
const PATH = new RegExp(`^/twilio${PROCESS}${ACCOUNT}/(?<what>voice|media|calls/[\\w%.~-]{1,200})$`);

interface TwilioPlace {
  readonly account: CarrierAccountId;
}

export type TwilioPath = TwilioPlace &
  (
    | /** A call has come in; any process that takes calls may answer. */
      { readonly kind: 'voice' }
    | { readonly kind: 'media' | 'callback'; readonly processId: string }
  );

/** Null for what is nothing of Twilio's. */
export function twilioPathOf(url: string | undefined): TwilioPath | null {
  const { processId, account = null, what } = PATH.exec(url ?? '')?.groups ?? {};
  if (what === undefined || (what === 'voice') !== (processId === undefined)) return null;
  if (processId === undefined) return { kind: 'voice', account };
  return { kind: what === 'media' ? 'media' : 'callback', processId, account };
}

/** What a voice process has Twilio call back at. */
export function twilioAddressOf(publicUrl: string, processId: string): string {
  return `${publicUrl}/twilio/${processId}`;
}

/** The key of the call that a callback is for. */
export function keyOfCallback(url: string | undefined): string | null {
  const [, key] = /\/calls\/([\w%.~-]{1,200})$/.exec(url ?? '') ?? [];
  try {
    return key === undefined ? null : decodeURIComponent(key);
  } catch {
    return null;
  }
}
