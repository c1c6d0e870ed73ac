import { Button, Group, Modal, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.js';
import { Problem } from '../states/problem.js';

type Mutation = UseMutationResult<unknown, unknown, void>;

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Label of the button. Default: the title. */
  readonly action?: string;
  /** Colour of the button. Default: red, for actions that cannot be undone. */
  readonly color?: string;
  /** The action. The dialog shows its failure. */
  readonly mutation: Pick<Mutation, 'mutate'> & Partial<Pick<Mutation, 'isPending' | 'error' | 'reset'>>;
  /** What the action destroys. */
  readonly children: ReactNode;
}

/** Asks before an action that cannot be undone or costs money. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  action = title,
  color = 'red',
  mutation,
  children,
}: Props) {
  const { actions } = useTexts('common');
  const close = () => {
    mutation.reset?.();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Text component="div">{children}</Text>
      {Boolean(mutation.error) && <Problem error={mutation.error} />}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={close} data-autofocus>
          {actions.cancel}
        </Button>
        <Button color={color} loading={mutation.isPending ?? false} onClick={() => mutation.mutate()}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
