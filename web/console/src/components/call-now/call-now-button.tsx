import { Button, type ButtonProps } from '@mantine/core';
import { PhoneOutgoing } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.js';
import { IfAllowed } from '../if-allowed.js';
import { lazyNamed } from '../states/lazy-named.js';

const CallNowDialog = lazyNamed(async () => (await import('./call-now-dialog.js')).CallNowDialog);

interface Props extends Pick<ButtonProps, 'size' | 'variant'> {
  readonly phone?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The assistant that is offered first. */
  readonly assistantId?: number;
  /** Its text, where it is not "Call now". */
  readonly label?: string;
}

/** Calls a number with an assistant, for people who may place calls. */
export function CallNowButton({ phone, variables, assistantId, label, ...look }: Props) {
  const t = useTexts('callNow');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <IfAllowed scope="calls">
      <Button
        {...look}
        leftSection={<PhoneOutgoing size={16} aria-hidden="true" />}
        onClick={() => setIsOpen(true)}
      >
        {label ?? t.action}
      </Button>
      {isOpen && (
        <CallNowDialog
          phone={phone ?? ''}
          variables={variables ?? {}}
          assistantId={assistantId}
          onClose={() => setIsOpen(false)}
        />
      )}
    </IfAllowed>
  );
}
