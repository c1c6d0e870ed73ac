import type { ChatSession } from '../chat-session';
import type { Outgoing } from '../chat-state';
import { problemText, type Texts } from '../texts/texts';

interface Props {
  readonly outgoing: Outgoing;
  readonly session: ChatSession;
  readonly texts: Texts;
  readonly locale: string;
  readonly onEdit: () => void;
}

/** An outgoing message, or why it failed with buttons to resend or edit it. */
export function OutgoingItem({ outgoing: { text, status, problem }, session, texts, locale, onEdit }: Props) {
  return (
    <li class={`message customer ${status}`}>
      <p class="author hidden">{texts.you}</p>
      <div class="bubble">
        <p class="plain">{text}</p>
      </div>
      {status === 'sending' ? (
        <p class="time">{texts.sending}</p>
      ) : (
        <div class="failure">
          <p>
            {problem?.key === 'processing' ? texts.notAnswered : texts.notSent}{' '}
            {problem && problemText(texts, problem, locale)}
          </p>
          <div class="actions">
            <button type="button" class="quiet" onClick={onEdit}>
              {texts.edit}
            </button>
            <button type="button" class="main" onClick={() => void session.retry()}>
              {problem?.key === 'ended' || problem?.key === 'missing' ? texts.newConversation : texts.retry}
            </button>
          </div>
        </div>
      )}
    </li>
  );
}
