// Entry of `@prosa/audio`.
export type { AudioLine, CallAudio, SampleRateHz } from './call-audio.js';
export { FrameQueue } from './frame-queue.js';
export { KeypadDetector, goertzel, keypadTones } from './keypad-tones.js';
export { FRAME_MS, frameLength, frameRateHz, rmsOf, samplesOf, toInt16 } from './pcm.js';
export { Resampler, resampled } from './resampler.js';
