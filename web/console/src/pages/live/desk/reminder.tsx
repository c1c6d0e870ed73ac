import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Headphones } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.js';
import classes from './desk.module.css';

/** Whether this browser has shown the reminder. */
export function useReminded() {
  return useLocalStorage({
    key: 'prosa.desk.reminded',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
}

/** The duty to say that a person listens, before the first call. */
export function Reminder({ onConfirm }: { readonly onConfirm: () => void }) {
  const t = useTexts('live').desk.reminder;
  return (
    <Stack gap="md" className={classes.part}>
      <div>
        <Title order={3} mb="xs">
          {t.title}
        </Title>
        <Text size="sm">{t.text}</Text>
        <Text size="sm" mt="xs">
          {t.recorded}
        </Text>
      </div>
      <Button leftSection={<Headphones size={16} />} onClick={onConfirm}>
        {t.confirm}
      </Button>
    </Stack>
  );
}

/**
 * The same in a line, for those who know it.
 *
 * @param announcement informs the customer, so that the person does not have to; null: nothing
 */
export function ReminderLine({ announcement }: { readonly announcement: string | null }) {
  const t = useTexts('live').desk.reminder;
  const [isOpen, setOpen] = useState(false);
  const [line, details] =
    announcement === null ? [t.line, t.text] : [t.announced, t.announcement(announcement)];
  return (
    <div className={classes.reminder}>
      <Text size="xs">
        {line}{' '}
        <Anchor
          component="button"
          type="button"
          inherit
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t.more}
        </Anchor>
      </Text>
      {isOpen && (
        <Text size="xs" mt={2}>
          {details} {t.recorded}
        </Text>
      )}
    </div>
  );
}
