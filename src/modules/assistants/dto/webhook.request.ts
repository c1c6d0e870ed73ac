import { IdField } from '../../../common/http/fields.js';
import { UrlField } from '../../../common/http/fields/url-fields.js';

export class AssistantRequest {
  @IdField({ description: 'Id of the assistant' })
  declare assistant_id: number;
}

// Not an heir of the above: the errors of a class come before those of what it extends.
export class EnableWebhookRequest {
  @IdField({ description: 'Id of the assistant' })
  declare assistant_id: number;

  @UrlField({ example: 'https://example.com/webhook', description: 'Address that events are posted to' })
  declare webhook_url: string;
}
