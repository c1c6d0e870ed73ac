import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../panel/icons';
import type { Texts } from '../panel/texts/texts';
import type { CallSession, CallState } from './call-session';
import type { VoiceTextKey } from './texts/en';

interface Props {
  readonly state: CallState;
  readonly session: CallSession;
  readonly words: Texts & Record<VoiceTextKey, string>;
  readonly onBack: () => void;
  readonly children?: ComponentChildren;
}

/** Buttons of the call. The main button takes the focus, since the previous one is gone. */
export function CallControls({ state, session, words, onBack, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { phase, isMuted, problem } = state;
  const isCalling = phase === 'connecting' || phase === 'running';
  const isOver = phase === 'ended';
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('.first')?.focus(), [isCalling, isOver]);
  const begin = () => void session.begin();
  if (!isCalling)
    return (
      <div class="controls" ref={box}>
        {problem?.key !== 'missing' && (
          <button type="button" class="main first" onClick={begin}>
            {phase === 'waiting' ? words.callStart : problem ? words.retry : words.callAgain}
          </button>
        )}
        {children}
        <button type="button" class="quiet" onClick={onBack}>
          {words.callBack}
        </button>
      </div>
    );
  const mute = isMuted ? words.callUnmute : words.callMute;
  return (
    <div class="controls" ref={box}>
      <button
        type="button"
        class="round"
        aria-label={mute}
        title={mute}
        aria-disabled={phase !== 'running'}
        data-muted={isMuted || undefined}
        onClick={() => phase === 'running' && session.mute(!isMuted)}
      >
        <Icon name={isMuted ? 'muted' : 'microphone'} />
      </button>
      <button
        type="button"
        class="round end first"
        aria-label={words.callHangUp}
        title={words.callHangUp}
        onClick={session.hangUp}
      >
        <Icon name="phone" />
      </button>
    </div>
  );
}
