import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  listAssistants,
  listKnowledgebases,
  listLanguages,
  listModels,
  listPhoneNumbers,
  listSynthesizerProviders,
  listTools,
  listTranscriberProviders,
  listVoices,
} from '#client/sdk.gen.js';
import { LOCALES } from '../../../shared/languages.js';
import { dataOf } from '../api/client.js';
import { capitalized } from '../texts/capitalized.js';
import { useLanguage } from '../texts/texts.js';

/** The catalogue changes only with the installation. */
const CATALOG = { staleTime: 30 * 60_000 } as const;

type Mode = 'pipeline' | 'multimodal' | 'dualplex';

const languagesQuery = queryOptions({
  ...CATALOG,
  queryKey: ['languages'],
  queryFn: ({ signal }) => dataOf(listLanguages, { signal }),
});

/** The languages that assistants speak, named in that of the reader. */
export function useSpokenLanguages() {
  const { language } = useLanguage();
  const { data } = useQuery(languagesQuery);
  return useMemo(() => {
    const names = new Intl.DisplayNames(LOCALES[language], { type: 'language' });
    return data?.map(({ id, iso_2: code }) => ({ id, code, name: capitalized(names.of(code) ?? code) }));
  }, [data, language]);
}

export const voicesQuery = (mode: Mode, languageId: number) =>
  queryOptions({
    // A stored key can make more voices available.
    staleTime: 10_000,
    queryKey: ['voices', mode, languageId],
    queryFn: ({ signal }) => dataOf(listVoices, { query: { mode, language_id: languageId }, signal }),
  });

/** The default voice: one that the keys of the account can use, if there is one. */
export function firstVoiceOf<Voice extends { readonly available: boolean }>(
  voices: readonly Voice[] = [],
): Voice | undefined {
  return voices.find(({ available }) => available) ?? voices[0];
}

export const modelsQuery = (type: 'llm' | 'multimodal' | 'dualplex') =>
  queryOptions({
    ...CATALOG,
    queryKey: ['models', type],
    queryFn: ({ signal }) => dataOf(listModels, { query: { type }, signal }),
  });

export const synthesizersQuery = (languageId: number) =>
  queryOptions({
    ...CATALOG,
    queryKey: ['synthesizers', languageId],
    queryFn: ({ signal }) => dataOf(listSynthesizerProviders, { query: { language_id: languageId }, signal }),
  });

export const transcribersQuery = (languageId: number) =>
  queryOptions({
    ...CATALOG,
    queryKey: ['transcribers', languageId],
    queryFn: ({ signal }) => dataOf(listTranscriberProviders, { query: { language_id: languageId }, signal }),
  });

export const assistantsQuery = queryOptions({
  queryKey: ['assistants'],
  queryFn: ({ signal }) => dataOf(listAssistants, { signal }),
});

export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => dataOf(listTools, { signal }),
});

export const knowledgebasesQuery = queryOptions({
  queryKey: ['knowledgebases'],
  queryFn: async ({ signal }) => (await dataOf(listKnowledgebases, { signal })).data,
});

export const phoneNumbersQuery = queryOptions({
  queryKey: ['phone-numbers'],
  queryFn: async ({ signal }) => (await dataOf(listPhoneNumbers, { signal })).data,
});
