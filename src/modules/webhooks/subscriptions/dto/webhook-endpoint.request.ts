import { PartialType } from '@nestjs/swagger';
import { BooleanField, StringField } from '#src/common/http/fields.js';
import { NamesField } from '#src/common/http/fields/list-fields.js';
import { UrlField } from '#src/common/http/fields/url-fields.js';
import { MAX_KIND } from '../../webhook-kinds.js';

export class CreateWebhookEndpointRequest {
  @UrlField({ description: 'Where the events are posted', example: 'https://example.com/prosa-events' })
  declare url: string;

  @StringField({ optional: true, filled: false, max: 255, description: 'For people', example: 'CRM' })
  declare description?: string;

  @NamesField({
    max: MAX_KIND,
    optional: true,
    nullable: true,
    minItems: 1,
    description:
      'Events that are sent, of those that `GET /user/webhook-events` lists; null, or left out of a new endpoint: all, those that are yet to come included',
    example: ['call.started', 'call.ended'],
  })
  declare events?: string[] | null;

  @BooleanField({ optional: true, default: true, description: 'Whether events are written for it' })
  declare enabled?: boolean;
}

/** All optional; events replace what was there, and may name again what there is no more. */
export class UpdateWebhookEndpointRequest extends PartialType(CreateWebhookEndpointRequest, {
  skipNullProperties: false,
}) {}
