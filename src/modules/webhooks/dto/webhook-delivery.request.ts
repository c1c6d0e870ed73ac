import { EnumField, IntegerQuery } from '../../../common/http/fields.js';
import { PageQuery } from '../../../common/http/page.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../webhook-delivery.entity.js';
import { WEBHOOK_KINDS, type WebhookKind } from '../webhook-kinds.js';
import type { DeliveryFilter } from '../webhooks.repository.js';

export class ListDeliveriesQuery extends PageQuery {
  @EnumField(DELIVERY_STATUSES, { optional: true })
  declare status?: DeliveryStatus;

  @EnumField(WEBHOOK_KINDS, { optional: true })
  declare kind?: WebhookKind;

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
