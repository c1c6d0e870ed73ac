import { EnumField, IntegerQuery, StringField } from '../../../common/http/fields.js';
import { PageQuery } from '../../../common/http/page.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../webhook-delivery.entity.js';
import { MAX_KIND } from '../webhook-kinds.js';
import type { DeliveryFilter } from '../webhooks.repository.js';

export class ListDeliveriesQuery extends PageQuery {
  @EnumField(DELIVERY_STATUSES, { optional: true, description: 'Only those in this state' })
  declare status?: DeliveryStatus;

  @StringField({
    optional: true,
    max: MAX_KIND,
    description:
      'Of this event alone, of those that `GET /user/webhook-events` lists or of a plugin that was removed',
    example: 'post-call',
  })
  declare kind?: string;

  @IntegerQuery({ min: 1, description: 'Of this webhook endpoint alone' })
  declare webhook_endpoint_id?: number;
}

export function filterOf({ status, kind, webhook_endpoint_id: id }: ListDeliveriesQuery): DeliveryFilter {
  return {
    ...(status && { status }),
    ...(kind && { kind }),
    ...(id !== undefined && { subscriptionId: id }),
  };
}
