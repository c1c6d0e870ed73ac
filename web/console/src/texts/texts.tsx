import { createContext, type PropsWithChildren, useCallback, useContext, useMemo, useState } from 'react';
import { type Language, LANGUAGES, languageFrom, LOCALES } from '../../../shared/languages.js';
import type { texts as portuguese } from './pt.js';

export type Texts = typeof portuguese;

interface Spoken {
  readonly language: Language;
  readonly texts: Texts;
  readonly change: (language: Language) => Promise<void>;
}

const STORED = 'prosa.language';

const loaders: Record<Language, () => Promise<Texts>> = {
  pt: async () => (await import('./pt.js')).texts,
  en: async () => (await import('./en.js')).texts,
};

const TextsContext = createContext<Spoken | null>(null);

/** The language that was chosen here, or the browser's. */
export function firstLanguage(): Language {
  const stored = LANGUAGES.find((language) => language === localStorage.getItem(STORED));
  return stored ?? languageFrom(navigator.languages);
}

export async function loadTexts(language: Language): Promise<Texts> {
  const texts = await loaders[language]();
  document.documentElement.lang = LOCALES[language];
  return texts;
}

type Props = PropsWithChildren<{ initial: { readonly language: Language; readonly texts: Texts } }>;

export function TextsProvider({ initial, children }: Props) {
  const [spoken, setSpoken] = useState(initial);
  const change = useCallback(async (language: Language) => {
    const texts = await loadTexts(language);
    localStorage.setItem(STORED, language);
    setSpoken({ language, texts });
  }, []);
  const value = useMemo(() => ({ ...spoken, change }), [spoken, change]);
  return <TextsContext value={value}>{children}</TextsContext>;
}

export function useLanguage(): Spoken {
  const spoken = useContext(TextsContext);
  if (!spoken) throw new Error('outside of TextsProvider');
  return spoken;
}

/** The texts of one area: `const t = useTexts('inbox')`. */
export function useTexts<Area extends keyof Texts>(area: Area): Texts[Area] {
  return useLanguage().texts[area];
}
