import type { EngineMode } from '../../catalog/catalog-schema.js';
import type { AssistantConfig, AssistantStatus, AssistantType } from './assistant-config.js';
import type { Assistant } from '../assistant.entity.js';
import type { SentTool } from '../tools/built-in-tool.js';

/** Everything a caller can set, flat and under the names of the API: what rules look at and errors name. */
export interface AssistantFields extends Omit<AssistantConfig, 'tools' | 'inbound_webhook_url'> {
  readonly name: string;
  readonly type: AssistantType;
  readonly mode: EngineMode;
  readonly status: AssistantStatus;
  readonly activates_by_use: boolean;
  readonly language_id: number;
  readonly voice_id: number;
  readonly llm_model_id: number | null;
  readonly multimodal_model_id: number | null;
  readonly knowledgebase_id: number | null;
  readonly phone_number_id: number | null;
  readonly folder_id: number | null;
  readonly label_ids: readonly number[];
  readonly tool_ids: readonly number[];
  /** With the calendar's key, open. */
  readonly tools: readonly SentTool[];
}

export type FieldName = keyof AssistantFields;

/** Must be given at creation, and cannot be cleared. */
export type CoreField =
  'name' | 'type' | 'mode' | 'language_id' | 'voice_id' | 'timezone' | 'initial_message' | 'system_prompt';

type CoreFields = Pick<AssistantFields, CoreField>;
type OptionalFields = Omit<AssistantFields, CoreField>;

/** Fields as a request carries them: absent means untouched, null means back to the default. */
export type SentFields = { readonly [Name in FieldName]?: AssistantFields[Name] | null };
export type SentNewFields = SentFields & CoreFields;

const CORE_FIELDS = [
  'name',
  'type',
  'mode',
  'language_id',
  'voice_id',
  'timezone',
  'initial_message',
  'system_prompt',
] as const satisfies readonly CoreField[];

type ConfigField = Exclude<keyof AssistantConfig, CoreField | 'inbound_webhook_url'>;

/** The defaults of the customer's document, of what is kept in the config. Null: none, or chosen when it is needed. */
const CONFIG_DEFAULTS: Pick<AssistantConfig, ConfigField> = {
  chat_llm_fallback_id: null,
  turn_detection_threshold: null,
  secondary_language_ids: [],
  knowledgebase_mode: null,
  tools: [],
  tts_emotion_enabled: true,
  voice_stability: 0.7,
  voice_similarity: 0.5,
  speech_speed: 1,
  llm_temperature: 0.1,
  synthesizer_provider_id: null,
  transcriber_provider_id: null,
  allow_interruptions: true,
  fillers: false,
  filler_config: null,
  record: false,
  enable_noise_cancellation: true,
  wait_for_customer: false,
  max_duration: 600,
  max_silence_duration: 40,
  max_initial_silence_duration: null,
  ringing_time: 30,
  reengagement_interval: 30,
  reengagement_prompt: null,
  end_call_on_voicemail: true,
  voice_mail_message: null,
  monitoring_announcement: null,
  endpoint_type: 'vad',
  endpoint_sensitivity: 0.5,
  interrupt_sensitivity: 0.5,
  min_interrupt_words: null,
  ignore_backchannels: true,
  ambient_sound: 'off',
  ambient_sound_volume: 0.5,
  is_webhook_active: false,
  webhook_url: null,
  send_webhook_only_on_completed: true,
  include_recording_in_webhook: true,
  post_call_evaluation: true,
  post_call_schema: [],
  variables: {},
  visitor_variables: null,
  conversation_inactivity_timeout: 30,
  conversation_ended_retrigger: false,
  conversation_ended_webhook_url: null,
  lookup_url: null,
  lookup_timeout_ms: 3_000,
  visitor_conversations_per_hour: null,
  visitor_conversations_per_address_per_hour: null,
  visitor_messages_per_hour: null,
  visitor_daily_spend: null,
  allowed_origins: [],
  challenge_required: false,
  web_chat_enabled: true,
  visitor_calls_enabled: true,
  widget_title: null,
  widget_color: null,
  widget_position: 'right',
  widget_consent: null,
};

/** All defaults: also of what has a column of its own, or is attached. */
export const DEFAULTS: OptionalFields = {
  status: 'inactive',
  activates_by_use: true,
  llm_model_id: null,
  multimodal_model_id: null,
  knowledgebase_id: null,
  phone_number_id: null,
  folder_id: null,
  label_ids: [],
  tool_ids: [],
  ...CONFIG_DEFAULTS,
};

const OPTIONAL_FIELDS = Object.keys(DEFAULTS) as (keyof OptionalFields)[];

export const FIELD_NAMES: ReadonlySet<FieldName> = new Set([...CORE_FIELDS, ...OPTIONAL_FIELDS]);

/** What belongs to some modes only. A change of mode takes what the new mode does not have back to its default. */
const REALTIME_FIELDS = ['multimodal_model_id', 'chat_llm_fallback_id', 'turn_detection_threshold'] as const;
const FIELDS_OF_MODE: Readonly<Record<EngineMode, readonly (keyof OptionalFields)[]>> = {
  pipeline: [
    'llm_model_id',
    'synthesizer_provider_id',
    'transcriber_provider_id',
    'fillers',
    'filler_config',
    'allow_interruptions',
    'ignore_backchannels',
    'knowledgebase_mode',
  ],
  multimodal: REALTIME_FIELDS,
  dualplex: [...REALTIME_FIELDS, 'synthesizer_provider_id'],
};

/** The fields a request carries. */
export function namesOf(request: SentFields): ReadonlySet<FieldName> {
  return new Set([...FIELD_NAMES].filter((name) => request[name] !== undefined));
}

/** A new assistant: what is sent over the defaults. */
export function newFields(request: SentNewFields): AssistantFields {
  return { ...DEFAULTS, ...(sentOf(request) as CoreFields) };
}

/** An assistant after an update: fields not sent stay, lists are replaced, null is the default. */
export function changedFields(current: AssistantFields, request: SentFields): AssistantFields {
  const changesMode = request.mode !== undefined && request.mode !== null && request.mode !== current.mode;
  const kept = changesMode && request.mode ? withoutSettingsOf(current, request.mode) : current;
  return { ...kept, ...sentOf(request) };
}

function withoutSettingsOf(current: AssistantFields, mode: EngineMode): AssistantFields {
  const left = FIELDS_OF_MODE[current.mode].filter((name) => !FIELDS_OF_MODE[mode].includes(name));
  return { ...current, ...Object.fromEntries(left.map((name) => [name, DEFAULTS[name]])) };
}

/** In a loop: lists of all fields in between are what a request would wait for longest. */
function sentOf(request: SentFields): Partial<AssistantFields> {
  const sent: { [Name in FieldName]?: unknown } = {};
  for (const name of CORE_FIELDS) {
    const value = request[name];
    if (value !== undefined && value !== null) sent[name] = value;
  }
  for (const name of OPTIONAL_FIELDS) {
    const value = request[name];
    if (value !== undefined) sent[name] = value ?? DEFAULTS[name];
  }
  return sent as Partial<AssistantFields>;
}

/** Columns that follow from the fields. */
export type FieldColumns = Pick<
  Assistant,
  | 'name'
  | 'type'
  | 'mode'
  | 'status'
  | 'activatesByUse'
  | 'languageId'
  | 'voiceId'
  | 'llmModelId'
  | 'multimodalModelId'
  | 'knowledgebaseId'
  | 'phoneNumberId'
  | 'folderId'
  | 'labelIds'
>;

/** Divides fields into columns and the rest, which is the config but for its secrets and its inbound webhook. */
export function columnsOf(fields: AssistantFields): {
  columns: FieldColumns;
  rest: Omit<AssistantConfig, 'tools' | 'inbound_webhook_url'>;
} {
  const {
    name,
    type,
    mode,
    status,
    activates_by_use: activatesByUse,
    language_id: languageId,
    voice_id: voiceId,
    llm_model_id: llmModelId,
    multimodal_model_id: multimodalModelId,
    knowledgebase_id: knowledgebaseId,
    phone_number_id: phoneNumberId,
    folder_id: folderId,
    label_ids: labelIds,
    tool_ids: _toolIds,
    tools: _tools,
    ...rest
  } = fields;
  return {
    columns: {
      name,
      type,
      mode,
      status,
      activatesByUse,
      languageId,
      voiceId,
      llmModelId,
      multimodalModelId,
      knowledgebaseId,
      phoneNumberId,
      folderId,
      labelIds: [...labelIds],
    },
    rest,
  };
}

/** A config as it is read: settings that are younger than the row have their defaults. */
export function completeConfig(stored: AssistantConfig): AssistantConfig {
  return { ...CONFIG_DEFAULTS, ...stored };
}

/** The fields of a stored assistant. */
export function fieldsOf(
  assistant: FieldColumns & { readonly config: AssistantConfig },
  toolIds: readonly number[],
  tools: readonly SentTool[],
): AssistantFields {
  const { inbound_webhook_url: _inboundWebhookUrl, ...config } = completeConfig(assistant.config);
  return {
    ...config,
    name: assistant.name,
    type: assistant.type,
    mode: assistant.mode,
    status: assistant.status,
    activates_by_use: assistant.activatesByUse,
    language_id: assistant.languageId,
    voice_id: assistant.voiceId,
    llm_model_id: assistant.llmModelId,
    multimodal_model_id: assistant.multimodalModelId,
    knowledgebase_id: assistant.knowledgebaseId,
    phone_number_id: assistant.phoneNumberId,
    folder_id: assistant.folderId,
    label_ids: assistant.labelIds,
    tool_ids: toolIds,
    tools,
  };
}
