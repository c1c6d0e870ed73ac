import { en, type TextKey, type Texts } from './en';
import { pt } from './pt';

export type { TextKey, Texts } from './en';

/** The texts of a language, overridden by those of the page. */
export function textsOf(locale: string, own: Record<string, string>): Texts {
  return { ...(locale.toLowerCase().startsWith('pt') ? pt : en), ...own };
}

/** Fills `{name}` in a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => `${values[name] ?? whole}`);
}

/** A failure to show, with the time to wait. */
export interface Problem<Key extends string = TextKey> {
  readonly key: Key;
  /** Seconds until a retry is worthwhile. */
  readonly waitSeconds?: number;
}

export function problemText<Key extends string>(
  texts: Record<Key, string>,
  { key, waitSeconds = 0 }: Problem<Key>,
  locale: string,
): string {
  const isLong = waitSeconds > 90;
  const wait = new Intl.NumberFormat(localeOrDefault(locale), {
    style: 'unit',
    unit: isLong ? 'minute' : 'second',
    unitDisplay: 'long',
  }).format(isLong ? Math.ceil(waitSeconds / 60) : Math.max(1, waitSeconds));
  return fill(texts[key], { wait, origin: location.origin });
}

/** A locale for Intl: the `lang` of a page can be invalid. */
export function localeOrDefault(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}
