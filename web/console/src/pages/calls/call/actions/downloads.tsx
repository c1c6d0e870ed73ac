import { Button, Menu } from '@mantine/core';
import { Download } from 'lucide-react';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { saveFile } from '#web/console/src/components/actions/save-file.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import { speakerOf } from '../../speaker.js';
import { ownAddress } from '../../recording-address.js';

/** The recording and the transcript as files. */
export function Downloads({ call }: { readonly call: CallDetailsResponse }) {
  const { actions: t, transcript } = useTexts('callPage');
  const format = useFormat();
  const hasRecording = call.recording_url !== undefined;
  const hasTurns = call.turns.length > 0;
  if (!hasRecording && !hasTurns) return null;
  const saveTranscript = () => {
    const lines = call.turns.map((turn) => {
      const speaker = speakerOf(turn, {
        ...transcript,
        assistant: call.assistant_name || transcript.assistant,
      });
      return `[${format.duration(Math.floor(turn.start_ms / 1_000))}] ${speaker}: ${turn.text}`;
    });
    saveFile(
      new Blob([`${lines.join('\n')}\n`], { type: 'text/plain;charset=utf-8' }),
      `call-${call.id}.txt`,
    );
  };
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} />}>
          {t.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {call.recording_url !== undefined && (
          <Menu.Item component="a" href={ownAddress(call.recording_url)} download={`call-${call.id}.ogg`}>
            {t.recording}
          </Menu.Item>
        )}
        {hasTurns && <Menu.Item onClick={saveTranscript}>{t.transcript}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
