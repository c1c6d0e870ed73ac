import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PanelHost } from '../panel-contract';
import type { Widget } from '../panel/api';
import { Markdown } from '../panel/components/markdown';
import { Icon } from '../panel/icons';
import { problemText, type Texts } from '../panel/texts/texts';
import { CallCaptions } from './call-captions';
import { CallControls } from './call-controls';
import { CallSoundNotice, MicrophoneChooser } from './call-sound';
import { CallSession, type CallState, NO_CALL } from './call-session';
import { en } from './texts/en';
import { pt } from './texts/pt';
import css from './voice.css?inline';

interface Props {
  readonly host: PanelHost;
  readonly widget: Widget | null;
  readonly texts: Texts;
  readonly title: string;
  readonly onBack: () => void;
}

/** Problems of the host page, for which a new window can help. */
const WINDOW_HELPS = new Set<string>(['callBlocked', 'callInsecure']);

/** A call, shown in place of the messages. */
export function CallView({ host, widget, texts, title, onBack }: Props) {
  const words = { ...texts, ...(host.locale.toLowerCase().startsWith('pt') ? pt : en), ...host.texts };
  const orb = useRef<HTMLSpanElement>(null);
  const [state, setState] = useState<CallState>(NO_CALL);
  const [session] = useState(
    () =>
      new CallSession(host, widget, setState, (level) =>
        orb.current?.style.setProperty('--level', Math.min(1, level * 6).toFixed(2)),
      ),
  );
  useStyle(host);
  useEffect(() => {
    // The consent notice must be read first.
    if (!widget?.consent) void session.begin();
    return () => session.destroy();
  }, [session, widget]);

  const { phase, activity, problem, captions, sound } = state;
  const isRunning = phase === 'running';
  const status = {
    waiting: title,
    connecting: words.callConnecting,
    running: {
      listening: words.callListening,
      thinking: words.callThinking,
      speaking: words.callSpeaking,
      reconnecting: words.callReconnecting,
    }[activity],
    ended: words.callEnded,
  }[phase];
  // Screen readers do not announce turns: the person hears them.
  const announced = isRunning && activity !== 'reconnecting' ? words.callRunning : status;
  const failure = problem && problemText(words, problem, host.locale);
  return (
    <div class="call" data-phase={phase} data-activity={isRunning ? activity : ''}>
      <div class="scene">
        <span class="orb" ref={orb} aria-hidden="true">
          <Icon name={phase === 'ended' && problem ? 'alert' : 'spark'} />
        </span>
        {!(phase === 'ended' && problem) && <p class="state">{status}</p>}
        {failure && <p class="state">{failure}</p>}
        <CallSoundNotice {...{ sound, session, words }} />
        {isRunning && state.isMuted && <p class="note">{words.callMuted}</p>}
        {phase === 'waiting' && widget?.consent && (
          <div class="note">
            <Markdown text={widget.consent} imageText={words.image} />
          </div>
        )}
      </div>
      <p class="hidden" role="status">
        {phase === 'waiting' ? '' : (failure ?? announced)}
      </p>
      {captions.length > 0 && <CallCaptions {...{ captions, words }} />}
      <MicrophoneChooser {...{ sound, session, words }} />
      <CallControls {...{ state, session, words, onBack }}>
        {problem && WINDOW_HELPS.has(problem.key) && (
          <a class="quiet" href={`${host.server}talk/${host.assistantId}`} target="_blank" rel="noopener">
            {words.callWindow}
          </a>
        )}
      </CallControls>
    </div>
  );
}

function useStyle({ root }: PanelHost): void {
  useLayoutEffect(() => {
    const style = new CSSStyleSheet();
    style.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, style];
    return () => {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== style);
    };
  }, [root]);
}
