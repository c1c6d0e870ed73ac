import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether Twilio has signed a request with the account's token: HMAC-SHA1 over the address, followed by the names and values
 * of the form in the order of their names (https://www.twilio.com/docs/usage/security#validating-requests).
 *
 * @param url as Twilio was given it, query included
 */
export function isSignedByTwilio(
  { url, form, signature }: { url: string; form: URLSearchParams; signature: string | undefined },
  authToken: string,
): boolean {
  if (signature === undefined) return false;
  const names = [...new Set(form.keys())].sort();
  // A name that comes several times is signed with each of its values once, in their order; so do Twilio's own libraries.
  const fields = names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value));
  const wanted = createHmac('sha1', authToken)
    .update(url + fields.join(''))
    .digest();
  const shown = Buffer.from(signature, 'base64');
  return shown.length === wanted.length && timingSafeEqual(shown, wanted);
}
