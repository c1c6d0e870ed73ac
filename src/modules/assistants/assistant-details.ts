import type { CatalogLanguage, CatalogModel } from '../catalog/catalog-schema.js';
import type { CatalogService } from '../catalog/catalog.service.js';
import type { AssistantConfig, FillerConfig } from './settings/assistant-config.js';
import type { Assistant } from './assistant.entity.js';
import { type BuiltInTool, completeTool } from './tools/built-in-tool.js';
import { putKeys } from './tools/calendar-keys.js';
import { completeConfig } from './settings/assistant-fields.js';
import { fillerPhrasesOf } from './settings/filler-phrases.js';

/** The config with everything automatic decided: providers, phrases, texts and defaults of built-in tools. */
export interface EffectiveConfig extends Omit<AssistantConfig, 'tools' | 'filler_config'> {
  /** Calendar keys are open. */
  readonly tools: readonly BuiltInTool[];
  readonly filler_config: FillerConfig;
}

/** An assistant as other modules know it. */
export interface AssistantDetails extends Omit<Assistant, 'config' | 'sealedCalendarKeys'> {
  readonly config: EffectiveConfig;
  /** Attached mid-call tools, in the order they were given. */
  readonly toolIds: readonly number[];
  /** Null when the catalogue has lost it. */
  readonly language: CatalogLanguage | null;
}

/** @param keys the calendar keys, in the order of the calendar tools */
export function detailsOf(
  { config: stored, sealedCalendarKeys: _sealed, ...assistant }: Assistant,
  toolIds: readonly number[],
  keys: readonly string[],
  catalog: CatalogService,
): AssistantDetails {
  const language = catalog.findLanguage(assistant.languageId);
  const iso2 = language?.iso_2;
  const config = completeConfig(stored);
  return {
    ...assistant,
    toolIds,
    language,
    config: {
      ...config,
      ...providersOf(assistant, config, language, catalog),
      // Without a knowledge base the mode has no effect, so it is shown as null.
      knowledgebase_mode:
        assistant.knowledgebaseId === null ? null : (config.knowledgebase_mode ?? 'function_call'),
      filler_config: { ...fillerPhrasesOf(iso2), ...givenPhrases(config.filler_config) },
      tools: putKeys(config.tools, keys).map((tool) => completeTool(tool, iso2)),
    },
  };
}

/** A voice exists at one provider, so that one is taken for it; a multimodal model hears and speaks by itself. */
function providersOf(
  { mode, voiceId }: Pick<Assistant, 'mode' | 'voiceId'>,
  config: AssistantConfig,
  language: CatalogLanguage | null,
  catalog: CatalogService,
): Pick<AssistantConfig, 'synthesizer_provider_id' | 'transcriber_provider_id'> {
  const synthesizer = catalog.findSynthesizer(catalog.findVoice(voiceId)?.provider ?? '');
  const transcriber = catalog.findTranscriber(language?.transcriber ?? '');
  return {
    synthesizer_provider_id:
      config.synthesizer_provider_id ?? (mode === 'multimodal' ? null : (synthesizer?.id ?? null)),
    transcriber_provider_id:
      config.transcriber_provider_id ?? (mode === 'pipeline' ? (transcriber?.id ?? null) : null),
  };
}

function givenPhrases(config: AssistantConfig['filler_config']): Partial<FillerConfig> {
  return Object.fromEntries(Object.entries(config ?? {}).filter(([, phrases]) => phrases !== null));
}

/**
 * The model that answers in chat. It is the assistant's LLM in pipeline, and its fallback LLM in the other modes,
 * whose own models need a voice. Where neither is set or known any more, it is the first of the catalogue.
 */
export function chatModelOf(
  { mode, llmModelId, config }: Pick<AssistantDetails, 'mode' | 'llmModelId' | 'config'>,
  catalog: CatalogService,
): CatalogModel {
  const id = mode === 'pipeline' ? llmModelId : config.chat_llm_fallback_id;
  const chosen = id === null ? null : catalog.findModel(id);
  const [first] = catalog.models('llm');
  const model = chosen ?? first;
  if (!model) throw new Error('a catalogue without an llm is refused at start');
  return model;
}
