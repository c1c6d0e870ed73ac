import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { ConversationItemResponse } from '#client/types.gen.js';
import { type PageKeys, usePageKeys } from '../../../components/actions/shortcuts.js';
import { Loaded } from '../../../components/states/loaded.js';
import { Problem } from '../../../components/states/problem.js';
import { customerName } from '../../../components/customer-name.js';
import { useTexts } from '../../../texts/texts.js';
import { useFocusOfHeading } from '../use-focus.js';
import { useIsAllowed } from '../../../session/rights.js';
import { Composer } from './composer.js';
import { ConversationHeader } from './conversation-header.js';
import { Details } from './details.js';
import classes from '../inbox.module.css';
import { StateBanner, stateOf } from './state-banner.js';
import { Thread } from './thread.js';
import { type ConversationAction, useAction } from '../use-actions.js';
import { useConversation } from '../use-inbox.js';

interface Props {
  readonly id: string;
  /** The page began with it. */
  readonly isFirst: boolean;
  readonly onBack: () => void;
  /** Has a text read out by screen readers. */
  readonly onAnnounce: (text: string) => void;
}

/** One conversation: messages, actions and details. */
export function ConversationView({ id, ...props }: Props) {
  const query = useConversation(id);
  return (
    <Loaded query={query} lines={10}>
      {(conversation) => <OpenConversation conversation={conversation} {...props} />}
    </Loaded>
  );
}

interface OpenProps extends Omit<Props, 'id'> {
  readonly conversation: ConversationItemResponse;
}

function OpenConversation({ conversation, isFirst, onBack, onAnnounce }: OpenProps) {
  const action = useAction(conversation.id);
  // Marking as read needs no feedback, and must not replace that of another action.
  const reading = useAction(conversation.id);
  const mayChat = useIsAllowed('chat');
  const replyRef = useRef<HTMLTextAreaElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const state = useAnnouncedState(conversation, onAnnounce);
  useFocusOfHeading(headingRef, state, isFirst);
  const [hasDetails, details] = useDisclosure(true);
  const isBusy = action.isPending;
  const { keepUnread } = useReading(conversation, () => mayChat && reading.mutate('read'));
  const act = {
    toggle: () => action.mutate(nextOf(conversation)),
    close: () => action.mutate('close'),
    unread: () => {
      keepUnread();
      action.mutate('unread');
    },
  };
  useActionKeys({ ...act, reply: () => replyRef.current?.focus() }, conversation, mayChat);
  return (
    <div className={classes.conversation} data-details={hasDetails || undefined}>
      <section className={classes.threadPane}>
        <ConversationHeader
          conversation={conversation}
          headingRef={headingRef}
          isBusy={isBusy}
          onBack={onBack}
          onDetails={details.toggle}
          {...act}
        />
        <Thread conversation={conversation} />
        <footer className={classes.foot}>
          {action.error && <Problem error={action.error} />}
          <StateBanner conversation={conversation} isBusy={isBusy} onToggle={act.toggle} />
          {mayChat && <Composer conversation={conversation} ref={replyRef} />}
        </footer>
      </section>
      {hasDetails && <Details conversation={conversation} />}
    </div>
  );
}

/** Announces the customer and who answers: when the conversation is opened, and when that changes. Returns the state. */
function useAnnouncedState(conversation: ConversationItemResponse, announce: (text: string) => void): string {
  const t = useTexts('inbox');
  const state = stateOf(conversation);
  const text = t.announced[state](customerName(conversation, t.visitor));
  useEffect(() => announce(text), [announce, text]);
  return state;
}

/** What the button of the state does. */
function nextOf({ ended_at, ai_enabled }: ConversationItemResponse): ConversationAction {
  if (ended_at) return 'reopen';
  return ai_enabled ? 'takeOver' : 'handBack';
}

/** Marks the open conversation as read, unless the reader has just marked it as unread. */
function useReading({ unread_count }: ConversationItemResponse, markRead: () => void) {
  const isKept = useRef(false);
  const mark = useRef(markRead);
  useEffect(() => {
    mark.current = markRead;
  });
  useEffect(() => {
    const read = () => {
      if (!document.hidden && unread_count > 0 && !isKept.current) mark.current();
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [unread_count]);
  return {
    keepUnread: () => {
      isKept.current = true;
    },
  };
}

type Keys = Record<'toggle' | 'close' | 'unread' | 'reply', () => void>;

function useActionKeys(act: Keys, { ended_at }: ConversationItemResponse, mayChat: boolean): void {
  const whileOpen: PageKeys = [
    ['t', act.toggle],
    ['e', act.close],
  ];
  const keys: PageKeys = [['r', act.reply], ['u', act.unread], ...(ended_at === null ? whileOpen : [])];
  usePageKeys(mayChat ? keys : []);
}
