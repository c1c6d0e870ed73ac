import { NOTICES } from '../../talk/sound/sound-texts.js';
import type { Texts } from '../panel/texts/texts';
import type { CallSession, CallState } from './call-session';
import type { VoiceTextKey } from './texts/en';

interface Props extends Pick<CallState, 'sound'> {
  readonly session: CallSession;
  readonly words: Texts & Record<VoiceTextKey, string>;
}

/** Sound problems of the call, each with a button that can help. */
export function CallSoundNotice({ sound, session, words }: Props) {
  const notice = sound.notice && NOTICES[sound.notice];
  const text = notice && words[notice.text];
  return (
    <>
      <p class="state problem" role="alert">
        {notice?.isAlert && text}
      </p>
      <p class="note" role="status">
        {notice?.isAlert === false && text}
      </p>
      {notice?.action && (
        <button type="button" class="quiet" onClick={() => session.retrySound()}>
          {words[notice.action]}
        </button>
      )}
    </>
  );
}

/** Choice of the microphone, if there are several. */
export function MicrophoneChooser({ sound, session, words }: Props) {
  const { microphones, microphone } = sound;
  if (microphones.length === 0) return null;
  return (
    <label class="chooser">
      <span>{words.callMicrophone}</span>
      <select
        value={microphone}
        onChange={({ currentTarget }) => session.chooseMicrophone(currentTarget.value)}
      >
        <option value="">{words.callSystemMicrophone}</option>
        {microphones.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
