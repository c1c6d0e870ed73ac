import { Badge } from '@mantine/core';
import type { AssistantResponse } from '../../../../../clients/typescript/src/types.gen.js';
import { useTexts } from '../../texts/texts.js';

export function StatusBadge({ status }: Pick<AssistantResponse, 'status'>) {
  const t = useTexts('assistants');
  return <Badge color={status === 'active' ? 'green' : 'gray'}>{t.status[status]}</Badge>;
}
