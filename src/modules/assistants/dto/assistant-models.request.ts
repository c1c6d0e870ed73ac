import { EnumField, IdField, NumberField } from '../../../common/http/fields.js';
import { IdsField } from '../../../common/http/fields/list-fields.js';
import { KNOWLEDGEBASE_MODES, type KnowledgebaseMode } from '../settings/assistant-config.js';
import type { SentTool } from '../tools/built-in-tool.js';
import { BuiltInToolsField } from './built-in-tool.request.js';
import { OPTIONAL } from './optional-setting.js';

const MAX_SECONDARY_LANGUAGES = 20;

/** What the assistant thinks with, knows and can do. */
export class AssistantModelsRequest {
  @IdField({ ...OPTIONAL, description: 'Required when mode is pipeline' })
  declare llm_model_id?: number | null;

  @IdField({ ...OPTIONAL, description: 'Required when mode is multimodal or dualplex' })
  declare multimodal_model_id?: number | null;

  @IdField({ ...OPTIONAL, description: 'LLM for tool calls and chat in multimodal and dualplex' })
  declare chat_llm_fallback_id?: number | null;

  @NumberField({ ...OPTIONAL, min: 0, max: 1, description: 'In multimodal and dualplex; default automatic' })
  declare turn_detection_threshold?: number | null;

  @IdsField({
    ...OPTIONAL,
    maxItems: MAX_SECONDARY_LANGUAGES,
    description: 'Further languages; the assistant detects them and switches',
  })
  declare secondary_language_ids?: number[] | null;

  @IdField({ ...OPTIONAL, description: 'Documents that the assistant consults' })
  declare knowledgebase_id?: number | null;

  @EnumField(KNOWLEDGEBASE_MODES, { ...OPTIONAL, description: 'prompt in pipeline only' })
  declare knowledgebase_mode?: KnowledgebaseMode | null;

  @IdField({
    ...OPTIONAL,
    description: 'A number of the account; for inbound neither a Caller ID nor on another inbound assistant',
  })
  declare phone_number_id?: number | null;

  @IdsField({ ...OPTIONAL, description: 'Own mid-call tools' })
  declare tool_ids?: number[] | null;

  @BuiltInToolsField()
  declare tools?: SentTool[] | null;
}
