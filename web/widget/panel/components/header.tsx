import type { PanelHost } from '../../panel-contract';
import { type ChatState, isWithPerson } from '../chat-state';
import { Icon } from '../icons';
import type { Texts } from '../texts/texts';

interface Props {
  readonly host: PanelHost;
  readonly state: ChatState;
  readonly texts: Texts;
  readonly title: string;
  readonly onNew: () => void;
  /** Null during a call. */
  readonly onTalk: (() => void) | null;
}

/** Title of the chat, and who answers now. */
export function Header({ host, state, texts, title, onNew, onTalk }: Props) {
  const isPerson = isWithPerson(state);
  return (
    <header>
      <span class={isPerson ? 'avatar person' : 'avatar'}>
        <Icon name={isPerson ? 'person' : 'spark'} />
      </span>
      <div class="who">
        <h2>{title}</h2>
        {state.widget && <p>{isPerson ? texts.personAnswers : texts.ai}</p>}
      </div>
      {state.hasVoice && onTalk && (
        <button type="button" class="icon" aria-label={texts.talk} title={texts.talk} onClick={onTalk}>
          <Icon name="phone" />
        </button>
      )}
      {state.hasConversation && onTalk && (
        <button
          type="button"
          class="icon"
          aria-label={texts.newConversation}
          title={texts.newConversation}
          onClick={onNew}
        >
          <Icon name="fresh" />
        </button>
      )}
      {!host.isInline && (
        <button
          type="button"
          class="icon"
          aria-label={texts.close}
          title={texts.close}
          onClick={() => host.close()}
        >
          <Icon name="close" />
        </button>
      )}
    </header>
  );
}
