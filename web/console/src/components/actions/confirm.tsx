import { Button, Group, Modal, Text } from '@mantine/core';
import { useTexts } from '../../texts/texts.js';
import { Problem } from '../states/problem.js';

interface Props {
  readonly opened: boolean;
  readonly title: string;
  /** What the action destroys. */
  readonly question: string;
  /** Label of the button. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before an action that cannot be undone. */
export function Confirm({ opened, title, question, action, isBusy, error, onConfirm, onClose }: Props) {
  const { actions } = useTexts('common');
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Text size="sm">{question}</Text>
      {error ? <Problem error={error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {actions.cancel}
        </Button>
        <Button color="red" loading={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
