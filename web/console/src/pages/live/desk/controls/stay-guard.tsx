import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '#web/console/src/texts/texts.jsx';

/** Asks before a person who has the customer leaves the call: by closing it, for another call or page, or with the tab. */
export function StayGuard({ isHolding }: { readonly isHolding: boolean }) {
  const t = useTexts('live').desk.leave;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isHolding,
    enableBeforeUnload: () => isHolding,
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
