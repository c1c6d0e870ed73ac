import { Text } from '@mantine/core';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { Panel } from '../../../components/page/panel.js';
import { useTexts } from '../../../texts/texts.js';
import { ownAddress } from '../recording-address.js';
import { RecordingPlayer } from './recording/recording-player.js';
import { usePlayer } from './recording/use-player.js';
import { Transcript } from './transcript/transcript.js';

interface Props {
  readonly call: CallDetailsResponse;
}

/** The recording and the transcript, which move together. */
export function Conversation({ call }: Props) {
  return call.recording_url === undefined ? (
    <>
      <NotRecorded call={call} />
      <TranscriptPanel call={call} player={null} />
    </>
  ) : (
    <Recorded call={call} url={call.recording_url} />
  );
}

function Recorded({ call, url }: Props & { readonly url: string }) {
  const t = useTexts('callPage').recording;
  const player = usePlayer(ownAddress(url));
  return (
    <>
      <Panel title={t.title}>
        <RecordingPlayer player={player} turns={call.turns} />
      </Panel>
      <TranscriptPanel call={call} player={player} />
    </>
  );
}

function TranscriptPanel({ call, player }: Parameters<typeof Transcript>[0] & Props) {
  const t = useTexts('callPage').transcript;
  return (
    <Panel title={t.title}>
      <Transcript call={call} player={player} />
    </Panel>
  );
}

function NotRecorded({ call: { recording_skipped: reason } }: Props) {
  const t = useTexts('callPage').recording;
  return (
    reason && (
      <Panel title={t.title}>
        <Text size="sm">{t.skipped[reason]}</Text>
      </Panel>
    )
  );
}
