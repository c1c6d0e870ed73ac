import { soundTexts } from '../../../talk/sound/sound-texts.js';

/** The texts of calls. The keys are also what `data-texts` may name. */
export const en = {
  ...soundTexts.en,
  callConnecting: 'Connecting…',
  callListening: 'Listening…',
  callThinking: 'Thinking…',
  callSpeaking: 'Speaking…',
  callReconnecting: 'Connection lost. Reconnecting…',
  callRunning: 'You are in a call with the assistant.',
  callEnded: 'Call ended.',
  callMute: 'Mute the microphone',
  callUnmute: 'Unmute the microphone',
  callMuted: 'Your microphone is muted.',
  callHangUp: 'Hang up',
  callStart: 'Talk',
  callAgain: 'Talk again',
  callBack: 'Back to the chat',
  callCaptions: 'Transcript',
  callWindow: 'Talk in a new window',
  callBlocked: 'The microphone is blocked. Allow it for this website in your browser settings and try again.',
  callNoMicrophone: 'No microphone was found. Connect one and try again.',
  callInsecure: 'Your browser only allows the microphone on secure (https) pages.',
  callLost: 'Connection lost. The call has ended.',
  callLimit: 'All lines are busy. Try again in {wait}.',
  callUnavailable: 'Calls are unavailable right now. You can type instead.',
} as const;

export type VoiceTextKey = keyof typeof en;
