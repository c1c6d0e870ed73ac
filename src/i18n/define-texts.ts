import type { AddedTextKey } from './catalogue.js';
import type { TextCollection, TextEntry } from './text.js';

/** Names one of the texts; the compiler knows every key. */
export interface Texts<Key extends string> extends TextCollection {
  (key: Key): AddedTextKey;
}

/**
 * Texts that a module keeps in its own folder. They can be rendered once they are added to the catalogue, which `texts` of
 * its feature, or of its plugin, does.
 *
 * @example
 * const t = defineTexts({ 'appointments.deleted': { pt: 'Agendamento excluído', en: 'Appointment deleted' } });
 * done(t('appointments.deleted'));
 */
export function defineTexts<const Entries extends Record<string, TextEntry>>(
  entries: Entries,
): Texts<keyof Entries & string> {
  const name = (key: keyof Entries & string) => key as AddedTextKey;
  return Object.assign(name, { entries });
}
