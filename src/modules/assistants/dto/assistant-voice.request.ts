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
import { BooleanField, IdField, NumberField } from '../../../common/http/fields.js';
import { EachItem, issueText } from '../../../common/http/fields/field.js';
import { FILLER_KINDS } from '../settings/assistant-config.js';
import { OPTIONAL, withDefault } from './optional-setting.js';

const MAX_PHRASES = 20;
const MAX_PHRASE = 100;

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

/** How the assistant speaks and listens. */
export class AssistantVoiceRequest {
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
}
