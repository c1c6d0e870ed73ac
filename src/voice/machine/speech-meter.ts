import { FRAME_MS } from '@prosa/audio';

/** Speech is louder than this, as root mean square, than the noise of the line, and than voices behind the one on the telephone. */
const LEAST_LOUD = 0.012;
const LOUDER_THAN_NOISE = 2.2;
const SHARE_OF_PEAK = 0.12;
const PEAK_ATTACK = 0.1;
/** About 1 dB a second. */
const PEAK_DECAY = 0.998;
/** Noise is what is not undercut for two seconds, but for a tenth of them. Speech has more gaps. */
const NOISE_FRAMES = 100;
const LEAST_NOISE_FRAMES = 25;
const NOISE_SHARE = 0.1;
const NOISE_PACE_FRAMES = 5;
/** Packets that were lost, and silence that was not sent, say nothing about the noise. */
const DIGITAL_SILENCE = 0.0003;
/** Shorter sounds are clicks. */
const LEAST_SPEECH_MS = 80;
/** A pause of this length ends an utterance. */
export const PAUSE_MS = 1_000;

/** What changes with a frame. `noise`: what had seemed an utterance was the noise of the line. */
export type SpeechChange = 'begins' | 'ends' | 'noise' | null;

/** Finds utterances in the sound of one side of a line by its loudness, frame by frame. */
export class SpeechMeter {
  /** From the first to the last loud frame of an utterance, its short pauses included; of the last one while there is none. */
  utteranceMs = 0;
  /** Of all utterances. */
  spokenMs = 0;
  /** Since the last loud frame. */
  quietMs = 0;
  private isOpen = false;
  private loudMs = 0;
  private loudFrames = 0;
  private loudSum = 0;
  private peak = 0;
  private threshold = LEAST_LOUD;
  private noise = 0;
  private frames = 0;
  private readonly recent: number[] = [];

  /** Whether an utterance is open: it began, and no pause has ended it. */
  get isSpeaking(): boolean {
    return this.isOpen;
  }

  /** @param loudness of a frame, as root mean square (0 to 1); 0 for sound that is no speech */
  hear(loudness: number): SpeechChange {
    this.measureNoise(loudness);
    if (loudness <= this.threshold) return this.hearQuiet();
    this.peak = Math.max(this.peak, this.peak + (loudness - this.peak) * PEAK_ATTACK);
    this.loudMs += FRAME_MS;
    if (this.loudMs < LEAST_SPEECH_MS) return null;
    const begins = !this.isOpen;
    if (begins) this.open();
    // The frames that have just proven to be speech, and the short pause before them.
    const isProven = this.loudMs === LEAST_SPEECH_MS;
    this.grow(isProven ? LEAST_SPEECH_MS + (begins ? 0 : this.quietMs) : FRAME_MS);
    this.quietMs = 0;
    this.loudFrames++;
    this.loudSum += loudness;
    return begins ? 'begins' : null;
  }

  private hearQuiet(): SpeechChange {
    // A click is part of the pause around it.
    if (this.loudMs < LEAST_SPEECH_MS) this.quietMs += this.loudMs;
    this.loudMs = 0;
    this.quietMs += FRAME_MS;
    if (!this.isOpen || this.quietMs < PAUSE_MS) return null;
    this.isOpen = false;
    if (this.loudSum / this.loudFrames > this.threshold) return 'ends';
    this.spokenMs -= this.utteranceMs;
    return 'noise';
  }

  private open(): void {
    this.isOpen = true;
    this.utteranceMs = this.loudFrames = this.loudSum = 0;
  }

  private grow(ms: number): void {
    this.utteranceMs += ms;
    this.spokenMs += ms;
  }

  private measureNoise(loudness: number): void {
    this.peak *= PEAK_DECAY;
    if (loudness > DIGITAL_SILENCE) this.recent.push(loudness);
    if (this.recent.length > NOISE_FRAMES) this.recent.shift();
    if (this.frames++ % NOISE_PACE_FRAMES === 0 && this.recent.length >= LEAST_NOISE_FRAMES) {
      const sorted = this.recent.toSorted((one, other) => one - other);
      this.noise = sorted[Math.floor(sorted.length * NOISE_SHARE)] ?? 0;
    }
    this.threshold = Math.max(LEAST_LOUD, this.noise * LOUDER_THAN_NOISE, this.peak * SHARE_OF_PEAK);
  }
}
