import type { Clock } from '../../../common/time/clock.js';
import type { VoiceSettings } from '../settings/voice-settings.js';
import type { CallMedia } from '../../../providers/telephony/call/call-line.js';

/** Words that are said in one piece, and the silence behind them. */
export interface Phrase {
  readonly text: string;
  /** In the carrier's time; left out: none. */
  readonly pauseMs?: number;
}

export interface AnnouncerSetup {
  readonly media: CallMedia;
  /** Of the carrier; the call was answered. */
  readonly callId: string;
  /** Language tag such as `pt-BR`. */
  readonly language: string;
  /** Who speaks, with the account's own providers; left out: a voice of the installation. */
  readonly speaker?: { readonly userId: number; readonly voice: VoiceSettings };
  /** Runs at the carrier's speed. */
  readonly clock: Clock;
  /** Keys are tones in the sound of the line. */
  readonly hearsKeys: boolean;
  /** Hears of such keys, one at a time. */
  onKey(key: string): void;
  /** The call is over: nothing more is said. */
  readonly signal: AbortSignal;
}

/** Says fixed words on a call on which no assistant talks. Nothing of it is recorded or written down. */
export interface Announcer {
  /**
   * Says phrases one after the other. Returns when they have been heard, were cut, or the call is over.
   *
   * @throws the error of the voice, or CallCarrierError when the line is broken
   */
  say(phrases: readonly Phrase[]): Promise<void>;

  /** From now on music is heard whenever nothing is said. @throws the error of the decoder; then there is silence */
  playMusic(): Promise<void>;

  /** Drops what is being said. */
  cut(): void;

  /** Releases the line without hanging up. */
  close(): Promise<void>;
}

/** @throws CallCarrierError when the line cannot be used; SpeechUnavailableError where there is no voice */
export type OpenAnnouncer = (setup: AnnouncerSetup) => Promise<Announcer>;
