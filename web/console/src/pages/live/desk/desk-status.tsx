import { Button, Text, VisuallyHidden } from '@mantine/core';
import { NOTICES } from '#web/console/src/live/call-sound.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './desk.module.css';
import { type DeskSession, type DeskState, isTalking } from './session/desk-session.js';
import { useNoticeTexts } from './use-notice-text.js';

interface Props {
  readonly desk: DeskState;
  readonly session: DeskSession;
  /** The customer hears the announcement, and the call is not heard yet. */
  readonly isAnnouncing: boolean;
}

/** What has happened, for eyes and screen readers. Problems interrupt a screen reader, other news wait. */
export function DeskStatus({ desk, session, isAnnouncing }: Props) {
  const { desk: t } = useTexts('live');
  const { actions } = useTexts('common');
  const { noticeText, soundText, resumeSound, endText } = useNoticeTexts();
  const { notice, phase, sound, lines, end, isHolding } = desk;
  const isProblem = notice?.kind === 'failed' || notice?.kind === 'microphone' || notice?.kind === 'lapsed';
  const text = notice ? noticeText(notice) : '';
  const last = lines.at(-1);
  const sent =
    last?.kind === 'sent' && last.result === 'done' ? `${t.sent[last.command]}: ${t.sent.done}.` : '';
  const running = isAnnouncing ? t.announcing : t.listening;
  const spoken = { connecting: '', running, ended: t.ended, failed: '' };
  const lost = isHolding ? t.reconnectingHeld : t.reconnecting;
  const ofPhase = phase === 'reconnecting' ? lost : spoken[phase];
  const ofSound = sound.notice && NOTICES[sound.notice];
  return (
    <>
      <VisuallyHidden role="status">{(isProblem ? '' : text) || sent || ofPhase}</VisuallyHidden>
      <div role="alert">
        {isProblem && <p className={classes.problem}>{text}</p>}
        {end && (
          <VisuallyHidden>
            {t.failed} {endText(end)}
          </VisuallyHidden>
        )}
        {sound.notice && phase !== 'ended' && phase !== 'failed' && (
          <p className={classes.problem}>
            {soundText(sound.notice)}{' '}
            {ofSound?.action && (
              <Button variant="default" size="compact-xs" onClick={() => session.retrySound()}>
                {ofSound.action === 'retry' ? actions.retry : resumeSound}
              </Button>
            )}
          </p>
        )}
      </div>
      {text !== '' && !isProblem && !isTalking(desk) && (
        <Text size="sm" aria-hidden="true" mb="sm">
          {text}
        </Text>
      )}
    </>
  );
}
