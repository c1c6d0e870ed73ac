import { Alert, Button, Loader, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Dimmed } from '../../../components/dimmed.js';
import { useTexts } from '../../../texts/texts.js';
import type { LiveCall } from '../live-calls.js';
import { Controls } from './controls/controls.js';
import { DeskFacts } from './desk-facts.js';
import { DeskLog } from './desk-log.js';
import classes from './desk.module.css';
import { type DeskSession, type DeskState, isTalking } from './session/desk-session.js';
import { DeskStatus } from './desk-status.js';
import { ReminderLine } from './reminder.js';
import { StayGuard } from './controls/stay-guard.js';
import { useDeskSession } from './session/use-desk-session.js';
import { useNoticeTexts } from './use-notice-text.js';

interface Props {
  readonly id: number;
  readonly call: LiveCall | undefined;
  /** What the customer hears before the call is heard; null: nothing. */
  readonly announcement: string | null;
  /** Listens anew. */
  readonly onRetry: () => void;
}

/** Listens to the call while it is shown. */
export function OpenDesk(props: Props) {
  const session = useDeskSession(props.id);
  if (!session) return null;
  return <Desk {...props} session={session} />;
}

function Desk({ id, call, announcement, session, onRetry }: Props & { readonly session: DeskSession }) {
  const desk = useSyncExternalStore(session.subscribe, session.getState);
  const isAnnouncing = announcement !== null && desk.phase === 'running' && !desk.isAudible;
  return (
    <>
      <ReminderLine announcement={announcement} />
      {call && <DeskFacts call={call} desk={desk} />}
      <DeskLog lines={desk.lines} />
      <div className={classes.part}>
        <DeskStatus desk={desk} session={session} isAnnouncing={isAnnouncing} />
        <Phase id={id} desk={desk} isAnnouncing={isAnnouncing} onRetry={onRetry} />
        {desk.phase !== 'ended' && desk.phase !== 'failed' && <Controls desk={desk} session={session} />}
      </div>
      <StayGuard isHolding={isTalking(desk)} />
    </>
  );
}

/** Where the connection is: being opened, lost, or over. */
function Phase({
  id,
  desk,
  isAnnouncing,
  onRetry,
}: {
  readonly id: number;
  readonly desk: DeskState;
  readonly isAnnouncing: boolean;
  readonly onRetry: () => void;
}) {
  const { desk: t } = useTexts('live');
  const { actions } = useTexts('common');
  const { endText } = useNoticeTexts();
  const { phase, end } = desk;
  if (isAnnouncing)
    return (
      <Text size="sm" c="dimmed" mb="sm" aria-hidden="true">
        {t.announcing}
      </Text>
    );
  if (phase === 'connecting' || phase === 'reconnecting')
    return (
      <Dimmed className={classes.connecting}>
        <Loader size={14} aria-hidden="true" />
        {phase === 'connecting' ? t.connecting : desk.isHolding ? t.reconnectingHeld : t.reconnecting}
      </Dimmed>
    );
  const details = (
    <Button
      variant="default"
      size="xs"
      renderRoot={(props) => <Link to="/calls" search={{ call: id }} {...props} />}
    >
      {t.details}
    </Button>
  );
  if (phase === 'ended')
    return (
      <Alert color="gray" icon={<CircleCheck size={18} />} title={t.ended}>
        {details}
      </Alert>
    );
  if (phase !== 'failed') return null;
  return (
    <Alert color="red" icon={<TriangleAlert size={18} />} title={t.failed}>
      <Text size="sm" mb="sm">
        {end && endText(end)}
      </Text>
      <div className={classes.buttons}>
        <Button variant="default" size="xs" onClick={onRetry}>
          {actions.retry}
        </Button>
        {details}
      </div>
    </Alert>
  );
}
