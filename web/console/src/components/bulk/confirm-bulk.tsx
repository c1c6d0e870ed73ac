import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../actions/confirm-dialog.js';

interface Props {
  readonly label: string;
  readonly icon: ReactNode;
  readonly question: string;
  readonly onConfirm: () => void;
}

/** An action on several rows that is confirmed first. */
export function ConfirmBulk({ label, icon, question, onConfirm }: Props) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" leftSection={icon} onClick={open}>
        {label}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={close}
        title={label}
        mutation={{
          mutate: () => {
            close();
            onConfirm();
          },
        }}
      >
        {question}
      </ConfirmDialog>
    </>
  );
}
