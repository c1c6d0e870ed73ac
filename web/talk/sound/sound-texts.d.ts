import type { WebCallNotice } from '../web-call.js';

export type SoundTextKey =
  | 'callSoundPaused'
  | 'callResumeSound'
  | 'callMicrophoneSilent'
  | 'callMicrophoneReplaced'
  | 'callMicrophoneBusy'
  | 'callMicrophone'
  | 'callSystemMicrophone';

export const soundTexts: Readonly<Record<'en' | 'pt', Readonly<Record<SoundTextKey, string>>>>;

export const NOTICES: Readonly<
  Record<
    WebCallNotice,
    {
      readonly text: SoundTextKey | 'callNoMicrophone' | 'callBlocked' | 'callInsecure';
      readonly action: 'callResumeSound' | 'retry' | null;
      /** Otherwise a screen reader waits with it until it is idle. */
      readonly isAlert: boolean;
    }
  >
>;
