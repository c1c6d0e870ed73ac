import { ApiProperty } from '@nestjs/swagger';
import { NullableMoment, NullableOf, NullableText } from '../../../common/http/response-fields.js';
import {
  SPEECH_KEY_PROVIDERS,
  type SpeechKeyProvider,
} from '../../../providers/speech/account-keys/account-speech-keys.js';
import { KEY_TESTS, type KeyTest } from '../key-refusal.js';
import type { SpeechKeyDetails } from '../speech-keys.service.js';
import { KEY_STATUSES, type KeyStatus, statusOf } from './key-status.js';

export class SpeechModelKeyResponse {
  @ApiProperty({ enum: SPEECH_KEY_PROVIDERS, description: 'Its code in the catalogue' })
  declare provider: SpeechKeyProvider;

  @ApiProperty({ description: 'Dots, and the last four characters', example: '••••cdef' })
  declare api_key: string;

  @NullableText({ format: 'uri', description: "Null: the provider's own server", example: null })
  declare base_url: string | null;

  @NullableText({
    description: 'Of azure: the region in which the key is valid; null for all others',
    example: 'brazilsouth',
  })
  declare region: string | null;

  @NullableText({ description: "Null: the provider's default", example: null })
  declare speech_to_text_model: string | null;

  @NullableText({ description: "Null: the provider's default", example: null })
  declare text_to_speech_model: string | null;

  @ApiProperty({
    enum: KEY_STATUSES,
    description:
      'refused: the provider does not take the key (any more); unreadable: it was sealed with an encryption key that this installation does not have. Other providers stand in then',
  })
  declare status: KeyStatus;

  @NullableMoment('Since when the provider refuses the key; null while it does not')
  declare refused_at: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}

export class StoredSpeechModelKeyResponse {
  @NullableOf(SpeechModelKeyResponse, 'Null where none is stored')
  declare data: SpeechModelKeyResponse | null;
}

export class SpeechModelKeyListResponse {
  @ApiProperty({ type: [SpeechModelKeyResponse], description: 'One for each provider that has one' })
  declare data: SpeechModelKeyResponse[];
}

export class SpeechModelKeyTestResponse {
  @ApiProperty({
    enum: KEY_TESTS,
    description:
      'refused: the provider does not take the key; forbidden: its address is local, private or reserved; incompatible: it does not list models as OpenAI does; unreachable: it did not answer; unreadable: the installation cannot open the key',
  })
  declare result: KeyTest;
}

export function toSpeechModelKeyResponse(key: SpeechKeyDetails): SpeechModelKeyResponse {
  return {
    provider: key.provider,
    api_key: key.maskedApiKey,
    base_url: key.baseUrl,
    region: key.region,
    speech_to_text_model: key.recognizerModel,
    text_to_speech_model: key.synthesizerModel,
    status: statusOf(key),
    refused_at: key.refusedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    updated_at: key.updatedAt.toISOString(),
  };
}
