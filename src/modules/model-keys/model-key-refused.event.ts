import { ApiProperty } from '@nestjs/swagger';
import type { WebhookEventDefinition } from '../webhooks/webhook-events.js';

export const MODEL_KEY_REFUSED = 'model-key.refused';

/** What stands under `data` of the event. */
export class ModelKeyRefusedPayload {
  @ApiProperty({ enum: ['chat'], description: 'What the key is used for' })
  declare service: 'chat';

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'The server that refuses it; null: that of OpenAI',
    example: 'https://llm.example.com/v1',
  })
  declare base_url: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was refused for the first time' })
  declare refused_at: string;
}

export const modelKeyRefusedEvent: WebhookEventDefinition = {
  kind: MODEL_KEY_REFUSED,
  payload: ModelKeyRefusedPayload,
  when: 'When a model server refuses the key of the account, once until it takes one again',
  published: true,
};
