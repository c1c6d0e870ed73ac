import { soundTexts } from '../../../talk/sound/sound-texts.js';

/** The texts of calls. The keys are also what `data-texts` may name. */
export const en = {
  ...soundTexts.en,
  callConnecting: 'Connecting…',
  callListening: 'Listening…',
  callThinking: 'Thinking…',
  callSpeaking: 'Speaking…',
  callReconnecting: 'The connection was lost. Trying again…',
  callRunning: 'You are in a call with the assistant.',
  callEnded: 'The call is over.',
  callMute: 'Mute the microphone',
  callUnmute: 'Unmute the microphone',
  callMuted: 'Your microphone is muted.',
  callHangUp: 'Hang up',
  callStart: 'Talk',
  callAgain: 'Talk again',
  callBack: 'Back to the chat',
  callCaptions: 'What is said',
  callWindow: 'Talk in a new window',
  callBlocked:
    'The microphone is blocked. Allow it for this site in the settings of your browser, and try again.',
  callNoMicrophone: 'No microphone was found. Connect one and try again.',
  callInsecure: 'Browsers open the microphone on https pages only.',
  callLost: 'The connection was lost, and the call has ended.',
  callLimit: 'There are too many calls at the moment. Try again in {wait}.',
  callUnavailable: 'Calls are not possible at the moment. You can write instead.',
} as const;

export type VoiceTextKey = keyof typeof en;
