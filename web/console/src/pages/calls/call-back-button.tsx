import { Button } from '@mantine/core';
import { PhoneOutgoing } from 'lucide-react';
import type { CallResponse } from '#client/types.gen.js';
import { useIsAllowed } from '../../session/rights.js';
import { useTexts } from '../../texts/texts.js';

interface Props {
  readonly call: CallResponse;
  readonly size: 'compact-xs' | 'xs';
  readonly className?: string;
  readonly onClick: () => void;
}

/** On missed calls, for people who may place calls. */
export function CallBackButton({ call, size, className, onClick }: Props) {
  const { callBack: t } = useTexts('calls');
  const isAllowed = useIsAllowed('calls');
  if (!isAllowed || !canBeCalledBack(call)) return null;
  return (
    <Button
      size={size}
      variant="light"
      className={className}
      leftSection={<PhoneOutgoing size={size === 'xs' ? 15 : 13} aria-hidden="true" />}
      aria-label={t.actionTo(call.client_phone_number)}
      onClick={onClick}
    >
      {t.action}
    </Button>
  );
}

/** The caller was turned away, or hung up in the queue as Analytics counts it. A withheld number cannot be called. */
function canBeCalledBack({
  type,
  status,
  client_phone_number: phone,
  assistant_name: name,
  routing,
}: CallResponse) {
  if (type !== 'inbound' || !phone.startsWith('+')) return false;
  const isAbandoned =
    status === 'completed' && name === '' && routing?.action === 'assistant' && routing.waited_ms !== null;
  return status === 'busy' || isAbandoned;
}
