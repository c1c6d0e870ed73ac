import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../chat-state';
import { problemText, type Texts } from '../texts/texts';

interface Props {
  readonly state: ChatState;
  readonly texts: Texts;
  readonly isOpen: boolean;
}

/** Announces each complete message to screen readers once. The log itself is silent during streaming. */
export function Announcer({ state, texts, isOpen }: Props) {
  const [spoken, setSpoken] = useState('');
  const { messages, outgoing } = state;
  const last = useRef(0);
  useEffect(() => {
    const fresh = messages.filter(({ id, author }) => id > last.current && author !== 'customer');
    const isHistory = last.current === 0 && !outgoing;
    last.current = messages.at(-1)?.id ?? 0;
    if (!isOpen || isHistory || fresh.length === 0) return;
    const names = { agent: texts.person, ai: texts.ai, customer: texts.you };
    setSpoken(fresh.map(({ author, content }) => `${names[author]}: ${content}`).join('\n'));
  }, [messages, outgoing, isOpen, texts]);
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
