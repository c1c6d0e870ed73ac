import { Badge, Text } from '@mantine/core';
import type { LeadResponse } from '#client/types.gen.js';
import { useTexts } from '../../../texts/texts.js';

const COLORS = { created: 'gray', completed: 'green', 'reached-max-retries': 'amber' } as const;

/** The status of a contact, and why it was never called. */
export function LeadBadge({
  status,
  refusal_reason: reason,
}: Pick<LeadResponse, 'status' | 'refusal_reason'>) {
  const { leads: t } = useTexts('campaigns');
  return (
    <>
      <Badge color={COLORS[status]}>{t.status[status]}</Badge>
      {reason !== null && (
        <Text size="xs" c="dimmed">
          {t.refusals[reason]}
        </Text>
      )}
    </>
  );
}
