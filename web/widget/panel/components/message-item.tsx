import type { Message } from '../api';
import { Icon } from '../icons';
import { localeOrDefault, type Texts } from '../texts/texts';
import { Markdown } from './markdown';

interface Props {
  readonly message: Message;
  /** Position among consecutive messages of one author. */
  readonly isFirst: boolean;
  readonly isLast?: boolean;
  readonly hasTime?: boolean;
  /** Day label above the first message of a day. */
  readonly day?: string;
  readonly texts: Texts;
  readonly locale: string;
}

/** One message. Customers write plain text; other messages can have Markdown. */
export function MessageItem({
  message,
  isFirst,
  isLast = false,
  hasTime = false,
  day = '',
  texts,
  locale,
}: Props) {
  const { author, content, created_at } = message;
  // A turn of the AI can consist of tool calls only.
  if (content === '') return null;
  const name = { customer: texts.you, ai: texts.ai, agent: texts.person }[author];
  const time =
    created_at && new Date(created_at).toLocaleTimeString(localeOrDefault(locale), { timeStyle: 'short' });
  return (
    <li class={`message ${author}${isLast ? ' last' : ''}`}>
      {day && <p class="day">{day}</p>}
      <p class={isFirst && author !== 'customer' ? 'author' : 'author hidden'}>
        <Icon name={author === 'ai' ? 'spark' : 'person'} />
        {name}
      </p>
      <div class="bubble">
        {author === 'customer' ? (
          <p class="plain">{content}</p>
        ) : (
          <Markdown text={content} imageText={texts.image} />
        )}
      </div>
      {hasTime && time && (
        <time class="time" dateTime={created_at}>
          {time}
        </time>
      )}
    </li>
  );
}
