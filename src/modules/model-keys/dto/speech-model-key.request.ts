import { StringField } from '../../../common/http/fields.js';
import { UrlField } from '../../../common/http/fields/url-fields.js';
import { AZURE_REGION } from '../../../config/azure-region.js';
import { ApiKeyField } from './api-key-field.js';

export class PutSpeechModelKeyRequest {
  @ApiKeyField()
  declare api_key?: string;

  @UrlField({
    optional: true,
    nullable: true,
    description:
      'Of openai alone: a server that speaks as OpenAI does, up to and with the version; null: that of OpenAI. It is used for ' +
      'speech to text and text to speech, not for realtime models. Left out, the stored one stays',
    example: null,
  })
  declare base_url?: string | null;

  @StringField({
    optional: true,
    nullable: true,
    filled: true,
    max: 40,
    pattern: { regex: AZURE_REGION, key: 'validation.characters' },
    description:
      'Of azure alone, where it is needed: the region of the Speech resource, since a key is valid in no other. Left out, the stored one stays',
    example: null,
  })
  declare region?: string | null;

  @StringField({
    optional: true,
    nullable: true,
    filled: true,
    max: 200,
    description:
      'Of openai alone: what the server calls its model for speech to text; null: gpt-4o-mini-transcribe at OpenAI, whisper-1 elsewhere',
    example: null,
  })
  declare speech_to_text_model?: string | null;

  @StringField({
    optional: true,
    nullable: true,
    filled: true,
    max: 200,
    description: 'Of openai alone: what the server calls its model for text to speech; null: gpt-4o-mini-tts',
    example: null,
  })
  declare text_to_speech_model?: string | null;
}
