import { Icon } from '../icons';
import type { Texts } from '../texts/texts';
import { Markdown } from './markdown';

/** The streamed answer of the AI. */
export function AnswerItem({ answer, texts }: { answer: string; texts: Texts }) {
  return (
    <li class="message ai">
      <p class="author">
        <Icon name="spark" />
        {texts.ai}
      </p>
      <div class="bubble">
        {answer === '' ? (
          <Dots text={texts.answering} />
        ) : (
          <Markdown text={answer} isGrowing imageText={texts.image} />
        )}
      </div>
    </li>
  );
}

/** Typing indicator of a person. */
export function TypingItem({ texts }: { texts: Texts }) {
  return (
    <li class="message agent">
      <p class="author">
        <Icon name="person" />
        {texts.person}
      </p>
      <div class="bubble">
        <Dots text={texts.personTyping} />
      </div>
    </li>
  );
}

function Dots({ text }: { text: string }) {
  return (
    <span class="dots" role="img" aria-label={text}>
      <i />
      <i />
      <i />
    </span>
  );
}
