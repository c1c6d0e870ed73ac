import { useLayoutEffect, useRef } from 'preact/hooks';
import { hasVisibleText } from '../../../shared/visible-text';
import type { ChatSession } from '../chat-session';
import type { ChatState } from '../chat-state';
import { Icon } from '../icons';
import { fill, type Texts } from '../texts/texts';
import { Markdown } from './markdown';

interface Props {
  readonly state: ChatState;
  readonly session: ChatSession;
  readonly texts: Texts;
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
}

const DEFAULT_MAX = 2_000;
/** The counter shows from this number of remaining characters. */
const NEAR_MAX = 200;
const GROWS_BY_STYLE = CSS.supports('field-sizing', 'content');

/** Message box. Enter sends; Shift+Enter adds a line. */
export function Composer({ state, session, texts, draft, onDraft }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const { widget, outgoing, answer, messages } = state;
  const max = widget?.max_message_length ?? DEFAULT_MAX;
  const left = max - draft.length;
  // A failed message must be resent or taken back first.
  const canSend = widget !== null && !outgoing && answer === null && hasVisibleText(draft);
  const consent = state.hasConversation || messages.length > 0 ? null : widget?.consent;

  // Grows with its content up to the limit of the style sheet. By script only in browsers without `field-sizing`, since that
  // lays the page out twice at each key.
  useLayoutEffect(() => {
    if (!box.current || GROWS_BY_STYLE) return;
    box.current.style.height = 'auto';
    // A closed chat has no height.
    if (box.current.scrollHeight > 0) box.current.style.height = `${box.current.scrollHeight}px`;
  }, [draft]);

  const send = (event: Event) => {
    event.preventDefault();
    // A refused text stays in the box.
    if (!canSend || !session.send(draft.trim())) return;
    onDraft('');
    box.current?.focus();
  };

  return (
    <form class="composer" onSubmit={send}>
      {consent && (
        <div class="consent">
          <Markdown text={consent} imageText={texts.image} />
        </div>
      )}
      <div class="field">
        <textarea
          ref={box}
          rows={1}
          value={draft}
          maxLength={max}
          placeholder={texts.placeholder}
          aria-label={texts.message}
          aria-describedby={left <= NEAR_MAX ? 'left' : undefined}
          enterkeyhint="send"
          onInput={(event) => {
            onDraft(event.currentTarget.value);
            session.typing();
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event);
          }}
        />
        <button
          type="submit"
          class="send"
          aria-label={texts.send}
          title={texts.send}
          aria-disabled={!canSend}
        >
          <Icon name="send" />
        </button>
      </div>
      {left <= NEAR_MAX && (
        <p id="left" class="left">
          {fill(texts.charactersLeft, { count: left })}
        </p>
      )}
    </form>
  );
}
