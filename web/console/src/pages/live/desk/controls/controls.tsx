import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PhoneOff, Headset } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ConfirmDialog } from '#web/console/src/components/actions/confirm-dialog.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import classes from '../desk.module.css';
import { type DeskSession, type DeskState, isTalking } from '../session/desk-session.js';
import { Holding } from './holding.js';
import { TransferForm } from './transfer-form.js';
import { useDeskKeys } from './use-desk-keys.js';
import { WordsField } from './words-field.js';

interface Props {
  readonly desk: DeskState;
  readonly session: DeskSession;
}

/** What a person can do with the call. */
export function Controls({ desk, session }: Props) {
  const { desk: t } = useTexts('live');
  const whisper = useRef<HTMLTextAreaElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const takeOver = useRef<HTMLButtonElement>(null);
  const [isAsking, question] = useDisclosure(false);
  const { holder, isTakingOver, phase } = desk;
  const isHolding = isTalking(desk);
  const isRunning = phase === 'running';
  useDeskKeys({
    whisper: () => whisper.current?.focus(),
    takeOver: () => void session.takeOver(),
    handBack: () => void session.handBack(note.current?.value.trim() ?? ''),
    mute: () => session.mute(!desk.isMuted),
    isHolding,
    isActive: isRunning,
  });
  const wasHolding = useRef(isHolding);
  useEffect(() => {
    // The control that gave the call back is gone, and the focus with it.
    if (wasHolding.current && !isHolding && document.activeElement === document.body)
      takeOver.current?.focus();
    wasHolding.current = isHolding;
  }, [isHolding]);
  const transfer = (
    <TransferForm isDisabled={!isRunning} onTransfer={(phone) => void session.transfer(phone)} />
  );
  return (
    <div className={classes.controls}>
      {isHolding ? (
        <>
          <Holding desk={desk} session={session} noteRef={note} />
          {transfer}
        </>
      ) : (
        <>
          {holder === 'assistant' &&
            (['whisper', 'say'] as const).map((command) => (
              <WordsField
                key={command}
                ref={command === 'whisper' ? whisper : undefined}
                texts={t.words[command]}
                isDisabled={!isRunning}
                onSend={(text) => void session.speak(command, text)}
              />
            ))}
          <div>
            <Button
              ref={takeOver}
              fullWidth
              size="md"
              leftSection={<Headset size={18} />}
              loading={isTakingOver}
              disabled={!isRunning || holder === 'transfer'}
              aria-describedby="desk-take-over"
              onClick={() => void session.takeOver()}
            >
              {t.takeOver}
            </Button>
            <Text id="desk-take-over" size="xs" c="dimmed" mt={4}>
              {holder === 'agent' ? t.heldBy(desk.memberName) : t.takeOverHint}
            </Text>
          </div>
          {holder === 'assistant' && transfer}
        </>
      )}
      <Button
        className={classes.hangUp}
        variant="light"
        color="red"
        leftSection={<PhoneOff size={16} />}
        disabled={!isRunning}
        onClick={question.open}
      >
        {t.hangUp}
      </Button>
      <ConfirmDialog
        opened={isAsking && isRunning}
        onClose={question.close}
        title={t.hangUp}
        mutation={{
          mutate: () => {
            question.close();
            void session.hangUp();
          },
        }}
      >
        {t.hangUpQuestion}
      </ConfirmDialog>
    </div>
  );
}
