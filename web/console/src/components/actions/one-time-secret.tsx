import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Dimmed } from '../dimmed.js';
import { useTexts } from '../../texts/texts.js';
import { CopyText } from './copy-text.js';

interface Props {
  readonly value: string;
  /** Why the secret must be copied now. */
  readonly text: string;
  /** Whether the dialog can be closed at once, as the secret also goes another way. */
  readonly isOptional?: boolean;
  readonly done: string;
  readonly onDone: () => void;
}

/** A secret that is shown once. The dialog can be closed after it was copied. */
export function OneTimeSecret({ value, text, isOptional = false, done, onDone }: Props) {
  const { actions } = useTexts('common');
  const [isCopied, setCopied] = useState(false);
  const mayClose = isCopied || isOptional;
  return (
    <Stack>
      <Alert color={isOptional ? 'green' : 'amber'}>{text}</Alert>
      <CopyText value={value} onCopy={() => setCopied(true)} />
      <Group justify="flex-end">
        {!mayClose && <Dimmed>{actions.copyFirst}</Dimmed>}
        <Button onClick={onDone} disabled={!mayClose}>
          {done}
        </Button>
      </Group>
    </Stack>
  );
}

/** Properties of a dialog that stays open until its secret was copied. */
export function keptOpen(isKept: boolean) {
  return { closeOnClickOutside: !isKept, closeOnEscape: !isKept, withCloseButton: !isKept };
}
