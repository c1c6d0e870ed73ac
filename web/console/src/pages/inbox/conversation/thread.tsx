import { Button } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ConversationItemResponse, ThreadMessageResponse } from '#client/types.gen.js';
import { Loaded } from '../../../components/states/loaded.js';
import { useHint } from '../../../live/live-hints.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import classes from '../inbox.module.css';
import { MessageGroup } from './message-group.js';
import { useThread } from '../use-inbox.js';

const TYPING_MS = 6_000;
/** Beyond this distance from the end, the reader reads earlier messages and is not scrolled down. */
const NEAR_END_PX = 160;

export function Thread({ conversation }: { readonly conversation: ConversationItemResponse }) {
  const t = useTexts('inbox');
  const format = useFormat();
  const query = useThread(conversation.id);
  const box = useRef<HTMLDivElement>(null);
  const messages = query.data ? query.data.pages.toReversed().flatMap(({ data }) => data) : [];
  useStayAtEnd(box, messages.at(-1)?.id);
  return (
    <div className={classes.thread} ref={box} role="log" aria-label={t.thread} tabIndex={0}>
      <Loaded query={query}>
        {() => (
          <>
            {query.hasNextPage && (
              <Button
                variant="subtle"
                size="xs"
                mx="auto"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {t.earlier}
              </Button>
            )}
            {daysOf(messages, format.dayKey).map(({ day, groups }) => (
              <Day key={day} day={day} groups={groups} conversation={conversation} />
            ))}
          </>
        )}
      </Loaded>
      <CustomerTyping id={conversation.id} lastId={messages.at(-1)?.id} />
    </div>
  );
}

interface DayProps {
  readonly day: string;
  readonly groups: readonly (readonly ThreadMessageResponse[])[];
  readonly conversation: ConversationItemResponse;
}

function Day({ day, groups, conversation }: DayProps) {
  const format = useFormat();
  return (
    <>
      <p className={classes.day}>{format.day(day)}</p>
      {groups.map((group) => (
        <MessageGroup key={group[0]?.id} messages={group} conversation={conversation} />
      ))}
    </>
  );
}

function CustomerTyping({ id, lastId }: { readonly id: string; readonly lastId: number | undefined }) {
  const t = useTexts('inbox');
  const [typed, setTyped] = useState<{ readonly after: number | undefined } | null>(null);
  useHint('typing', ({ ids }) => {
    if (ids.includes(id)) setTyped({ after: lastId });
  });
  useEffect(() => {
    if (!typed) return undefined;
    const timer = setTimeout(() => setTyped(null), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isTyping = typed !== null && typed.after === lastId;
  return (
    <p className={classes.typing} aria-live="polite">
      {isTyping ? t.typing : ''}
    </p>
  );
}

/** Groups messages by day, and within a day by author. */
function daysOf(messages: readonly ThreadMessageResponse[], dayKey: (when: string) => string) {
  const days: { key: string; day: string; groups: ThreadMessageResponse[][] }[] = [];
  for (const message of messages) {
    const key = dayKey(message.created_at);
    let last = days.at(-1);
    if (last?.key !== key) {
      last = { key, day: message.created_at, groups: [] };
      days.push(last);
    }
    const group = last.groups.at(-1);
    if (group?.[0] && authorOf(group[0]) === authorOf(message)) group.push(message);
    else last.groups.push([message]);
  }
  return days;
}

/** Two people who answer, or two assistants, are not one author. */
function authorOf({ author, member_name, assistant_name }: ThreadMessageResponse): string {
  return JSON.stringify([author, member_name, assistant_name]);
}

function useStayAtEnd(box: RefObject<HTMLDivElement | null>, lastId: number | undefined): void {
  const isFirst = useRef(true);
  useEffect(() => {
    const element = box.current;
    if (!element || lastId === undefined) return;
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    const added = element.querySelector(`[data-message="${lastId}"]`)?.clientHeight ?? 0;
    if (isFirst.current || below - added < NEAR_END_PX) element.scrollTop = element.scrollHeight;
    isFirst.current = false;
  }, [box, lastId]);
}
