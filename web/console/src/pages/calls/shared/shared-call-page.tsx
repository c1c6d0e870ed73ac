import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { readSharedCall } from '#client/sdk.gen.js';
import type { SharedCallResponse } from '#client/types.gen.js';
import { ApiError } from '../../../api/api-error.js';
import { dataOf } from '../../../api/client.js';
import { Page } from '../../../components/page/page.js';
import { Panel } from '../../../components/page/panel.js';
import { useDocumentTitle } from '../../../components/page/use-document-title.js';
import { Loaded } from '../../../components/states/loaded.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import { RecordingPlayer } from '../call/recording/recording-player.js';
import { usePlayer } from '../call/recording/use-player.js';
import { Transcript } from '../call/transcript/transcript.js';
import { ownAddress } from '../recording-address.js';
import classes from './shared.module.css';

/** A call for people who have a link. The token is in the fragment, which servers and logs do not see. */
export function SharedCallPage() {
  const token = useRouterState({ select: ({ location }) => location.hash });
  const call = useQuery({
    queryKey: ['shared-call', token],
    queryFn: () => dataOf(readSharedCall, { body: { token } }),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
  });
  const isGone = token === '' || (call.error instanceof ApiError && [404, 422].includes(call.error.status));
  return (
    <main className={classes.page}>
      {isGone ? <Gone /> : <Loaded query={call}>{(data) => <SharedCall call={data} />}</Loaded>}
    </main>
  );
}

function Gone() {
  const t = useTexts('callPage').shared;
  useDocumentTitle(t.gone);
  return (
    <div className={classes.gone}>
      <Title order={1}>{t.gone}</Title>
      <Text c="dimmed">{t.goneText}</Text>
    </div>
  );
}

function SharedCall({ call }: { readonly call: SharedCallResponse }) {
  const t = useTexts('callPage').shared;
  const format = useFormat();
  const about = [format.dateTime(call.created_at), format.duration(call.duration)].join(' · ');
  return (
    <Page
      title={call.assistant_name === '' ? t.title : t.titleOf(call.assistant_name)}
      subtitle={`${about} · ${t.validUntil(format.dateTime(call.expires_at))}`}
    >
      {call.recording_url === undefined ? (
        <SharedTranscript call={call} player={null} />
      ) : (
        <Recorded call={call} url={call.recording_url} />
      )}
    </Page>
  );
}

function Recorded({ call, url }: { readonly call: SharedCallResponse; readonly url: string }) {
  const t = useTexts('callPage').recording;
  const player = usePlayer(ownAddress(url));
  return (
    <>
      <Panel title={t.title}>
        <RecordingPlayer player={player} turns={call.turns} />
      </Panel>
      <SharedTranscript call={call} player={player} />
    </>
  );
}

function SharedTranscript(props: Parameters<typeof Transcript>[0]) {
  const t = useTexts('callPage').transcript;
  return (
    <Panel title={t.title}>
      <Transcript {...props} />
    </Panel>
  );
}
