import type { FieldIssue } from '../../../common/errors/domain-error.js';
import { text, type TextKey } from '../../../i18n/catalogue.js';
import type { TextParams } from '../../../i18n/text.js';
import type { CatalogService } from '../../catalog/catalog.service.js';
import type { AssistantFields, FieldName } from './assistant-fields.js';
import { findToolIssues } from '../tools/built-in-tool-rules.js';

interface Rule {
  /** The fields it depends on: an update that sends none of them is not held to it. */
  readonly reads: readonly FieldName[];
  readonly check: (fields: AssistantFields, catalog: CatalogService) => readonly FieldIssue[];
}

const NONE: readonly FieldIssue[] = [];

function issue(field: FieldName, key: TextKey, params: TextParams = {}): readonly FieldIssue[] {
  return [{ field, text: text(key, { field, ...params }) }];
}

/** A field that has one value only outside pipeline. */
function pipelineOnly(field: FieldName, isUsed: (fields: AssistantFields) => boolean): Rule {
  return {
    reads: ['mode', field],
    check: (fields) =>
      fields.mode !== 'pipeline' && isUsed(fields) ? issue(field, 'assistants.pipeline_only') : NONE,
  };
}

const RULES: readonly Rule[] = [
  {
    reads: ['language_id'],
    check: ({ language_id: id }, catalog) =>
      catalog.findLanguage(id) ? NONE : issue('language_id', 'validation.exists'),
  },
  {
    reads: ['secondary_language_ids'],
    check: ({ secondary_language_ids: ids }, catalog) =>
      ids.every((id) => catalog.findLanguage(id))
        ? NONE
        : issue('secondary_language_ids', 'validation.exists'),
  },
  { reads: ['voice_id', 'mode', 'language_id', 'multimodal_model_id'], check: checkVoice },
  { reads: ['mode', 'llm_model_id'], check: checkLlm },
  { reads: ['mode', 'multimodal_model_id'], check: checkMultimodalModel },
  {
    reads: ['chat_llm_fallback_id'],
    check: ({ chat_llm_fallback_id: id }, catalog) =>
      id === null || catalog.findModel(id)?.types.includes('llm')
        ? NONE
        : issue('chat_llm_fallback_id', 'validation.exists'),
  },
  {
    reads: ['language_id', 'synthesizer_provider_id'],
    check: ({ language_id: languageId, synthesizer_provider_id: id }, catalog) =>
      id === null || catalog.synthesizers(languageId).some((provider) => provider.id === id)
        ? NONE
        : issue('synthesizer_provider_id', 'assistants.provider_language'),
  },
  {
    reads: ['language_id', 'transcriber_provider_id'],
    check: ({ language_id: languageId, transcriber_provider_id: id }, catalog) =>
      id === null || catalog.transcribers(languageId).some((provider) => provider.id === id)
        ? NONE
        : issue('transcriber_provider_id', 'assistants.provider_language'),
  },
  pipelineOnly('transcriber_provider_id', ({ transcriber_provider_id: id }) => id !== null),
  pipelineOnly('fillers', ({ fillers }) => fillers),
  {
    reads: ['mode', 'knowledgebase_mode'],
    check: ({ mode, knowledgebase_mode: use }) =>
      mode !== 'pipeline' && use === 'prompt'
        ? issue('knowledgebase_mode', 'assistants.knowledgebase_mode')
        : NONE,
  },
  {
    reads: ['mode', 'allow_interruptions'],
    check: ({ mode, allow_interruptions: allowed }) =>
      mode !== 'pipeline' && !allowed
        ? issue('allow_interruptions', 'assistants.interruptions_locked')
        : NONE,
  },
  {
    reads: ['is_webhook_active', 'webhook_url'],
    check: ({ is_webhook_active: isActive, webhook_url: url }) =>
      isActive && url === null ? issue('webhook_url', 'assistants.webhook_url_required') : NONE,
  },
  { reads: ['tools'], check: ({ tools }) => findToolIssues(tools) },
];

function checkVoice(fields: AssistantFields, catalog: CatalogService): readonly FieldIssue[] {
  const voice = catalog.findVoice(fields.voice_id);
  if (!voice) return issue('voice_id', 'validation.exists');
  const { mode } = fields;
  if (!voice.modes.includes(mode)) return issue('voice_id', 'assistants.voice_mode', { mode });
  const language = catalog.findLanguage(fields.language_id);
  if (language && !catalog.speaks(voice, language)) return issue('voice_id', 'assistants.voice_language');
  const model = fields.multimodal_model_id === null ? null : catalog.findModel(fields.multimodal_model_id);
  // In multimodal the model itself speaks, so it must know the voice.
  return mode === 'multimodal' && model && model.provider !== voice.provider
    ? issue('voice_id', 'assistants.voice_model')
    : NONE;
}

function checkLlm(
  { mode, llm_model_id: id }: AssistantFields,
  catalog: CatalogService,
): readonly FieldIssue[] {
  if (id === null) {
    return mode === 'pipeline' ? issue('llm_model_id', 'assistants.required_for_mode', { mode }) : NONE;
  }
  return catalog.findModel(id)?.types.includes('llm') ? NONE : issue('llm_model_id', 'validation.exists');
}

function checkMultimodalModel(
  { mode, multimodal_model_id: id }: AssistantFields,
  catalog: CatalogService,
): readonly FieldIssue[] {
  if (id === null) {
    return mode === 'pipeline'
      ? NONE
      : issue('multimodal_model_id', 'assistants.required_for_mode', { mode });
  }
  const types = catalog.findModel(id)?.types ?? [];
  const fits = mode === 'pipeline' ? types.some((type) => type !== 'llm') : types.includes(mode);
  return fits ? NONE : issue('multimodal_model_id', 'validation.exists');
}

/**
 * Holds an assistant to the rules between its fields and the catalogue, all at once.
 *
 * @param fields the assistant as it would be
 * @param sent the fields of the request. Rules about others are skipped, so that a name can be changed although a
 *   voice has left the catalogue
 */
export function findRuleIssues(
  fields: AssistantFields,
  sent: ReadonlySet<FieldName>,
  catalog: CatalogService,
): FieldIssue[] {
  return RULES.filter(({ reads }) => reads.some((name) => sent.has(name))).flatMap(({ check }) =>
    check(fields, catalog),
  );
}
