import { Button, NativeSelect, Text } from '@mantine/core';
import { Headset, Mic, MicOff, Undo2 } from 'lucide-react';
import { type Ref, useEffect, useRef } from 'react';
import { GrowingTextarea } from '#web/console/src/components/inputs/growing-textarea.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import classes from '../desk.module.css';
import type { DeskSession, DeskState } from '../session/desk-session.js';
import { MAX_NOTE } from '../session/protocol.js';
import { useNoticeTexts } from '../use-notice-text.js';

interface Props {
  readonly desk: DeskState;
  readonly session: DeskSession;
  readonly noteRef: Ref<HTMLTextAreaElement>;
}

/** The person talks with the customer: says so in large letters, and ends it. */
export function Holding({ desk, session, noteRef }: Props) {
  const { desk: t } = useTexts('live');
  const { microphone, systemMicrophone } = useNoticeTexts();
  const { isMuted, phase, sound } = desk;
  const muteButton = useRef<HTMLButtonElement>(null);
  const note = useRef('');
  // The button that was pressed is gone.
  useEffect(() => muteButton.current?.focus(), []);
  return (
    <>
      <div className={classes.holding} data-muted={isMuted || undefined}>
        <Text component="strong" size="lg" fw={600} className={classes.holdingTitle}>
          <Headset size={20} aria-hidden="true" />
          {t.holding}
        </Text>
        {isMuted && <Text size="sm">{t.muted}</Text>}
        <Button
          ref={muteButton}
          variant="default"
          leftSection={isMuted ? <MicOff size={16} /> : <Mic size={16} />}
          onClick={() => session.mute(!isMuted)}
        >
          {isMuted ? t.unmute : t.mute}
        </Button>
        {sound.microphones.length > 0 && (
          <NativeSelect
            label={microphone}
            value={sound.microphone}
            data={[
              { value: '', label: systemMicrophone },
              ...sound.microphones.map(({ id, label }) => ({ value: id, label })),
            ]}
            onChange={({ currentTarget }) => session.chooseMicrophone(currentTarget.value)}
          />
        )}
      </div>
      <form
        className={classes.handBack}
        onSubmit={(event) => {
          event.preventDefault();
          void session.handBack(note.current.trim());
        }}
      >
        <GrowingTextarea
          ref={noteRef}
          maxRows={5}
          maxLength={MAX_NOTE}
          label={t.note}
          placeholder={t.notePlaceholder}
          onChange={({ currentTarget }) => {
            note.current = currentTarget.value;
          }}
        />
        <Button type="submit" leftSection={<Undo2 size={16} />} disabled={phase !== 'running'}>
          {t.handBack}
        </Button>
      </form>
    </>
  );
}
