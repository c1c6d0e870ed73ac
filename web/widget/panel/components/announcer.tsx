import { useEffect, useRef, useState } from 'preact/hooks';
import { type ChatState, lastIdOf } from '../chat-state';
import { problemText, type Texts } from '../texts/texts';

interface Props {
  readonly state: ChatState;
  readonly texts: Texts;
  readonly isOpen: boolean;
}

/** Tells a screen reader of each message once, when it is complete: the log itself is silent while words come in. */
export function Announcer({ state, texts, isOpen }: Props) {
  const [spoken, setSpoken] = useState('');
  const last = useRef(lastIdOf(state));
  const { messages, outgoing } = state;
  useEffect(() => {
    const fresh = messages.filter(({ id, author }) => id > last.current && author !== 'customer');
    const isHistory = last.current === 0 && !outgoing && messages.length > 1;
    last.current = lastIdOf(state);
    if (!isOpen || isHistory || fresh.length === 0) return;
    setSpoken(
      fresh
        .map(({ author, content }) => `${author === 'agent' ? texts.person : texts.ai}: ${content}`)
        .join('\n'),
    );
  }, [messages]);
  const failure = outgoing?.problem ? problemText(texts, outgoing.problem, '') : '';
  return (
    <>
      <p class="hidden" role="status">
        {state.isPersonTyping ? texts.personTyping : spoken}
      </p>
      <p class="hidden" role="alert">
        {failure && `${texts.notSent} ${failure}`}
      </p>
    </>
  );
}
