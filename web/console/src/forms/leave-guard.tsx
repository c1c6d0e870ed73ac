import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../texts/texts.js';

/** Asks before a page with unsaved changes is left, also by closing the tab. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const { dirty } = useTexts('common');
  const { status, proceed, reset } = useBlocker({
    // Filters of the same page are no leaving.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={dirty.title}
      withCloseButton={false}
    >
      <Text>{dirty.text}</Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={() => proceed?.()}>
          {dirty.leave}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {dirty.stay}
        </Button>
      </Group>
    </Modal>
  );
}
