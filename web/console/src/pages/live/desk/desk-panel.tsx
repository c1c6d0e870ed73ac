import { ActionIcon, Title } from '@mantine/core';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../../texts/texts.js';
import { Ticking } from '../../../components/ticking.js';
import { isHeld } from '../../../live/held-call.js';
import { customerOf, type LiveCall } from '../live-calls.js';
import classes from './desk.module.css';
import { OpenDesk } from './open-desk.js';
import { Reminder, useReminded } from './reminder.js';
import { useAnnouncement } from './use-announcement.js';

interface Props {
  readonly id: number;
  /** Undefined when the call is over. */
  readonly call: LiveCall | undefined;
  readonly onClose: () => void;
}

/** One call, next to the list: what is heard and said, and what a person can do. */
export function DeskPanel({ id, call, onClose }: Props) {
  const { desk: t, visitor } = useTexts('live');
  const [isReminded, setReminded] = useReminded();
  const announcement = useAnnouncement(id);
  // A person who talks with the customer does not listen in secret.
  const [wasHeld] = useState(() => isHeld(id));
  const isOpen = wasHeld || (announcement !== undefined && (isReminded || announcement !== null));
  const [attempt, setAttempt] = useState(1);
  // A call that is over is in the list no more, and keeps its name here.
  const [last, setLast] = useState(call);
  if (call && call !== last) setLast(call);
  const title = last ? t.title(customerOf(last, visitor)) : t.callNumber(id);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={classes.desk} aria-labelledby="desk-title">
      <header className={classes.header}>
        <Title order={2} id="desk-title" ref={heading} tabIndex={-1} className={classes.title}>
          {title}
        </Title>
        <ActionIcon aria-label={t.close} onClick={onClose}>
          <X size={17} />
        </ActionIcon>
      </header>
      <Ticking>
        {isOpen && (
          <OpenDesk
            key={attempt}
            id={id}
            call={last}
            announcement={announcement ?? null}
            onRetry={() => setAttempt(attempt + 1)}
          />
        )}
        {!isOpen && announcement === null && <Reminder onConfirm={() => setReminded(true)} />}
      </Ticking>
    </section>
  );
}
