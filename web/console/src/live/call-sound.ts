/** Microphone and speaker of calls in the browser, which the console shares with the page /talk. */
export { AudioWaker } from '../../../talk/sound/audio-waker.js';
export { Microphone } from '../../../talk/sound/microphone.js';
export { openSpeaker, type Speaker } from '../../../talk/sound/speaker.js';
export { NOTICES, soundTexts } from '../../../talk/sound/sound-texts.js';
export type { WebCallNotice, WebCallSound } from '../../../talk/web-call.js';
