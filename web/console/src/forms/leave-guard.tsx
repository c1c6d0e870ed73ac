import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../texts/texts.js';

interface Props {
  readonly isDirty: boolean;
  /** Default: those of unsaved changes. */
  readonly texts?: Readonly<Record<'title' | 'text' | 'leave' | 'stay', string>>;
  /** Whether other filters of the same page are a leaving, too. */
  readonly isStrict?: boolean;
}

/** Asks before a page with unsaved changes is left, also by closing the tab. */
export function LeaveGuard({ isDirty, texts, isStrict = false }: Props) {
  const { dirty } = useTexts('common');
  const t = texts ?? dirty;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && (isStrict || current.pathname !== next.pathname),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={t.title} withCloseButton={false}>
      <Text>{t.text}</Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={() => proceed?.()}>
          {t.leave}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {t.stay}
        </Button>
      </Group>
    </Modal>
  );
}
