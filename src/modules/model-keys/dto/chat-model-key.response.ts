import { ApiProperty } from '@nestjs/swagger';
import { NullableMoment, NullableOf, NullableText } from '../../../common/http/response-fields.js';
import { CHAT_MODEL_SOURCES, type ChatModelSource } from '../chat-keys.service.js';
import { KEY_TESTS, type KeyTest } from '../key-refusal.js';
import type { ModelKeyDetails } from '../model-key-vault.service.js';
import { KEY_STATUSES, type KeyStatus, statusOf } from './key-status.js';

export class ChatModelKeyResponse {
  @NullableText({
    format: 'uri',
    description: 'Null: the server of OpenAI',
    example: 'https://llm.example.com/v1',
  })
  declare base_url: string | null;

  @ApiProperty({ description: 'Dots, and the last four characters', example: '••••cdef' })
  declare api_key: string;

  @NullableText({
    description: 'Answers for every assistant; null: the one that each names',
    example: 'llama-3.3-70b-versatile',
  })
  declare model: string | null;

  @ApiProperty({
    enum: KEY_STATUSES,
    description:
      'refused: the server does not take the key (any more); unreadable: it was sealed with an encryption key that this installation does not have. Assistants get no answers then, and none from the model of the installation',
  })
  declare status: KeyStatus;

  @NullableMoment('Since when the server refuses the key; null while it does not')
  declare refused_at: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}

export class StoredChatModelKeyResponse {
  @NullableOf(ChatModelKeyResponse, 'Null where none is stored')
  declare data: ChatModelKeyResponse | null;
}

export class ChatModelSourceResponse {
  @ApiProperty({
    enum: CHAT_MODEL_SOURCES,
    description:
      'demo: a model for trying things out, which is no neural network; installation: the model of the installation; own_key: that of your key',
  })
  declare answers_from: ChatModelSource;
}

export class ChatModelKeyTestResponse {
  @ApiProperty({
    enum: KEY_TESTS,
    description:
      'refused: the server does not take the key; forbidden: its address is local, private or reserved; incompatible: it does not list models as OpenAI does; unreachable: it did not answer; unreadable: the installation cannot open the key',
  })
  declare result: KeyTest;
}

export function toChatModelKeyResponse(key: ModelKeyDetails): ChatModelKeyResponse {
  const { baseUrl, maskedApiKey, model, refusedAt, createdAt, updatedAt } = key;
  return {
    base_url: baseUrl,
    api_key: maskedApiKey,
    model,
    status: statusOf(key),
    refused_at: refusedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
