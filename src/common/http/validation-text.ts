import { isTextKey, text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams, TextRef } from '../../i18n/text.js';

/** Parameter that names the items of a list which break a rule: their indexes, with commas between them. */
export const ITEMS = 'items';

/** class-validator carries messages as plain strings: a reference travels through it as JSON. */
export function encodeText(ref: TextRef<TextKey>): string {
  return JSON.stringify(ref);
}

/** Reads a reference back; a message of a rule without one of our texts becomes the generic format text. */
export function decodeText(message: string, field: string): TextRef<TextKey> {
  try {
    const { key, params } = JSON.parse(message) as { key: string; params?: TextParams };
    if (isTextKey(key)) return text(key, params);
  } catch {
    // Not ours: falls through to the generic text.
  }
  return text('validation.format', { field });
}
