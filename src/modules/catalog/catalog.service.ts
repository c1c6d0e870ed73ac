import {
  type Catalog,
  type CatalogLanguage,
  type CatalogModel,
  type CatalogProvider,
  type CatalogVoice,
  type EngineMode,
  languagesOfVoice,
  type ModelType,
} from './catalog-schema.js';

export interface VoiceFilter {
  readonly mode?: EngineMode;
  readonly languageId?: number;
}

/** The reference data of the platform, held in memory: it is read once at start and is the same for every account. */
export class CatalogService {
  private readonly languagesById: ReadonlyMap<number, CatalogLanguage>;
  private readonly modelsById: ReadonlyMap<number, CatalogModel>;
  private readonly voicesById: ReadonlyMap<number, CatalogVoice>;

  constructor(private readonly catalog: Catalog) {
    this.languagesById = byId(catalog.languages);
    this.modelsById = byId(catalog.models);
    this.voicesById = byId(catalog.voices);
  }

  languages(): readonly CatalogLanguage[] {
    return this.catalog.languages;
  }

  findLanguage(id: number): CatalogLanguage | null {
    return this.languagesById.get(id) ?? null;
  }

  /** Voices usable in the mode and for the language, where these are given. Nothing speaks an unknown language. */
  voices({ mode, languageId }: VoiceFilter = {}): readonly CatalogVoice[] {
    const language = languageId === undefined ? undefined : this.findLanguage(languageId);
    if (language === null) return [];
    return this.catalog.voices.filter(
      (voice) =>
        (mode === undefined || voice.modes.includes(mode)) &&
        (language === undefined || this.speaks(voice, language)),
    );
  }

  findVoice(id: number): CatalogVoice | null {
    return this.voicesById.get(id) ?? null;
  }

  /** By its provider and its name there. */
  findVoiceOf(provider: string, providerVoice: string): CatalogVoice | null {
    const isIt = (voice: CatalogVoice) =>
      voice.provider === provider && voice.provider_voice === providerVoice;
    return this.catalog.voices.find(isIt) ?? null;
  }

  /** Whether the voice is offered for the language. */
  speaks(voice: CatalogVoice, language: CatalogLanguage): boolean {
    return languagesOfVoice(this.catalog, voice)?.includes(language.iso_2) ?? true;
  }

  /** The languages a voice is limited to; null when it has no limit. */
  languagesOf(voice: CatalogVoice): readonly CatalogLanguage[] | null {
    const codes = languagesOfVoice(this.catalog, voice);
    return codes && this.catalog.languages.filter(({ iso_2 }) => codes.includes(iso_2));
  }

  /** There is at least one of each type: a catalogue without is refused. */
  models(type: ModelType): readonly CatalogModel[] {
    return this.catalog.models.filter(({ types }) => types.includes(type));
  }

  findModel(id: number): CatalogModel | null {
    return this.modelsById.get(id) ?? null;
  }

  synthesizers(languageId?: number): readonly CatalogProvider[] {
    return this.offered(this.catalog.synthesizer_providers, languageId);
  }

  transcribers(languageId?: number): readonly CatalogProvider[] {
    return this.offered(this.catalog.transcriber_providers, languageId);
  }

  findSynthesizer(code: string): CatalogProvider | null {
    return this.catalog.synthesizer_providers.find((provider) => provider.code === code) ?? null;
  }

  findTranscriber(code: string): CatalogProvider | null {
    return this.catalog.transcriber_providers.find((provider) => provider.code === code) ?? null;
  }

  private offered(providers: readonly CatalogProvider[], languageId?: number): readonly CatalogProvider[] {
    if (languageId === undefined) return providers;
    const language = this.findLanguage(languageId);
    if (!language) return [];
    return providers.filter(({ languages }) => languages?.includes(language.iso_2) ?? true);
  }
}

function byId<T extends { readonly id: number }>(records: readonly T[]): ReadonlyMap<number, T> {
  return new Map(records.map((record) => [record.id, record]));
}
