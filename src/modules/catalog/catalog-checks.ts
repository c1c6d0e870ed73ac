import { ENGINE_MODES, languagesOfVoice, MODEL_TYPES } from './catalog-schema.js';
import type {
  Catalog,
  CatalogLanguage,
  CatalogProvider,
  CatalogVoice,
  EngineMode,
} from './catalog-schema.js';

/** The modes in which a synthesizer speaks; in multimodal the model itself does. */
const SYNTHESIZED_MODES = ['pipeline', 'dualplex'] as const;

/**
 * Finds what no single record can show: duplicate identifiers, missing references, languages without a voice.
 *
 * @returns one sentence for each problem; empty when the catalogue holds together
 */
export function findContradictions(catalog: Catalog): string[] {
  return [
    ...findDuplicates(catalog),
    ...checkModels(catalog),
    ...checkProviders(catalog),
    ...checkVoices(catalog),
    ...checkLanguages(catalog),
  ];
}

function findDuplicates(catalog: Catalog): string[] {
  const ofModel = ({ provider, code }: { provider: string; code: string }) => `"${code}" of ${provider}`;
  return [
    ...repeated('languages', 'id', catalog.languages, ({ id }) => String(id)),
    ...repeated('languages', 'iso_2', catalog.languages, ({ iso_2 }) => `"${iso_2}"`),
    ...repeated('synthesizer_providers', 'id', catalog.synthesizer_providers, ({ id }) => String(id)),
    ...repeated('synthesizer_providers', 'code', catalog.synthesizer_providers, ({ code }) => `"${code}"`),
    ...repeated('transcriber_providers', 'id', catalog.transcriber_providers, ({ id }) => String(id)),
    ...repeated('transcriber_providers', 'code', catalog.transcriber_providers, ({ code }) => `"${code}"`),
    ...repeated('models', 'id', catalog.models, ({ id }) => String(id)),
    ...repeated('models', 'code', catalog.models, ofModel),
    ...repeated('voices', 'id', catalog.voices, ({ id }) => String(id)),
    ...repeated(
      'voices',
      'provider_voice',
      catalog.voices,
      (voice) => `"${voice.provider_voice}" of ${voice.provider}`,
    ),
  ];
}

function repeated<T>(section: string, field: string, records: readonly T[], keyOf: (record: T) => string) {
  const firstIndexes = new Map<string, number>();
  const problems: string[] = [];
  for (const [index, record] of records.entries()) {
    const key = keyOf(record);
    const firstIndex = firstIndexes.get(key);
    if (firstIndex === undefined) {
      firstIndexes.set(key, index);
    } else {
      problems.push(`${section}[${index}]: "${field}" ${key} is already used by ${section}[${firstIndex}].`);
    }
  }
  return problems;
}

function checkModels({ models }: Catalog): string[] {
  const problems = MODEL_TYPES.filter((type) => !models.some(({ types }) => types.includes(type))).map(
    (type) => `models: there is no model of type ${type}.`,
  );
  for (const [index, { types }] of models.entries()) {
    if (types.includes('llm') && types.some((type) => type !== 'llm')) {
      problems.push(`models[${index}]: a model of type llm can have no other type.`);
    }
  }
  return problems;
}

function checkProviders(catalog: Catalog): string[] {
  const known = new Set(catalog.languages.map(({ iso_2 }) => iso_2));
  const unknown = (['synthesizer_providers', 'transcriber_providers'] as const).flatMap((section) =>
    catalog[section].flatMap(({ languages }, index) =>
      (languages ?? [])
        .filter((iso2) => !known.has(iso2))
        .map((iso2) => `${section}[${index}]: the language "${iso2}" is not in the section languages.`),
    ),
  );
  const silent = catalog.synthesizer_providers.flatMap(({ code, languages }, index) =>
    (languages ?? []).flatMap((iso2) =>
      SYNTHESIZED_MODES.filter((mode) => known.has(iso2) && !hasVoice(catalog, mode, iso2, code)).map(
        (mode) =>
          `synthesizer_providers[${index}]: no voice of "${code}" speaks "${iso2}" in the mode ${mode}.`,
      ),
    ),
  );
  return [...unknown, ...silent];
}

function checkVoices(catalog: Catalog): string[] {
  const known = new Set(catalog.languages.map(({ iso_2 }) => iso_2));
  return catalog.voices.flatMap((voice, index) => [
    ...missingProviders(catalog, voice).map((missing) => `voices[${index}]: ${missing}`),
    ...(voice.languages ?? [])
      .filter((iso2) => !known.has(iso2))
      .map((iso2) => `voices[${index}]: the language "${iso2}" is not in the section languages.`),
    ...languagesBeyondProvider(catalog, voice).map(
      (iso2) =>
        `voices[${index}]: its provider "${voice.provider}" is not offered for the language "${iso2}".`,
    ),
  ]);
}

function missingProviders(catalog: Catalog, { modes, provider }: CatalogVoice): string[] {
  const missing: string[] = [];
  const synthesizes = catalog.synthesizer_providers.some(({ code }) => code === provider);
  if (SYNTHESIZED_MODES.some((mode) => modes.includes(mode)) && !synthesizes) {
    missing.push(`the provider "${provider}" is not in the section synthesizer_providers.`);
  }
  const converses = catalog.models.some(
    (model) => model.provider === provider && model.types.includes('multimodal'),
  );
  if (modes.includes('multimodal') && !converses) {
    missing.push(`the provider "${provider}" has no model of type multimodal.`);
  }
  return missing;
}

function languagesBeyondProvider(catalog: Catalog, voice: CatalogVoice): string[] {
  const provider = catalog.synthesizer_providers.find(({ code }) => code === voice.provider);
  return (voice.languages ?? []).filter((iso2) => provider !== undefined && !isOfferedFor(provider, iso2));
}

function checkLanguages(catalog: Catalog): string[] {
  return catalog.languages.flatMap((language, index) =>
    [
      ...ENGINE_MODES.filter((mode) => !hasVoice(catalog, mode, language.iso_2)).map(
        (mode) => `no voice speaks "${language.iso_2}" in the mode ${mode}.`,
      ),
      ...checkSynthesizer(catalog, language),
      ...checkTranscriber(catalog, language),
    ].map((problem) => `languages[${index}]: ${problem}`),
  );
}

function checkSynthesizer(catalog: Catalog, { synthesizer, iso_2 }: CatalogLanguage): string[] {
  const provider = catalog.synthesizer_providers.find(({ code }) => code === synthesizer);
  if (provider === undefined) {
    return [`the synthesizer "${synthesizer}" is not in the section synthesizer_providers.`];
  }
  if (!isOfferedFor(provider, iso_2)) {
    return [`the synthesizer "${synthesizer}" is not offered for the language "${iso_2}".`];
  }
  return SYNTHESIZED_MODES.filter((mode) => !hasVoice(catalog, mode, iso_2, synthesizer)).map(
    (mode) => `the synthesizer "${synthesizer}" has no voice that speaks "${iso_2}" in the mode ${mode}.`,
  );
}

function checkTranscriber(catalog: Catalog, { transcriber, iso_2 }: CatalogLanguage): string[] {
  const provider = catalog.transcriber_providers.find(({ code }) => code === transcriber);
  if (provider === undefined) {
    return [`the transcriber "${transcriber}" is not in the section transcriber_providers.`];
  }
  return isOfferedFor(provider, iso_2)
    ? []
    : [`the transcriber "${transcriber}" is not offered for the language "${iso_2}".`];
}

function hasVoice(catalog: Catalog, mode: EngineMode, iso2: string, provider?: string): boolean {
  return catalog.voices.some(
    (voice) =>
      voice.modes.includes(mode) &&
      (provider === undefined || voice.provider === provider) &&
      (languagesOfVoice(catalog, voice)?.includes(iso2) ?? true),
  );
}

function isOfferedFor(provider: CatalogProvider, iso2: string): boolean {
  return provider.languages?.includes(iso2) ?? true;
}
