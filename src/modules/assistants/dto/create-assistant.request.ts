import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type SchemaObject } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsObject,
  maxLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  BooleanField,
  EachItem,
  EnumField,
  IdField,
  IdsField,
  IntegerField,
  NamesField,
  issueText,
  NestedField,
  NumberField,
  ObjectField,
  ObjectsField,
  OriginsField,
  StringField,
  TimeZoneField,
  UrlField,
} from '../../../common/http/fields.js';
import { DistinctNames } from '../../../common/http/requests/distinct-names.js';
import { ENGINE_MODES, type EngineMode } from '../../catalog/catalog-schema.js';
import {
  AMBIENT_SOUNDS,
  ASSISTANT_TYPES,
  type AssistantConfig,
  type AssistantType,
  ENDPOINT_TYPES,
  FILLER_KINDS,
  KNOWLEDGEBASE_MODES,
  type KnowledgebaseMode,
  type MonitoringAnnouncement,
  POST_CALL_TYPES,
  type PostCallField,
  WIDGET_POSITIONS,
  type WidgetPosition,
} from '../settings/assistant-config.js';
import { DEFAULTS } from '../settings/assistant-fields.js';
import type { SentTool } from '../tools/built-in-tool.js';
import { BuiltInToolsField } from './built-in-tool.request.js';

/** Absent and null alike: the default at creation. In an update absent means unchanged. */
const OPTIONAL = { optional: true, nullable: true } as const;
const MAX_PROMPT = 100_000;
const MAX_SECONDARY_LANGUAGES = 20;
const MAX_PHRASES = 20;
const MAX_PHRASE = 100;
const VISITOR_RANGE = { min: 0, max: 1_000_000 } as const;
const BY_DEFAULT = 'Null: as the installation says';

/** An optional field whose default the documentation names. */
function withDefault(name: keyof typeof DEFAULTS) {
  return { ...OPTIONAL, default: DEFAULTS[name] };
}

const PHRASES_SCHEMA = {
  type: 'array' as const,
  items: { type: 'string', maxLength: MAX_PHRASE } satisfies SchemaObject,
  maxItems: MAX_PHRASES,
  nullable: true,
};

function PhrasesField(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_object, value) => value !== undefined && value !== null),
    IsArray(issueText('validation.array')),
    ArrayMaxSize(MAX_PHRASES, issueText('validation.max_items', { max: MAX_PHRASES })),
    EachItem('areTexts', (item) => typeof item === 'string', 'validation.string'),
    EachItem('areShort', (item) => maxLength(item, MAX_PHRASE), 'validation.max_length', {
      max: MAX_PHRASE,
    }),
  );
}

/** Documented where it is used, because only there the document can say that other keys are refused. */
class FillerConfigRequest {
  @PhrasesField()
  declare positive?: string[];

  @PhrasesField()
  declare negative?: string[];

  @PhrasesField()
  declare question?: string[];

  @PhrasesField()
  declare neutral?: string[];
}

function FillerConfigField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'object',
      properties: Object.fromEntries(FILLER_KINDS.map((kind) => [kind, PHRASES_SCHEMA])),
      additionalProperties: false,
      selfRequired: false,
      nullable: true,
      description: 'Short phrases by the tone of what was said; a kind left out has those of the language',
    }),
    Type(() => FillerConfigRequest),
    ValidateIf((_object, value) => value !== undefined && value !== null),
    IsObject(issueText('validation.object')),
    ValidateBy(
      { name: 'hasFillerKinds', validator: { validate: hasFillerKinds } },
      issueText('validation.keys', { keys: FILLER_KINDS.join(', ') }),
    ),
    ValidateNested(issueText('validation.object')),
  );
}

/** A kind with a typing error would otherwise be dropped, and its phrases with it. */
function hasFillerKinds(value: unknown): boolean {
  return Object.keys(Object(value)).every((key) => FILLER_KINDS.some((kind) => kind === key));
}

export class MonitoringAnnouncementRequest implements MonitoringAnnouncement {
  @StringField({
    max: 500,
    description:
      'What the customer hears before the first person hears the call; may contain `{{variables}}`',
    example: 'Para sua segurança, nossa equipe pode acompanhar esta ligação.',
  })
  declare text: string;

  @BooleanField({ description: 'Whether a short tone repeats every 15 seconds as long as a person listens' })
  declare tone: boolean;
}

export class PostCallFieldRequest implements PostCallField {
  @StringField({
    min: 3,
    max: 16,
    pattern: { regex: /^[a-z0-9_]+$/, key: 'assistants.post_call_name' },
    description: 'Name of the field in the evaluation',
    example: 'recepcao',
  })
  declare name: string;

  @EnumField(POST_CALL_TYPES, { description: 'Kind' })
  declare type: PostCallField['type'];

  @StringField({
    min: 3,
    max: 255,
    description: 'What the model is to find out for this field',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description: string;
}

export class CreateAssistantRequest {
  @StringField({ max: 255, example: 'Reception', description: 'Name, for people' })
  declare name: string;

  @IdField({ description: 'A voice compatible with the mode and offered for the language' })
  declare voice_id: number;

  @IdField({ description: 'Language the assistant speaks, from the list of languages' })
  declare language_id: number;

  @EnumField(ASSISTANT_TYPES, { description: 'Whether the assistant is called or calls' })
  declare type: AssistantType;

  @EnumField(ENGINE_MODES, { description: 'Engine: models in a row, one multimodal model, or both' })
  declare mode: EngineMode;

  @TimeZoneField({ description: 'IANA name of the time zone' })
  declare timezone: string;

  @StringField({
    max: 200,
    example: 'Olá! Como posso ajudar?',
    description: 'First words of the assistant; may use variables as {{name}}',
  })
  declare initial_message: string;

  @StringField({
    max: MAX_PROMPT,
    description: 'May use variables as {{name}}',
    example: 'Você atende os clientes da Padaria Central.',
  })
  declare system_prompt: string;

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

  @BooleanField({ ...withDefault('tts_emotion_enabled'), description: 'Whether the voice shows emotion' })
  declare tts_emotion_enabled?: boolean | null;

  @NumberField({
    ...withDefault('voice_stability'),
    min: 0,
    max: 1,
    description: 'How evenly the voice speaks',
  })
  declare voice_stability?: number | null;

  @NumberField({
    ...withDefault('voice_similarity'),
    min: 0,
    max: 1,
    description: 'How close the voice stays to its model',
  })
  declare voice_similarity?: number | null;

  @NumberField({
    ...withDefault('speech_speed'),
    min: 0.7,
    max: 1.2,
    description: 'Factor on the speed of the voice',
  })
  declare speech_speed?: number | null;

  @NumberField({
    ...withDefault('llm_temperature'),
    min: 0,
    max: 1,
    description: 'How freely the model chooses its words',
  })
  declare llm_temperature?: number | null;

  @IdField({ ...OPTIONAL, description: 'Default: that of the voice' })
  declare synthesizer_provider_id?: number | null;

  @IdField({ ...OPTIONAL, description: 'Pipeline only; default: that of the language' })
  declare transcriber_provider_id?: number | null;

  @BooleanField({
    ...withDefault('allow_interruptions'),
    description: 'Always true in multimodal and dualplex',
  })
  declare allow_interruptions?: boolean | null;

  @BooleanField({ ...withDefault('fillers'), description: 'Pipeline only' })
  declare fillers?: boolean | null;

  @FillerConfigField()
  declare filler_config?: FillerConfigRequest | null;

  @BooleanField({ ...withDefault('record'), description: 'Whether calls are recorded' })
  declare record?: boolean | null;

  @BooleanField({
    ...withDefault('enable_noise_cancellation'),
    description: 'Whether noise behind the customer is taken out of the sound',
  })
  declare enable_noise_cancellation?: boolean | null;

  @BooleanField({ ...withDefault('wait_for_customer'), description: 'Whether the customer speaks first' })
  declare wait_for_customer?: boolean | null;

  @IntegerField({ ...withDefault('max_duration'), min: 20, max: 1200, description: 'Seconds' })
  declare max_duration?: number | null;

  @IntegerField({ ...withDefault('max_silence_duration'), min: 1, max: 360, description: 'Seconds' })
  declare max_silence_duration?: number | null;

  @IntegerField({ ...OPTIONAL, min: 1, max: 120, description: 'Seconds' })
  declare max_initial_silence_duration?: number | null;

  @IntegerField({ ...withDefault('ringing_time'), min: 1, max: 60, description: 'Seconds' })
  declare ringing_time?: number | null;

  @IntegerField({ ...withDefault('reengagement_interval'), min: 7, max: 600, description: 'Seconds' })
  declare reengagement_interval?: number | null;

  @StringField({
    ...OPTIONAL,
    max: 1000,
    description: 'Instruction for the assistant after `reengagement_interval` seconds of silence',
    example: 'Pergunte se o cliente ainda está na linha.',
  })
  declare reengagement_prompt?: string | null;

  @BooleanField({
    ...withDefault('end_call_on_voicemail'),
    description: 'Whether a call to a voicemail is ended at once',
  })
  declare end_call_on_voicemail?: boolean | null;

  @StringField({
    ...OPTIONAL,
    max: 1000,
    description: 'What is said to a voicemail before the call ends',
    example: 'Ligaremos de novo mais tarde.',
  })
  declare voice_mail_message?: string | null;

  @NestedField(() => MonitoringAnnouncementRequest, {
    ...OPTIONAL,
    description: 'Tells the customer that people listen to the call; null: nothing is said',
  })
  declare monitoring_announcement?: MonitoringAnnouncementRequest | null;

  @EnumField(ENDPOINT_TYPES, {
    ...withDefault('endpoint_type'),
    description: 'How the end of what the customer says is found: `vad` by silence, `ai` by its meaning',
  })
  declare endpoint_type?: AssistantConfig['endpoint_type'] | null;

  @NumberField({
    ...withDefault('endpoint_sensitivity'),
    min: 0,
    max: 5,
    description: 'How soon the assistant takes a pause for the end of what the customer says',
  })
  declare endpoint_sensitivity?: number | null;

  @NumberField({
    ...withDefault('interrupt_sensitivity'),
    min: 0,
    max: 5,
    description: 'How soon the assistant stops when the customer speaks',
  })
  declare interrupt_sensitivity?: number | null;

  @IntegerField({
    ...OPTIONAL,
    min: 0,
    max: 10,
    description: 'Words the customer must say to interrupt; setting it switches the feature on',
  })
  declare min_interrupt_words?: number | null;

  @BooleanField({
    ...withDefault('ignore_backchannels'),
    description:
      'Whether signs of listening ("uhum", "yeah") while it speaks neither interrupt it nor are answered; no effect in multimodal and dualplex',
  })
  declare ignore_backchannels?: boolean | null;

  @EnumField(AMBIENT_SOUNDS, {
    ...withDefault('ambient_sound'),
    description: 'What is heard behind the voice of the assistant',
  })
  declare ambient_sound?: AssistantConfig['ambient_sound'] | null;

  @NumberField({
    ...withDefault('ambient_sound_volume'),
    min: 0,
    max: 1,
    description: 'Volume of the ambient sound',
  })
  declare ambient_sound_volume?: number | null;

  @BooleanField({
    ...withDefault('is_webhook_active'),
    description: 'Whether the webhook receives events of calls',
  })
  declare is_webhook_active?: boolean | null;

  @UrlField({ ...OPTIONAL, description: 'Required when is_webhook_active is true' })
  declare webhook_url?: string | null;

  @BooleanField({
    ...withDefault('send_webhook_only_on_completed'),
    description: 'Whether calls that were not completed are left out',
  })
  declare send_webhook_only_on_completed?: boolean | null;

  @BooleanField({
    ...withDefault('include_recording_in_webhook'),
    description: 'Whether the webhook names the address of the recording',
  })
  declare include_recording_in_webhook?: boolean | null;

  @BooleanField({
    ...withDefault('post_call_evaluation'),
    description: 'Whether calls and chats are evaluated by the model at their end',
  })
  declare post_call_evaluation?: boolean | null;

  @applied(
    ObjectsField(() => PostCallFieldRequest, {
      ...OPTIONAL,
      description: 'What the evaluation is to find out',
    }),
    DistinctNames('assistants.duplicate_post_call_name'),
  )
  declare post_call_schema?: PostCallFieldRequest[] | null;

  @ObjectField({ ...OPTIONAL, description: 'For use in prompts as {{name}}' })
  declare variables?: Record<string, unknown> | null;

  @NamesField({
    ...OPTIONAL,
    max: 200,
    description:
      'Variables that tools take from visitors, who may be anybody. Null: those without a value in `variables`. Other values of ' +
      'visitors stay in the prompt. Tools never take `customer_phone` from a visitor',
  })
  declare visitor_variables?: string[] | null;

  @IntegerField({
    ...withDefault('conversation_inactivity_timeout'),
    min: 1,
    max: 1440,
    description: 'Minutes',
  })
  declare conversation_inactivity_timeout?: number | null;

  @BooleanField({
    ...withDefault('conversation_ended_retrigger'),
    description: 'Whether a message reopens a conversation that has ended',
  })
  declare conversation_ended_retrigger?: boolean | null;

  @UrlField({ ...OPTIONAL, description: 'Where an event is sent when a conversation has ended' })
  declare conversation_ended_webhook_url?: string | null;

  @UrlField({
    ...OPTIONAL,
    description:
      'Asked who the caller is before a web call or a conversation begins, by one POST that is signed like webhooks. Its answer ' +
      'may give variables and the first words. Values of its query are hidden from callers without the scope `admin`',
    example: 'https://crm.example/who',
  })
  declare lookup_url?: string | null;

  @IntegerField({
    ...withDefault('lookup_timeout_ms'),
    min: 500,
    max: 7_500,
    description: 'Milliseconds that an answer of `lookup_url` is waited for; later it counts for nothing',
  })
  declare lookup_timeout_ms?: number | null;

  @IntegerField({
    ...OPTIONAL,
    ...VISITOR_RANGE,
    description: `Conversations that visitors may open. ${BY_DEFAULT}`,
  })
  declare visitor_conversations_per_hour?: number | null;

  @IntegerField({
    ...OPTIONAL,
    ...VISITOR_RANGE,
    description: `Conversations that visitors of one address may open. ${BY_DEFAULT}`,
  })
  declare visitor_conversations_per_address_per_hour?: number | null;

  @IntegerField({ ...OPTIONAL, ...VISITOR_RANGE, description: `Messages of visitors. ${BY_DEFAULT}` })
  declare visitor_messages_per_hour?: number | null;

  @NumberField({
    ...OPTIONAL,
    min: 0,
    max: 1_000_000,
    description: `US dollars that visitors may spend a day (UTC). ${BY_DEFAULT}`,
  })
  declare visitor_daily_spend?: number | null;

  @OriginsField({
    ...OPTIONAL,
    description:
      'Pages that may chat, such as https://shop.example; empty: any. It stops browsers, not programs',
  })
  declare allowed_origins?: string[] | null;

  @BooleanField({
    ...withDefault('challenge_required'),
    description: 'Visitors solve a challenge before they open a conversation',
  })
  declare challenge_required?: boolean | null;

  @BooleanField({
    ...withDefault('activates_by_use'),
    description:
      'Whether the first use makes an inactive assistant active: a campaign of it starts, another assistant hands over to it, or ' +
      'its number is called. A change of `status` from `active` to `inactive` sets it to false, and one to `active` to true',
  })
  declare activates_by_use?: boolean | null;

  @BooleanField({
    ...withDefault('web_chat_enabled'),
    description:
      'Whether visitors of the site reach the assistant, by chat or by voice. Open conversations continue to their end',
  })
  declare web_chat_enabled?: boolean | null;

  @BooleanField({
    ...withDefault('visitor_calls_enabled'),
    description: 'Visitors may call the assistant from a browser, by voice',
  })
  declare visitor_calls_enabled?: boolean | null;

  @StringField({
    ...OPTIONAL,
    max: 60,
    description: 'The heading of the chat on a page',
    example: 'Padaria Central',
  })
  declare widget_title?: string | null;

  @StringField({
    ...OPTIONAL,
    pattern: { regex: /^#[0-9a-fA-F]{6}$/, key: 'validation.format' },
    description: 'The colour of the chat on a page',
    example: '#1c7ed6',
  })
  declare widget_color?: string | null;

  @EnumField(WIDGET_POSITIONS, {
    ...withDefault('widget_position'),
    description: 'In which corner of a page the chat is',
  })
  declare widget_position?: WidgetPosition | null;

  @StringField({
    ...OPTIONAL,
    max: 500,
    description: 'What a visitor reads before the first message',
    example: 'Esta conversa é gravada.',
  })
  declare widget_consent?: string | null;

  @IdField({ ...OPTIONAL, description: 'A folder of the account' })
  declare folder_id?: number | null;

  @IdsField({ ...OPTIONAL, description: 'Labels of the account' })
  declare label_ids?: number[] | null;
}

function applied(...decorators: PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(...decorators);
}
