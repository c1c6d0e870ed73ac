import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Radio } from 'lucide-react';
import { type ComponentProps } from 'react';
import { Dimmed } from '../../../components/dimmed.js';
import { Panel } from '../../../components/page/panel.js';
import { EmptyState } from '../../../components/states/empty-state.js';
import { useTexts } from '../../../texts/texts.js';
import type { LiveCalls } from '../live-calls.js';
import { LiveList } from './live-list.js';

/** How many calls there are, and their list. */
export function CallsPanel({ calls, total, ...list }: LiveCalls & ComponentProps<typeof LiveList>) {
  const t = useTexts('live');
  const waiting = calls.filter((call) => call.live.waiting !== null).length;
  if (calls.length === 0)
    return (
      <Panel flush>
        <NoCalls />
      </Panel>
    );
  return (
    <>
      <Group gap="md" mb="sm">
        <Text size="sm" fw={500}>
          {t.waiting(waiting)}
        </Text>
        <Dimmed>{t.running(calls.length - waiting)}</Dimmed>
      </Group>
      <Panel flush>
        <LiveList calls={calls} {...list} />
      </Panel>
      {total > calls.length && <Dimmed mt="sm">{t.newest(calls.length, total)}</Dimmed>}
    </>
  );
}

function NoCalls() {
  const { empty } = useTexts('live');
  return (
    <EmptyState
      icon={Radio}
      title={empty.title}
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/calls" {...props} />}>
          {empty.action}
        </Button>
      }
    >
      {empty.text}
    </EmptyState>
  );
}
