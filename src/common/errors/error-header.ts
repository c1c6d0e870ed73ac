import type { Response } from 'express';
import type { TextRef } from '../../i18n/text.js';

/** Names the text of an error, so that a client can show it in the language of its reader. */
export const ERROR_HEADER = 'X-Prosa-Error';

/** Proxies refuse answers with large headers. */
const MAX_LENGTH = 1_000;

/** Sets the header. The body stays as the contract has it. */
export function nameError(response: Response, reason: TextRef): void {
  response.setHeader(ERROR_HEADER, errorHeaderOf(reason));
}

/**
 * The key of a text, and its parameters in the form of a URL's query, which is ASCII without line breaks: `tools.limit?limit=5`.
 * Parameters that do not fit are left out; the key always fits.
 */
export function errorHeaderOf({ key, params = {} }: TextRef): string {
  const query = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const whole = query.size === 0 ? key : `${key}?${query.toString()}`;
  return whole.length > MAX_LENGTH ? key : whole;
}
