import { Button, Group, Text } from '@mantine/core';
import { Dimmed } from '../../components/dimmed.js';
import type { ReactNode } from 'react';

interface Props {
  readonly shown: string;
  /** Name of the number at the carrier. */
  readonly name?: string | null;
  /** Shown next to the button. */
  readonly note: string;
  readonly label: string;
  /** Accessible name of the button, with the number. */
  readonly fullLabel: string;
  readonly onChoose: () => void;
  /** Whether the request is running. */
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  /** Shown in place of the button if the number cannot be chosen. */
  readonly obstacle?: ReactNode;
}

/** A number in a list to choose from. */
export function NumberChoice({
  shown,
  name,
  note,
  label,
  fullLabel,
  onChoose,
  isPending = false,
  isDisabled = false,
  obstacle,
}: Props) {
  return (
    <li>
      <div>
        <Text fw={500} className="tabular">
          {shown}
        </Text>
        {name && <Dimmed>{name}</Dimmed>}
      </div>
      <Group gap="md" wrap="nowrap">
        <Dimmed>{note}</Dimmed>
        {obstacle || (
          <Button
            size="xs"
            aria-label={fullLabel}
            loading={isPending}
            disabled={isDisabled}
            onClick={onChoose}
          >
            {label}
          </Button>
        )}
      </Group>
    </li>
  );
}
