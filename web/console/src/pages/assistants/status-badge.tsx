import { Badge } from '@mantine/core';
import type { AssistantResponse } from '#client/types.gen.js';
import { type AssistantState, stateOf } from '../../catalog/assistant-state.js';
import { useTexts } from '../../texts/texts.js';

const COLORS: Readonly<Record<AssistantState, string>> = {
  active: 'green',
  inactive: 'gray',
  deactivated: 'red',
};

export function StatusBadge({ assistant }: { readonly assistant: AssistantResponse }) {
  const t = useTexts('assistants');
  const state = stateOf(assistant);
  return <Badge color={COLORS[state]}>{t.status[state]}</Badge>;
}
