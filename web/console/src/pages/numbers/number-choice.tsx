import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly shown: string;
  /** What it is called elsewhere. */
  readonly name?: string | null;
  /** Shown next to the button. */
  readonly note: string;
  readonly label: string;
  /** With the number in it, for those who hear the page. */
  readonly fullLabel: string;
  readonly onChoose: () => void;
  /** It was chosen, and is being taken. */
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  /** Shown in place of the button if the number cannot be chosen. */
  readonly obstacle?: ReactNode;
}

/** A number of a list of which one is taken. */
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
        {name && (
          <Text size="sm" c="dimmed">
            {name}
          </Text>
        )}
      </div>
      <Group gap="md" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {note}
        </Text>
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
