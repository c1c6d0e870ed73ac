import type { Message } from '../api';
import { Icon } from '../icons';
import { localeOrDefault, type Texts } from '../texts/texts';
import { Markdown } from './markdown';

interface Props {
  readonly message: Message;
  /** Of those that one author has written in a row. */
  readonly isFirst: boolean;
  readonly isLast?: boolean;
  readonly hasTime?: boolean;
  /** Shown above, where a day begins. */
  readonly day?: string;
  readonly texts: Texts;
  readonly locale: string;
}

/** One message: what customers write is plain text; what others write may have Markdown. */
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
  // A turn of the AI may have done something without a word.
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
