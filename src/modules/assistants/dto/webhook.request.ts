import { IdField, UrlField } from '../../../common/http/fields.js';

export class AssistantRequest {
  @IdField()
  declare assistant_id: number;
}

// Not an heir of the above: the errors of a class come before those of what it extends.
export class EnableWebhookRequest {
  @IdField()
  declare assistant_id: number;

  @UrlField({ example: 'https://example.com/webhook' })
  declare webhook_url: string;
}
