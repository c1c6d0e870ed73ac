import { IdField, UrlField } from '../../../common/http/fields.js';

export class AssistantRequest {
  @IdField()
  declare assistant_id: number;
}

export class EnableWebhookRequest extends AssistantRequest {
  @UrlField({ example: 'https://example.com/webhook' })
  declare webhook_url: string;
}
