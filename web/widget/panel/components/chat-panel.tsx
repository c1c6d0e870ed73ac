import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PanelHost } from '../../panel-contract';
import type { ChatSession } from '../chat-session';
import { type ChatState, isWaiting } from '../chat-state';
import { textsOf } from '../texts/texts';
import { Announcer } from './announcer';
import { Composer } from './composer';
import { Header } from './header';
import { Question, Refusal } from './notices';
import { Thread } from './thread';
import { keepFocus, SMALL_SCREEN } from './focus';

export interface ChatProps {
  readonly host: PanelHost;
  readonly state: ChatState;
  readonly session: ChatSession;
}

/** The chat: messages and the message box. */
export function ChatPanel({ host, state, session }: ChatProps) {
  const texts = textsOf(host.locale, host.texts);
  const panel = useRef<HTMLElement>(null);
  const [isAsking, setAsking] = useState(false);
  const [draft, setDraft] = useState('');
  const { voice, talk, stopTalking, hasFailed } = useVoice(host.isOpen);
  const { isOpen, isInline } = host;
  const title = host.dataset.title || state.widget?.title || '';
  const isFull = !isInline && matchMedia(SMALL_SCREEN).matches;

  useLayoutEffect(() => {
    if (isOpen && !isInline) focusOn(panel.current);
    else setAsking(false);
  }, [isOpen, isInline]);
  useEffect(() => session.look(), [isOpen, session]);

  // The focused element is gone, so focus moves to the panel for its keys.
  const stopAsking = () => {
    setAsking(false);
    focusOn(panel.current);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.isComposing) {
      event.stopPropagation();
      if (isAsking) stopAsking();
      // Escape does not end a call; its buttons do.
      else if (!voice) host.close();
    }
    if (isFull && panel.current) keepFocus(event, panel.current, host.root);
  };

  // Puts the failed text back, before what was typed since.
  const edit = () => {
    setDraft([session.takeBack(), draft].filter(Boolean).join('\n'));
    focusOn(panel.current);
  };

  return (
    <section
      ref={panel}
      class={isInline ? 'panel inline' : 'panel'}
      part="panel"
      role={isInline ? 'region' : 'dialog'}
      aria-label={title || texts.conversation}
      aria-modal={isFull || undefined}
      aria-busy={!state.widget && !state.refusal}
      lang={host.locale}
      tabIndex={-1}
      hidden={!isOpen}
      onKeyDown={onKeyDown}
    >
      <Header {...{ host, state, texts, title }} onNew={() => setAsking(true)} onTalk={voice ? null : talk} />
      {isAsking && (
        <Question text={texts.newQuestion}>
          <button type="button" class="quiet" onClick={stopAsking}>
            {texts.cancel}
          </button>
          <button
            type="button"
            class="main"
            onClick={() => {
              session.startAnew();
              stopAsking();
            }}
          >
            {texts.begin}
          </button>
        </Question>
      )}
      {state.refusal ? (
        <Refusal
          {...{ texts, problem: state.refusal, locale: host.locale }}
          onRetry={() => void session.load()}
        />
      ) : voice ? (
        <voice.CallView
          {...{ host, widget: state.widget, texts, title }}
          onBack={() => {
            stopTalking();
            setTimeout(() => focusOn(panel.current));
          }}
        />
      ) : (
        <>
          {hasFailed && <p class="strip">{texts.offline}</p>}
          <Thread {...{ host, state, session, texts, title }} onEdit={edit} />
          {isWaiting(state) && <p class="strip">{texts.personWillAnswer}</p>}
          {state.isConnectionLost && <p class="strip">{texts.reconnecting}</p>}
          <Composer {...{ state, session, texts, draft }} onDraft={setDraft} />
        </>
      )}
      <Announcer {...{ state, texts, isOpen }} />
    </section>
  );
}

type Voice = typeof import('../../voice/call-view');

/** The voice part, loaded on first use. Closing the chat ends the call. */
function useVoice(isOpen: boolean) {
  const [voice, setVoice] = useState<Voice | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!isOpen) setVoice(null);
  }, [isOpen]);
  const talk = () => {
    setFailed(false);
    import('../../voice/call-view').then(
      (module) => setVoice(module),
      () => setFailed(true),
    );
  };
  return { voice, talk, stopTalking: () => setVoice(null), hasFailed };
}

/** Focuses the box, but not on touch screens, where the keyboard would cover the chat. */
function focusOn(panel: HTMLElement | null): void {
  const box = matchMedia('(hover: hover)').matches ? panel?.querySelector('textarea') : null;
  (box ?? panel)?.focus({ preventScroll: true });
}
