import { Badge } from '@mantine/core';
import type { LeadResponse } from '#client/types.gen.js';
import { useTexts } from '../../../texts/texts.js';

const COLORS = { created: 'gray', completed: 'green', 'reached-max-retries': 'amber' } as const;

export function LeadBadge({ status }: Pick<LeadResponse, 'status'>) {
  const { leads: t } = useTexts('campaigns');
  return <Badge color={COLORS[status]}>{t.status[status]}</Badge>;
}
