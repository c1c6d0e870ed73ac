import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Keyboard } from 'lucide-react';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
import { lazyNamed } from '../../components/states/lazy-named.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import { Availability } from './availability.js';
import { CallsPanel } from './list/calls-panel.js';
import { useAnnouncement } from './list/use-announcement.js';
import { useKeptFocus } from './list/use-kept-focus.js';
import { useLiveKeys } from './list/use-live-keys.js';
import classes from './live.module.css';
import { liveCallsQuery } from './live-calls.js';
import { LiveShortcuts } from './live-shortcuts.js';
import { useOpenCall } from './use-open-call.js';

const DeskPanel = lazyNamed(async () => (await import('./desk/desk-panel.js')).DeskPanel);

export function LivePage() {
  const t = useTexts('live');
  const { shortcuts } = useTexts('common');
  const query = useQuery(liveCallsQuery);
  const calls = query.data?.calls;
  const announcement = useAnnouncement(calls);
  const focus = useKeptFocus(calls);
  const { openId, listen, close } = useOpenCall();
  const [isHelpOpen, help] = useDisclosure(false);
  const onKeyDown = useLiveKeys({ calls: calls ?? [], openId, onListen: listen, onHelp: help.open });
  const actions = (
    <>
      <IfAllowed scope="calls">
        <Availability />
      </IfAllowed>
      <Tooltip label={shortcuts.title}>
        <ActionIcon aria-label={shortcuts.title} onClick={help.open}>
          <Keyboard size={17} />
        </ActionIcon>
      </Tooltip>
    </>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={actions} wide>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <div className={classes.layout} data-desk={openId === undefined ? undefined : true}>
        <div className={classes.calls} {...focus}>
          <Loaded query={query} lines={6}>
            {(data) => <CallsPanel {...data} openId={openId} onListen={listen} onKeyDown={onKeyDown} />}
          </Loaded>
        </div>
        {openId !== undefined && (
          <DeskPanel key={openId} id={openId} call={calls?.find(({ id }) => id === openId)} onClose={close} />
        )}
      </div>
      <LiveShortcuts opened={isHelpOpen} onClose={help.close} />
    </Page>
  );
}
