import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUNDLED_CATALOG_PATH, CatalogFileError, parseCatalog, readCatalogFile } from './catalog-file.js';
import { ENGINE_MODES, languagesOfVoice } from './catalog-schema.js';
import type { Catalog } from './catalog-schema.js';

type Draft = Record<keyof Catalog, Record<string, unknown>[]>;

/** The smallest catalogue that holds together: one language, one synthesizer voice, one voice of a realtime model. */
function smallCatalog(): Draft {
  return {
    languages: [
      {
        id: 1,
        name: 'Portuguese',
        iso_2: 'pt',
        locale: 'pt-BR',
        synthesizer: 'azure',
        transcriber: 'deepgram',
      },
    ],
    synthesizer_providers: [{ id: 1, name: 'Azure', code: 'azure', languages: ['pt'] }],
    transcriber_providers: [{ id: 1, name: 'Deepgram', code: 'deepgram', languages: ['pt'] }],
    models: [
      { id: 1, types: ['llm'], name: 'Small', code: 'small', provider: 'openai', reasoning_effort: 'none' },
      { id: 2, types: ['multimodal', 'dualplex'], name: 'Realtime', code: 'realtime', provider: 'openai' },
    ],
    voices: [
      voice({ id: 1, modes: ['pipeline', 'dualplex'], languages: ['pt'], provider_voice: 'francisca' }),
      voice({ id: 2, modes: ['multimodal'], provider: 'openai', provider_voice: 'marin' }),
    ],
  };
}

function voice(fields: Record<string, unknown>): Record<string, unknown> {
  return {
    name: 'Voice',
    gender: 'female',
    languages: null,
    provider: 'azure',
    accent: null,
    age: null,
    preview_url: null,
    ...fields,
  };
}

function problemsOf(json: unknown): readonly string[] {
  try {
    parseCatalog(json);
  } catch (error) {
    if (error instanceof CatalogFileError) {
      return error.problems;
    }
    throw error;
  }
  return [];
}

describe('the bundled catalogue', () => {
  let catalog: Catalog;

  beforeAll(async () => {
    catalog = await readCatalogFile(BUNDLED_CATALOG_PATH);
  });

  it('offers at least 35 languages, Portuguese and English first', () => {
    expect(catalog.languages.length).toBeGreaterThanOrEqual(35);
    expect(catalog.languages.slice(0, 2)).toMatchObject([
      { id: 1, name: 'Portuguese', iso_2: 'pt', locale: 'pt-BR' },
      { id: 2, name: 'English', iso_2: 'en', locale: 'en-US' },
    ]);
  });

  it('names each language as Intl does for its ISO 639-1 code', () => {
    const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
    const differing = catalog.languages.filter(({ name, iso_2 }) => names.of(iso_2) !== name);
    // Intl calls tl by the name of its standard form.
    expect(differing.map(({ name, iso_2 }) => [iso_2, name])).toEqual([['tl', 'Tagalog']]);
  });

  it.each(['pt', 'en'])('has several voices of both genders for %s in every mode', (iso2) => {
    for (const mode of ENGINE_MODES) {
      const voices = catalog.voices.filter(
        (candidate) =>
          candidate.modes.includes(mode) && (languagesOfVoice(catalog, candidate)?.includes(iso2) ?? true),
      );
      expect(voices.filter(({ gender }) => gender === 'female').length).toBeGreaterThanOrEqual(3);
      expect(voices.filter(({ gender }) => gender === 'male').length).toBeGreaterThanOrEqual(3);
    }
  });

  it('has several llm models, and realtime models that serve multimodal and dualplex alike', () => {
    const codesOf = (type: 'llm' | 'multimodal' | 'dualplex') =>
      catalog.models.filter(({ types }) => types.includes(type)).map(({ code }) => code);
    expect(codesOf('llm').length).toBeGreaterThanOrEqual(5);
    expect(codesOf('multimodal').length).toBeGreaterThanOrEqual(2);
    expect(codesOf('dualplex')).toEqual(codesOf('multimodal'));
  });

  it('keeps each record on a line of its own, so that adding one adds one line', async () => {
    const lines = (await readFile(BUNDLED_CATALOG_PATH, 'utf8')).split('\n');
    const records = Object.values(catalog).flat().length;
    expect(lines.filter((line) => /^ {4}\{ "id": \d+, .* \},?$/.test(line))).toHaveLength(records);
  });
});

describe('parseCatalog', () => {
  it('accepts a catalogue that holds together', () => {
    const catalog = parseCatalog(smallCatalog());
    expect(catalog.models.map(({ code }) => code)).toEqual(['small', 'realtime']);
  });

  it('takes an added model from its one line alone', () => {
    const draft = smallCatalog();
    draft.models.push({ id: 10_001, types: ['llm'], name: 'Ours', code: 'our/model:8b', provider: 'vllm' });
    expect(parseCatalog(draft).models.at(-1)).toMatchObject({ id: 10_001, code: 'our/model:8b' });
  });

  it('reports every problem at once', () => {
    const draft = smallCatalog();
    Object.assign(draft.languages[0]!, { id: 0, iso_2: 'PT' });
    Object.assign(draft.models[0]!, { code: '' });
    expect(problemsOf(draft)).toEqual([
      'languages[0]: "id" must be a whole number from 1 to 2147483647.',
      'languages[0]: "iso_2" must be a two-letter ISO 639-1 code in lower case.',
      'models[0]: "code" must not be empty.',
    ]);
  });

  it.each<[unknown, string]>([
    [null, 'catalogue: must be an object.'],
    [[], 'catalogue: must be an object.'],
    [{ ...smallCatalog(), model: [] }, 'catalogue: "model" is not a known section.'],
    [{ ...smallCatalog(), models: {} }, 'models: must be a list of records.'],
    [{ ...smallCatalog(), models: [] }, 'models: must have at least one record.'],
    [{ ...smallCatalog(), models: ['gpt'] }, 'models[0]: must be an object.'],
  ])('refuses a file of another shape, number %#', (json, sentence) => {
    expect(problemsOf(json)).toEqual([sentence]);
  });

  it.each<[keyof Catalog, Record<string, unknown>, string]>([
    ['languages', { id: '1' }, '"id" must be a whole number from 1 to 2147483647.'],
    ['languages', { id: 2_147_483_648 }, '"id" must be a whole number from 1 to 2147483647.'],
    ['languages', { name: undefined }, '"name" must be a text.'],
    ['languages', { name: '  ' }, '"name" must not be empty.'],
    ['languages', { iso_2: 'por' }, '"iso_2" must be a two-letter ISO 639-1 code in lower case.'],
    ['languages', { iso_2: 'xx' }, '"iso_2" must be a two-letter ISO 639-1 code in lower case.'],
    ['languages', { iso_2: 'iw' }, '"iso_2" must be a two-letter ISO 639-1 code in lower case.'],
    ['languages', { locale: 'pt' }, '"locale" must be a language tag with its region, such as "pt-BR".'],
    ['languages', { iso2: 'pt' }, '"iso2" is not a known field.'],
    [
      'synthesizer_providers',
      { code: 'My TTS' },
      '"code" must be a short code of lower-case letters, digits and hyphens.',
    ],
    [
      'transcriber_providers',
      { languages: [] },
      '"languages" must name at least one language, or be null for all of them.',
    ],
    ['transcriber_providers', { languages: ['pt', 'pt'] }, '"languages" must not name a language twice.'],
    ['models', { types: [] }, '"types" must be a list of at least one of llm, multimodal, dualplex.'],
    ['models', { types: ['chat'] }, '"types[0]" must be one of llm, multimodal, dualplex.'],
    [
      'models',
      { reasoning_effort: 'huge' },
      '"reasoning_effort" must be one of none, minimal, low, medium, high.',
    ],
    ['voices', { gender: 'robot' }, '"gender" must be one of female, male.'],
    ['voices', { modes: ['pipeline', 'pipeline'] }, '"modes" must not name a value twice.'],
    ['voices', { preview_url: 'ftp://a.example/a.mp3' }, '"preview_url" must be a web address, or null.'],
  ])('refuses a record of %s with %j', (section, fields, sentence) => {
    const draft = smallCatalog();
    Object.assign(draft[section][0]!, fields);
    expect(problemsOf(draft)).toEqual([`${section}[0]: ${sentence}`]);
  });

  it('refuses a text longer than its column', () => {
    const draft = smallCatalog();
    draft.models[0]!.name = 'x'.repeat(256);
    expect(problemsOf(draft)).toEqual(['models[0]: "name" must have at most 255 characters.']);
  });

  it.each<[string, (draft: Draft) => unknown, string[]]>([
    [
      'an id used twice',
      ({ models }) => models.push({ ...models[0], code: 'other' }),
      ['models[2]: "id" 1 is already used by models[0].'],
    ],
    [
      'a language code used twice',
      ({ languages }) => languages.push({ ...languages[0], id: 2 }),
      ['languages[1]: "iso_2" "pt" is already used by languages[0].'],
    ],
    [
      'a provider code used twice',
      ({ synthesizer_providers: providers }) => providers.push({ ...providers[0], id: 2 }),
      ['synthesizer_providers[1]: "code" "azure" is already used by synthesizer_providers[0].'],
    ],
    [
      'a transcriber code used twice',
      ({ transcriber_providers: providers }) => providers.push({ ...providers[0], id: 2 }),
      ['transcriber_providers[1]: "code" "deepgram" is already used by transcriber_providers[0].'],
    ],
    [
      'a model listed twice',
      ({ models }) => models.push({ ...models[0], id: 3 }),
      ['models[2]: "code" "small" of openai is already used by models[0].'],
    ],
    [
      'a voice listed twice',
      ({ voices }) => voices.push({ ...voices[0], id: 3 }),
      ['voices[2]: "provider_voice" "francisca" of azure is already used by voices[0].'],
    ],
    [
      'an llm that claims to be multimodal',
      ({ models }) => Object.assign(models[0]!, { types: ['llm', 'multimodal'] }),
      ['models[0]: a model of type llm can have no other type.'],
    ],
    [
      'a catalogue without a model of one of the types',
      ({ models }) => models.shift(),
      ['models: there is no model of type llm.'],
    ],
    [
      'a default synthesizer that is not listed',
      ({ languages }) => Object.assign(languages[0]!, { synthesizer: 'acme' }),
      ['languages[0]: the synthesizer "acme" is not in the section synthesizer_providers.'],
    ],
    [
      'a default transcriber that is not listed',
      ({ languages }) => Object.assign(languages[0]!, { transcriber: 'acme' }),
      ['languages[0]: the transcriber "acme" is not in the section transcriber_providers.'],
    ],
    [
      'a default synthesizer without a voice for the language',
      (draft) => {
        draft.synthesizer_providers.push({ id: 2, name: 'Acme', code: 'acme', languages: null });
        draft.languages[0]!.synthesizer = 'acme';
      },
      [
        'languages[0]: the synthesizer "acme" has no voice that speaks "pt" in the mode pipeline.',
        'languages[0]: the synthesizer "acme" has no voice that speaks "pt" in the mode dualplex.',
      ],
    ],
    [
      'a language without a voice in a mode',
      ({ voices }) => voices.pop(),
      ['languages[0]: no voice speaks "pt" in the mode multimodal.'],
    ],
    [
      'a language beyond its default providers',
      (draft) => {
        draft.languages.push({ ...draft.languages[0], id: 2, name: 'English', iso_2: 'en', locale: 'en-US' });
        draft.voices.push(
          voice({ id: 3, modes: ['pipeline', 'dualplex'], languages: ['en'], provider_voice: 'jenny' }),
        );
      },
      [
        'voices[2]: its provider "azure" is not offered for the language "en".',
        'languages[1]: the synthesizer "azure" is not offered for the language "en".',
        'languages[1]: the transcriber "deepgram" is not offered for the language "en".',
      ],
    ],
    [
      'a synthesizer offered for a language that none of its voices speaks',
      ({ synthesizer_providers: providers }) =>
        providers.push({ id: 2, name: 'Acme', code: 'acme', languages: ['pt'] }),
      [
        'synthesizer_providers[1]: no voice of "acme" speaks "pt" in the mode pipeline.',
        'synthesizer_providers[1]: no voice of "acme" speaks "pt" in the mode dualplex.',
      ],
    ],
    [
      'a provider with a language that is not listed',
      ({ transcriber_providers: providers }) => Object.assign(providers[0]!, { languages: ['pt', 'de'] }),
      ['transcriber_providers[0]: the language "de" is not in the section languages.'],
    ],
    [
      'a voice with a language that is not listed',
      ({ voices }) => Object.assign(voices[1]!, { languages: ['pt', 'de'] }),
      ['voices[1]: the language "de" is not in the section languages.'],
    ],
    [
      'a synthesized voice of an unknown provider',
      ({ voices }) =>
        voices.push(voice({ id: 3, modes: ['dualplex'], provider: 'acme', provider_voice: 'ana' })),
      ['voices[2]: the provider "acme" is not in the section synthesizer_providers.'],
    ],
    [
      'a multimodal voice whose provider has no multimodal model',
      ({ voices }) => voices.push(voice({ id: 3, modes: ['multimodal'], provider_voice: 'ana' })),
      ['voices[2]: the provider "azure" has no model of type multimodal.'],
    ],
  ])('refuses %s', (_title, change, sentences) => {
    const draft = smallCatalog();
    change(draft);
    expect(problemsOf(draft)).toEqual(sentences);
  });
});

describe('languagesOfVoice', () => {
  it('narrows a voice without languages to those of its provider, and leaves a voice of no synthesizer unlimited', () => {
    const draft = smallCatalog();
    draft.voices[0]!.languages = null;
    const catalog = parseCatalog(draft);
    expect(catalog.voices.map((candidate) => languagesOfVoice(catalog, candidate))).toEqual([['pt'], null]);
  });
});

describe('readCatalogFile', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('reads a catalogue of the operator', async () => {
    const path = join(folder, 'own.json');
    await writeFile(path, JSON.stringify(smallCatalog()));
    await expect(readCatalogFile(path)).resolves.toEqual(smallCatalog());
  });

  it('says which file does not exist', async () => {
    const path = join(folder, 'missing.json');
    await expect(readCatalogFile(path)).rejects.toMatchObject({
      name: 'CatalogFileError',
      message: `The catalogue file ${path} cannot be used:\nThe file does not exist.`,
    });
  });

  it('says that a folder cannot be read', async () => {
    await expect(readCatalogFile(folder)).rejects.toThrow(/The file cannot be read: EISDIR/);
  });

  it('says that the content is not JSON', async () => {
    const path = join(folder, 'broken.json');
    await writeFile(path, '{ "languages": [,] }');
    await expect(readCatalogFile(path)).rejects.toThrow(
      /broken\.json cannot be used:\nThe content is not valid JSON: /,
    );
  });

  it('lists the problems of the content under the path', async () => {
    const path = join(folder, 'wrong.json');
    await writeFile(path, JSON.stringify({ ...smallCatalog(), voices: [] }));
    await expect(readCatalogFile(path)).rejects.toMatchObject({
      message: `The catalogue file ${path} cannot be used:\nvoices: must have at least one record.`,
      problems: ['voices: must have at least one record.'],
    });
  });
});
