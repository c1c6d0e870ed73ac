import type { DestinationRefusal } from '../../../common/phone/destination-refusal.js';
import { EgressError } from '../../../common/egress/egress-error.js';
import { ORDINARY_TYPES } from '../../../config/destination-rules.js';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type ResolveSipTarget, sipTargetOf } from '../../../providers/telephony/sip-target.js';

export type TransferTarget =
  { readonly e164: string } | { readonly refused: 'no-number' | DestinationRefusal };

/**
 * The number a model wants to transfer to, or why it may not. A caller can talk a model into anything, and a caller who
 * owns a premium number earns by each call to it.
 *
 * @param wanted as the model wrote it; without a country code it is read as of the first country
 * @param countries ISO 3166 codes of where calls may go
 */
export function transferTarget(wanted: string, countries: readonly string[]): TransferTarget {
  const [home] = countries;
  const number = parsePhoneNumberFromString(wanted, {
    ...(home !== undefined && isSupportedCountry(home) ? { defaultCountry: home } : {}),
    extract: false,
  });
  // Short and emergency numbers have no valid international form.
  if (!number?.isValid()) return { refused: 'no-number' };
  if (number.country === undefined || !countries.includes(number.country)) return { refused: 'country' };
  const type = number.getType();
  if (type === undefined || !ORDINARY_TYPES.has(type)) return { refused: 'kind-of-number' };
  return { e164: number.number };
}

/** Where transfers may go: what the operator allows, or else the country of the assistant's own number. */
export function allowedCountries(
  configured: readonly string[],
  assistantPhone: string | null,
): readonly string[] {
  if (configured.length > 0) return configured;
  const country: CountryCode | undefined = parsePhoneNumberFromString(assistantPhone ?? '')?.country;
  return country === undefined ? [] : [country];
}

/**
 * Refuses a SIP address that leads where outbound connections may not go. A name that cannot be looked up is the carrier's to
 * fail with, who may know it.
 *
 * @throws EgressError
 */
export async function refusePrivateSipTarget(to: string, resolve: ResolveSipTarget): Promise<void> {
  if (!sipTargetOf(to)) return;
  try {
    await resolve(to);
  } catch (error) {
    if (!(error instanceof EgressError) || error.code !== 'dns') throw error;
  }
}
