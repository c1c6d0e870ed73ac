import { BeepDetector } from '../../common/audio/beep-detector.js';
import { FRAME_MS, rmsOf } from '../../common/audio/pcm.js';
import type { FarEnd } from '../../runtime/call/answerer/far-end.js';
import { kindOfWords, type SpokenKind } from './machine-words.js';

/** Nothing is decided later than this: whoever talks by then is talked with. */
const WATCHED_MS = 25_000;
/** Behind a menu or a screening a mailbox may answer, long after. */
const WATCHED_BEHIND_MS = 120_000;
/** Speech is louder than this, as root mean square, and than what the line hums with. */
const LEAST_LOUD = 0.012;
const LOUDER_THAN_NOISE = 3;
/** Of the noise's estimate, a frame. */
const NOISE_PACE = 0.05;
/** Shorter sounds are clicks. */
const LEAST_SPEECH_MS = 80;
/** A pause of this length ends what somebody says. */
const PAUSE_MS = 1_000;
/** Who says so much, no more than that, and then waits, is a person. */
const PERSON_MS = { least: 240, most: 2_600 };
/** Nobody who is called talks for so long without a pause; recordings do. */
const RECORDING_MS = 5_500;
/** 200 ms: a vowel may be one tone for less. */
const BEEP_FRAMES = 10;
/** A tone that comes before anybody has said so much is no machine's beep, but the network's. */
const WORDS_BEFORE_BEEP_MS = 700;

/** What has told. Words that say who records are as good as the beep; other words and the length of a speech may be mistaken. */
type Evidence = 'sound' | 'beep' | SpokenKind;

/**
 * Tells from the sound of an outbound call who has answered: a machine by its beep, by words that only machines say, or by how
 * long it talks without a pause; menus and call screening by their words alone; a person by few words and waiting. It is fed
 * with every frame from the answer on. What is decided may change as more is heard: greetings begin like people, and long
 * recordings may turn out to be menus. Only a machine that is going to record is final.
 */
export class AnsweringMachineDetector {
  private readonly beep: BeepDetector;
  private decided: FarEnd | null = null;
  private by: Evidence | null = null;
  private isFinal = false;
  private elapsedMs = 0;
  private watchedMs = WATCHED_MS;
  private noise = LEAST_LOUD / LOUDER_THAN_NOISE;
  /** Of the run of sound that is going on, frame by frame. */
  private loudMs = 0;
  /** From the first to the last loud frame of what is being said, its short pauses included. */
  private utteranceMs = 0;
  private quietMs = 0;
  private spokenMs = 0;

  constructor(sampleRateHz: number) {
    this.beep = new BeepDetector(sampleRateHz, BEEP_FRAMES);
  }

  /** Whether there is anything left to be decided. */
  get isWatching(): boolean {
    return !this.isFinal && this.elapsedMs < this.watchedMs;
  }

  /** @returns what this frame makes certain; null for no news */
  hear(frame: Int16Array): FarEnd | null {
    if (!this.isWatching) return null;
    this.elapsedMs += FRAME_MS;
    // Behind a menu or a screening nothing but words is certain: those beep, and talk for long, themselves.
    if (this.isMet) return null;
    if (this.beep.hear(frame) && this.spokenMs >= WORDS_BEFORE_BEEP_MS) return this.decide('machine', 'beep');
    this.measure(this.beep.isTone ? 0 : rmsOf(frame));
    if (this.utteranceMs >= RECORDING_MS) return this.decide('machine', 'sound');
    return this.isPersonWaiting() ? this.decide('human', 'sound') : null;
  }

  /** Words of the far end, also while they are still being spoken. @returns as `hear` does */
  words(text: string): FarEnd | null {
    const kind = this.isWatching ? kindOfWords(text) : null;
    if (kind === null || this.isOutdone(kind)) return null;
    return this.decide(kind === 'recorder' || kind === 'recording' ? 'machine' : kind, kind);
  }

  private get isMet(): boolean {
    return this.decided === 'menu' || this.decided === 'screening';
  }

  /** Mailboxes tell of keys as well, before their beep; and menus of messages. */
  private isOutdone(kind: SpokenKind): boolean {
    return kind === 'menu' ? this.by === 'beep' : kind === 'recording' && this.decided === 'menu';
  }

  private decide(farEnd: FarEnd, by: Evidence): FarEnd | null {
    this.isFinal ||= by === 'recorder';
    if (this.decided === farEnd) return null;
    this.decided = farEnd;
    this.by = by;
    if (this.isMet) this.watchedMs = this.elapsedMs + WATCHED_BEHIND_MS;
    return farEnd;
  }

  private isPersonWaiting(): boolean {
    return (
      this.decided === null &&
      this.quietMs >= PAUSE_MS &&
      this.spokenMs >= PERSON_MS.least &&
      this.spokenMs <= PERSON_MS.most
    );
  }

  private measure(loudness: number): void {
    const isLoud = loudness > Math.max(LEAST_LOUD, this.noise * LOUDER_THAN_NOISE);
    if (!isLoud) {
      this.noise += (loudness - this.noise) * NOISE_PACE;
      this.loudMs = 0;
      this.quietMs += FRAME_MS;
      if (this.quietMs >= PAUSE_MS) this.utteranceMs = 0;
      return;
    }
    this.loudMs += FRAME_MS;
    if (this.loudMs < LEAST_SPEECH_MS) return;
    // The frames that have just proven to be speech, and the short pause before them.
    const grownMs = this.loudMs === LEAST_SPEECH_MS ? LEAST_SPEECH_MS : FRAME_MS;
    const pauseMs = this.loudMs === LEAST_SPEECH_MS && this.utteranceMs > 0 ? this.quietMs : 0;
    this.utteranceMs += grownMs + pauseMs;
    this.spokenMs += grownMs + pauseMs;
    this.quietMs = 0;
  }
}
