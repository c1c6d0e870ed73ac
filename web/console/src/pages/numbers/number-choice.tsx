import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

interface Props {
  readonly number: string;
  readonly shown: string;
  /** What it is called elsewhere. */
  readonly name?: string | null;
  /** Beside its button. */
  readonly note: string;
  readonly label: string;
  /** With the number in it, for those who hear the page. */
  readonly fullLabel: string;
  readonly choose: Pick<UseMutationResult<unknown, unknown, string>, 'mutate' | 'isPending' | 'variables'>;
  /** Stands in place of the button where the number cannot be chosen. */
  readonly obstacle?: ReactNode;
}

/** A number of a list of which one is taken. */
export function NumberChoice({ number, shown, name, note, label, fullLabel, choose, obstacle }: Props) {
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
            loading={choose.isPending && choose.variables === number}
            disabled={choose.isPending}
            onClick={() => choose.mutate(number)}
          >
            {label}
          </Button>
        )}
      </Group>
    </li>
  );
}
