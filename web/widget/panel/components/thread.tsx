import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PanelHost } from '../../panel-contract';
import type { Message } from '../api';
import type { ChatSession } from '../chat-session';
import type { ChatState } from '../chat-state';
import { Icon } from '../icons';
import { localeOrDefault, type Texts } from '../texts/texts';
import { AnswerItem, TypingItem } from './coming-items';
import { MessageItem } from './message-item';
import { OutgoingItem } from './outgoing-item';
import { Introduction, Loading } from './introduction';

interface Props {
  readonly host: PanelHost;
  readonly state: ChatState;
  readonly session: ChatSession;
  readonly texts: Texts;
  readonly title: string;
  /** Returns a failed message to the box. */
  readonly onEdit: () => void;
}

/** This close to the end, new messages stay in view. */
const NEAR_PX = 80;
/** After a pause like this the time of a message is shown. */
const PAUSE_MS = 300_000;

/** Messages, with outgoing and streamed ones. */
export function Thread({ host, state, session, texts, title, onEdit }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const height = useRef(0);
  const [isAway, setAway] = useState(false);
  const { widget, messages, outgoing, answer, hiddenIds } = state;
  const shown = messages.filter(({ id }) => !hiddenIds.has(id));
  const first = shown[0]?.id;

  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    setAway(!isAtEnd.current);
  };
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  useLayoutEffect(() => {
    if (outgoing) isAtEnd.current = true;
    if (isAtEnd.current) toEnd();
  }, [messages, outgoing, answer, state.isPersonTyping, host.isOpen, widget]);
  // A screen keyboard or a longer draft shrinks the thread.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => isAtEnd.current && toEnd());
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  // Earlier messages would push down the ones being read.
  useLayoutEffect(() => {
    const now = box.current?.scrollHeight ?? 0;
    if (!isAtEnd.current && box.current) box.current.scrollTop += now - height.current;
  }, [first]);
  useLayoutEffect(() => {
    height.current = box.current?.scrollHeight ?? 0;
  });

  return (
    <div class="thread">
      <div
        ref={box}
        class="log"
        role="log"
        aria-label={texts.conversation}
        aria-live="off"
        tabIndex={0}
        onScroll={onScroll}
      >
        {state.hasEarlier ? (
          <button type="button" class="quiet earlier" onClick={() => void session.readEarlier()}>
            {texts.earlier}
          </button>
        ) : (
          widget && <Introduction title={title} text={texts.introduction} />
        )}
        {!widget && <Loading text={texts.loading} />}
        <ol>
          {!state.hasConversation && widget?.greeting && (
            <MessageItem message={greetingOf(widget.greeting)} isFirst texts={texts} locale={host.locale} />
          )}
          {shown.map((message, at) => (
            <MessageItem
              key={message.id}
              message={message}
              isFirst={shown[at - 1]?.author !== message.author || isNewDay(shown[at - 1], message)}
              isLast={shown[at + 1]?.author !== message.author}
              hasTime={isPause(message, shown[at + 1])}
              day={isNewDay(shown[at - 1], message) && at > 0 ? dayOf(message, host.locale, texts) : ''}
              texts={texts}
              locale={host.locale}
            />
          ))}
          {outgoing && (
            <OutgoingItem {...{ outgoing, session, texts, locale: host.locale }} onEdit={onEdit} />
          )}
          {answer !== null && <AnswerItem {...{ answer, texts }} />}
          {state.isPersonTyping && <TypingItem texts={texts} />}
        </ol>
      </div>
      {isAway && (
        <button type="button" class="latest" aria-label={texts.latest} onClick={toEnd}>
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}

function greetingOf(content: string): Message {
  return { id: 0, role: 'assistant', author: 'ai', content, created_at: '' };
}

function isNewDay(previous: Message | undefined, message: Message): boolean {
  return new Date(previous?.created_at ?? 0).toDateString() !== new Date(message.created_at).toDateString();
}

/** Whether the thread was idle for a while, or has a newer message. */
function isPause({ created_at }: Message, next: Message | undefined): boolean {
  return !next || Date.parse(next.created_at) - Date.parse(created_at) > PAUSE_MS;
}

function dayOf({ created_at }: Message, locale: string, texts: Texts): string {
  const date = new Date(created_at);
  if (date.toDateString() === new Date().toDateString()) return texts.today;
  return date.toLocaleDateString(localeOrDefault(locale), { weekday: 'long', day: 'numeric', month: 'long' });
}
