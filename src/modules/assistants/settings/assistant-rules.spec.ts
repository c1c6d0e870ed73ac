import { beforeAll, describe, expect, it } from '@jest/globals';
import { BUNDLED_CATALOG_PATH, readCatalogFile } from '../../catalog/catalog-file.js';
import { CatalogService } from '../../catalog/catalog.service.js';
import { type AssistantFields, DEFAULTS, FIELD_NAMES, type FieldName } from './assistant-fields.js';
import { findRuleIssues } from './assistant-rules.js';

const PORTUGUESE = 1;
const ICELANDIC = 34;
const GONE = 999_999;
const OPENAI_VOICE = 1;
const SYNTHESIZED_VOICE = 101;
const LLM = 1;
const REALTIME = 101;

const PIPELINE: AssistantFields = {
  ...DEFAULTS,
  name: 'Recepção',
  type: 'inbound',
  mode: 'pipeline',
  language_id: PORTUGUESE,
  voice_id: OPENAI_VOICE,
  timezone: 'America/Sao_Paulo',
  initial_message: 'Olá!',
  system_prompt: 'Atenda.',
  llm_model_id: LLM,
};
const MULTIMODAL: AssistantFields = {
  ...PIPELINE,
  mode: 'multimodal',
  llm_model_id: null,
  multimodal_model_id: REALTIME,
};

describe('findRuleIssues', () => {
  let catalog: CatalogService;

  beforeAll(async () => {
    catalog = new CatalogService(await readCatalogFile(BUNDLED_CATALOG_PATH));
  });

  const issues = (
    fields: AssistantFields,
    changes: Partial<AssistantFields> = {},
    sent: ReadonlySet<FieldName> = FIELD_NAMES,
  ) => findRuleIssues({ ...fields, ...changes }, sent, catalog).map(({ field, text }) => [field, text.key]);

  it.each([PIPELINE, MULTIMODAL, { ...MULTIMODAL, mode: 'dualplex', voice_id: SYNTHESIZED_VOICE } as const])(
    'finds nothing wrong with the least of each mode, case %#',
    (fields) => {
      expect(issues(fields)).toEqual([]);
    },
  );

  it('finds everything wrong at once', () => {
    const found = issues(MULTIMODAL, {
      language_id: GONE,
      voice_id: GONE,
      multimodal_model_id: null,
      chat_llm_fallback_id: REALTIME,
      allow_interruptions: false,
      fillers: true,
      knowledgebase_mode: 'prompt',
      is_webhook_active: true,
      tools: [{ type: 'call_transfer', phone_number: 'desk' }],
    });
    expect(found).toEqual([
      ['language_id', 'validation.exists'],
      ['voice_id', 'validation.exists'],
      ['multimodal_model_id', 'assistants.required_for_mode'],
      ['chat_llm_fallback_id', 'validation.exists'],
      ['fillers', 'assistants.pipeline_only'],
      ['knowledgebase_mode', 'assistants.knowledgebase_mode'],
      ['allow_interruptions', 'assistants.interruptions_locked'],
      ['webhook_url', 'assistants.webhook_url_required'],
      ['tools.0.phone_number', 'assistants.transfer_target'],
    ]);
  });

  it('reports one thing about a voice: unknown, else of the wrong mode, else of the wrong language', () => {
    expect(issues(MULTIMODAL, { voice_id: GONE })).toEqual([['voice_id', 'validation.exists']]);
    expect(issues(MULTIMODAL, { voice_id: SYNTHESIZED_VOICE, language_id: ICELANDIC })).toEqual([
      ['voice_id', 'assistants.voice_mode'],
    ]);
    expect(issues(PIPELINE, { voice_id: SYNTHESIZED_VOICE, language_id: ICELANDIC })).toEqual([
      ['voice_id', 'assistants.voice_language'],
    ]);
  });

  it('holds a multimodal voice to the provider of the model that speaks with it', () => {
    const voice = { ...catalog.findVoice(OPENAI_VOICE), provider: 'other' };
    const strange = Object.create(catalog, { findVoice: { value: () => voice } }) as CatalogService;
    const keys = (fields: AssistantFields) =>
      findRuleIssues(fields, FIELD_NAMES, strange).map(({ text }) => text.key);
    expect(keys(MULTIMODAL)).toEqual(['assistants.voice_model']);
    expect(keys({ ...MULTIMODAL, mode: 'dualplex' })).toEqual([]);
  });

  it('does not hold an update to rules about fields it does not send', () => {
    const broken = { voice_id: GONE, language_id: GONE, llm_model_id: GONE, chat_llm_fallback_id: GONE };
    expect(issues(PIPELINE, broken, new Set(['name', 'status']))).toEqual([]);
    expect(issues(PIPELINE, broken, new Set(['llm_model_id']))).toEqual([
      ['llm_model_id', 'validation.exists'],
    ]);
  });

  it('looks again at what depends on the mode or the language when these change', () => {
    const mode = new Set<FieldName>(['mode']);
    expect(
      issues(PIPELINE, { mode: 'dualplex', allow_interruptions: false, llm_model_id: null }, mode),
    ).toEqual([
      ['multimodal_model_id', 'assistants.required_for_mode'],
      ['allow_interruptions', 'assistants.interruptions_locked'],
    ]);
    const language = new Set<FieldName>(['language_id']);
    const providers = { synthesizer_provider_id: 1, transcriber_provider_id: 1 };
    expect(issues(PIPELINE, { language_id: ICELANDIC, ...providers }, language)).toEqual([
      ['synthesizer_provider_id', 'assistants.provider_language'],
      ['transcriber_provider_id', 'assistants.provider_language'],
    ]);
  });

  it('takes models of another mode for what they are, though they are not used', () => {
    expect(issues(PIPELINE, { multimodal_model_id: REALTIME })).toEqual([]);
    expect(issues(PIPELINE, { multimodal_model_id: LLM })).toEqual([
      ['multimodal_model_id', 'validation.exists'],
    ]);
    expect(issues(MULTIMODAL, { llm_model_id: LLM })).toEqual([]);
  });
});
