import type { ReactNode } from 'react';
import { ConfirmButton } from '../actions/confirm-button.js';

interface Props {
  readonly label: string;
  readonly icon: ReactNode;
  readonly question: string;
  readonly onConfirm: () => void;
}

/** An action on several rows that is confirmed first. */
export function ConfirmBulk({ label, icon, question, onConfirm }: Props) {
  return (
    <ConfirmButton
      label={label}
      size="xs"
      variant="default"
      leftSection={icon}
      action={async () => onConfirm()}
    >
      {question}
    </ConfirmButton>
  );
}
