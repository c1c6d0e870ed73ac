import { z } from 'zod';

export const ENGINE_MODES = ['pipeline', 'multimodal', 'dualplex'] as const;
export const MODEL_TYPES = ['llm', 'multimodal', 'dualplex'] as const;
const GENDERS = ['female', 'male'] as const;
const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high'] as const;

/** The largest id a PostgreSQL `integer` column holds. */
const LARGEST_ID = 2_147_483_647;

/** Codes that ISO 639-1 has withdrawn, though Intl still gives them a name. */
const WITHDRAWN_CODES = new Set(['bh', 'in', 'iw', 'ji', 'jw', 'mo', 'sh']);

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

function isIso6391(code: string): boolean {
  return /^[a-z]{2}$/.test(code) && !WITHDRAWN_CODES.has(code) && languageNames.of(code) !== undefined;
}

function isLocale(tag: string): boolean {
  return /^[a-z]{2,3}(-[A-Z][a-z]{3})?-[A-Z]{2}$/.test(tag);
}

function hasNoRepeat(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

// Every rule says itself what the value must be: the reader of the file sees these words after the field's name.
const idRule = `must be a whole number from 1 to ${LARGEST_ID}`;
const id = z.int({ error: idRule }).min(1, { error: idRule }).max(LARGEST_ID, { error: idRule });
const text = z
  .string({ error: 'must be a text' })
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(255, { error: 'must have at most 255 characters' });
const code = z
  .string({ error: 'must be a short code such as "azure"' })
  .regex(/^[a-z][a-z0-9-]*$/, { error: 'must be a short code of lower-case letters, digits and hyphens' });
const iso2 = z
  .string({ error: 'must be a two-letter ISO 639-1 code' })
  .refine(isIso6391, { error: 'must be a two-letter ISO 639-1 code in lower case' });
const languageCodes = z
  .array(iso2, { error: 'must be a list of language codes, or null for all of them' })
  .min(1, { error: 'must name at least one language, or be null for all of them' })
  .refine(hasNoRepeat, { error: 'must not name a language twice' })
  .nullable();

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

function someOf<const T extends readonly [string, ...string[]]>(values: T) {
  const rule = `must be a list of at least one of ${values.join(', ')}`;
  return z
    .array(oneOf(values), { error: rule })
    .min(1, { error: rule })
    .refine(hasNoRepeat, { error: 'must not name a value twice' });
}

function record<const T extends z.ZodRawShape>(fields: T) {
  // Undefined keeps zod's own issue for unknown keys, which lists them.
  return z.strictObject(fields, {
    error: ({ code }) => (code === 'invalid_type' ? 'must be an object' : undefined),
  });
}

function section<const T extends z.ZodType>(fields: T) {
  return z
    .array(fields, { error: 'must be a list of records' })
    .min(1, { error: 'must have at least one record' });
}

/**
 * A language assistants can speak. `locale` is the regional form sent to providers that want one (`pt-BR`);
 * `synthesizer` and `transcriber` are the provider codes taken when an assistant names none.
 */
const language = record({
  id,
  name: text,
  iso_2: iso2,
  locale: z
    .string({ error: 'must be a language tag such as "pt-BR"' })
    .refine(isLocale, { error: 'must be a language tag with its region, such as "pt-BR"' }),
  synthesizer: code,
  transcriber: code,
});

/** `languages` are the ISO 639-1 codes the provider is offered for; null sets no limit. */
const provider = record({ id, name: text, code, languages: languageCodes });

/**
 * `code` is the name sent to the model's server. `provider` says whose server knows that name; a multimodal voice
 * goes with the models of the same provider. `reasoning_effort` is sent along when given.
 */
const model = record({
  id,
  types: someOf(MODEL_TYPES),
  name: text,
  code: text,
  provider: code,
  reasoning_effort: oneOf(REASONING_EFFORTS).optional(),
});

/**
 * `provider` is a synthesizer provider for pipeline and dualplex, the provider of multimodal models for multimodal,
 * and both for a voice of all modes. `provider_voice` is the voice's name or id there. `languages` null means every
 * language the provider is offered for.
 */
const voice = record({
  id,
  name: text,
  gender: oneOf(GENDERS),
  modes: someOf(ENGINE_MODES),
  languages: languageCodes,
  provider: code,
  provider_voice: text,
  accent: text.nullable(),
  age: text.nullable(),
  preview_url: z.url({ protocol: /^https?$/, error: 'must be a web address, or null' }).nullable(),
});

export const catalogSchema = record({
  languages: section(language),
  synthesizer_providers: section(provider),
  transcriber_providers: section(provider),
  models: section(model),
  voices: section(voice),
});

export type EngineMode = (typeof ENGINE_MODES)[number];
export type ModelType = (typeof MODEL_TYPES)[number];
export type CatalogLanguage = Readonly<z.infer<typeof language>>;
export type CatalogProvider = Readonly<z.infer<typeof provider>>;
export type CatalogModel = Readonly<z.infer<typeof model>>;
export type CatalogVoice = Readonly<z.infer<typeof voice>>;

/** The reference data of the platform, as the catalogue file holds it. */
export interface Catalog {
  readonly languages: readonly CatalogLanguage[];
  readonly synthesizer_providers: readonly CatalogProvider[];
  readonly transcriber_providers: readonly CatalogProvider[];
  readonly models: readonly CatalogModel[];
  readonly voices: readonly CatalogVoice[];
}

/**
 * The ISO 639-1 codes a voice may be used with, or null when neither it nor its provider sets a limit.
 *
 * @param voice a voice of `catalog`
 */
export function languagesOfVoice(catalog: Catalog, voice: CatalogVoice): readonly string[] | null {
  if (voice.languages !== null) {
    return voice.languages;
  }
  const provider = catalog.synthesizer_providers.find(({ code }) => code === voice.provider);
  return provider?.languages ?? null;
}
