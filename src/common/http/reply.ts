import { say, type TextKey } from '../../i18n/catalogue.js';

/** `{message}` of a write that returns nothing else. */
export function done(key: TextKey): { message: string } {
  return { message: say(key) };
}

/** `{message, data}` of a write. */
export function reply<T>(key: TextKey, data: T): { message: string; data: T } {
  return { message: say(key), data };
}
