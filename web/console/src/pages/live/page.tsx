import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Radio } from 'lucide-react';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import { liveCallsQuery } from './live-calls.js';
import { LiveList } from './list/live-list.js';
import { useAnnouncement } from './list/use-announcement.js';
import { useKeptFocus } from './list/use-kept-focus.js';

export function LivePage() {
  const t = useTexts('live');
  const query = useQuery(liveCallsQuery);
  const announcement = useAnnouncement(query.data?.calls);
  const focus = useKeptFocus(query.data?.calls);
  return (
    <Page title={t.title} subtitle={t.subtitle} wide>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <div {...focus}>
        <Loaded query={query} lines={6}>
          {({ calls, total }) => {
            const waiting = calls.filter((call) => call.live.waiting !== null).length;
            return calls.length === 0 ? (
              <Panel flush>
                <NoCalls />
              </Panel>
            ) : (
              <>
                <Group gap="md" mb="sm">
                  <Text size="sm" fw={500}>
                    {t.waiting(waiting)}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {t.running(calls.length - waiting)}
                  </Text>
                </Group>
                <Panel flush>
                  <LiveList calls={calls} />
                </Panel>
                {total > calls.length && (
                  <Text size="sm" c="dimmed" mt="sm">
                    {t.newest(calls.length, total)}
                  </Text>
                )}
              </>
            );
          }}
        </Loaded>
      </div>
    </Page>
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
