import { Badge } from '@mantine/core';
import type { CallResponse } from '#client/types.gen.js';
import { useTexts } from '../texts/texts.js';

type Status = CallResponse['status'];

const COLORS: Readonly<Record<Status, string>> = {
  initiated: 'gray',
  ringing: 'iris',
  'in-progress': 'green',
  ended: 'gray',
  completed: 'gray',
  ended_by_customer: 'gray',
  ended_by_assistant: 'gray',
  busy: 'amber',
  'no-answer': 'amber',
  failed: 'red',
};

export function isLive(status: Status): status is 'initiated' | 'ringing' | 'in-progress' {
  return status === 'initiated' || status === 'ringing' || status === 'in-progress';
}

/** Status of a call. Only running and failed calls have a colour. */
export function CallStatus({ status }: { readonly status: Status }) {
  const { statuses } = useTexts('calls');
  return (
    <Badge color={COLORS[status]} variant={status === 'in-progress' ? 'dot' : 'light'}>
      {statuses[status]}
    </Badge>
  );
}
