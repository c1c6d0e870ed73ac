import { Badge } from '@mantine/core';
import type { CampaignResponse } from '#client/types.gen.js';
import { useTexts } from '../../texts/texts.js';

const COLORS = { draft: 'gray', 'in-progress': 'green', stopped: 'amber', completed: 'iris' } as const;

export function CampaignBadge({ status }: Pick<CampaignResponse, 'status'>) {
  const t = useTexts('campaigns');
  return <Badge color={COLORS[status]}>{t.status[status]}</Badge>;
}
