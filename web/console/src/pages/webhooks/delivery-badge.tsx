import { Badge } from '@mantine/core';
import type { WebhookDeliveryResponse } from '#client/types.gen.js';
import { useTexts } from '../../texts/texts.js';

const COLORS = { pending: 'amber', delivered: 'green', failed: 'red' } as const;

export function DeliveryBadge({ status }: Pick<WebhookDeliveryResponse, 'status'>) {
  const t = useTexts('webhooks');
  return <Badge color={COLORS[status]}>{t.status[status]}</Badge>;
}
