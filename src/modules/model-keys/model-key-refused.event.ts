import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { NullableText } from '../../common/http/response-fields.js';
import {
  SPEECH_KEY_PROVIDERS,
  type SpeechKeyProvider,
} from '../../providers/speech/account-keys/account-speech-keys.js';
import type { WebhookEventDefinition } from '../webhooks/webhook-events.js';

export const MODEL_KEY_REFUSED = 'model-key.refused';

/** The `data` of the event. */
export class ModelKeyRefusedPayload {
  @ApiProperty({ enum: ['chat', 'speech'], description: 'What the key is used for' })
  declare service: 'chat' | 'speech';

  @ApiPropertyOptional({
    enum: SPEECH_KEY_PROVIDERS,
    description: 'Whose key for speech it is; not there for chat',
  })
  declare provider?: SpeechKeyProvider;

  @NullableText({
    format: 'uri',
    description: "The server that refuses it; null: the vendor's own",
    example: 'https://llm.example.com/v1',
  })
  declare base_url: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was refused for the first time' })
  declare refused_at: string;
}

export const modelKeyRefusedEvent: WebhookEventDefinition = {
  kind: MODEL_KEY_REFUSED,
  payload: ModelKeyRefusedPayload,
  when: 'When a model server or a provider of speech refuses the key of the account, once until it takes one again',
  published: true,
};
