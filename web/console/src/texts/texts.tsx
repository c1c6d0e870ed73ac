import { createContext, type PropsWithChildren, useCallback, useContext, useMemo, useState } from 'react';
import type { Language } from '../../../shared/languages.js';
import { keepLanguage, loadTexts, type Texts } from './language.js';

export type { Texts } from './language.js';

export interface FirstTexts {
  readonly language: Language;
  readonly texts: Texts;
}

interface Spoken extends FirstTexts {
  readonly change: (language: Language) => Promise<void>;
}

const TextsContext = createContext<Spoken | null>(null);

export function TextsProvider({ initial, children }: PropsWithChildren<{ readonly initial: FirstTexts }>) {
  const [spoken, setSpoken] = useState(initial);
  const change = useCallback(async (language: Language) => {
    const texts = await loadTexts(language);
    keepLanguage(language);
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
