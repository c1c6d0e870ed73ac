import { isTextKey, text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams, TextRef } from '../../i18n/text.js';

/** Parameter that names the items of a list which break a rule: their indexes, with commas between them. */
export const ITEMS = 'items';

/** class-validator carries messages as plain strings: a reference travels through it as JSON. */
export function encodeText(ref: TextRef<TextKey>): string {
  return JSON.stringify(ref);
}

/** Reads a reference back; null for a message that is plain words. */
export function decodeText(message: string): TextRef<TextKey> | null {
  try {
    const { key, params } = JSON.parse(message) as { key: string; params?: TextParams };
    return isTextKey(key) ? text(key, params) : null;
  } catch {
    return null;
  }
}
