import { Badge, VisuallyHidden } from '@mantine/core';
import { memo, type MouseEvent } from 'react';
import type { ConversationItemResponse } from '#client/types.gen.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import classes from '../inbox.module.css';
import { customerName } from '../../../components/customer-name.js';

interface Props {
  readonly conversation: ConversationItemResponse;
  readonly isOpen: boolean;
  readonly href: string;
  /** Must be stable: a new function renders every row again. */
  readonly onOpen: (id: string) => void;
}

/**
 * One conversation of the list. A plain link, drawn anew only when something of it changes: each `Link` of the router is
 * worked out at every navigation, and a click on one row is a navigation for all of them.
 */
export const ConversationRow = memo(function ConversationRow({ conversation, isOpen, href, onOpen }: Props) {
  const t = useTexts('inbox');
  const format = useFormat();
  const { id, assistant_name, last_author, last_message, last_message_at, unread_count, assignee, tags } =
    conversation;
  const author = { ai: `${t.ai}: `, agent: `${t.person}: `, customer: '' }[last_author ?? 'customer'];
  const open = (event: MouseEvent) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    onOpen(id);
  };
  return (
    <a
      href={href}
      onClick={open}
      className={classes.row}
      data-open={isOpen || undefined}
      data-unread={unread_count > 0 || undefined}
      aria-current={isOpen ? 'true' : undefined}
      id={`conversation-${id}`}
    >
      <span className={classes.rowTop}>
        <span className={classes.rowName}>{customerName(conversation, t.visitor)}</span>
        <time className={classes.rowTime} dateTime={last_message_at ?? undefined}>
          {last_message_at && format.recent(last_message_at)}
        </time>
      </span>
      <span className={classes.rowText}>
        {last_message === null ? t.noMessages : `${author}${last_message}`}
      </span>
      {tags && (
        <span className={classes.rowTags}>
          {tags.map((tag) => (
            <span key={tag}>{tag}</span>
          ))}
        </span>
      )}
      <span className={classes.rowFoot}>
        <span className={classes.rowAssistant}>{assistant_name}</span>
        {assignee && <Initials name={assignee.name} />}
        <StateBadge conversation={conversation} />
        {unread_count > 0 && (
          <span className={classes.unread}>
            <span aria-hidden="true">{unread_count}</span>
            <VisuallyHidden>{t.unread(unread_count)}</VisuallyHidden>
          </span>
        )}
      </span>
    </a>
  );
});

/** With a modifier key or another button the browser opens a tab or a window. */
function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/** First letters of the first and the last word. */
function Initials({ name }: { readonly name: string }) {
  const t = useTexts('inbox');
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const letters = ends.map((word = '') => /^./u.exec(word)?.[0] ?? '');
  return (
    <span className={classes.initials} title={t.assignedTo(name)}>
      <span aria-hidden="true">{letters.join('').toUpperCase()}</span>
      <VisuallyHidden>{t.assignedTo(name)}</VisuallyHidden>
    </span>
  );
}

function StateBadge({ conversation }: { readonly conversation: ConversationItemResponse }) {
  const t = useTexts('inbox');
  if (conversation.waiting_since) {
    return (
      <Badge color="amber" size="sm">
        {t.waitingBadge}
      </Badge>
    );
  }
  if (conversation.taken_over_at) {
    return (
      <Badge color="gray" size="sm">
        {t.personBadge}
      </Badge>
    );
  }
  return null;
}
