import { keypadTones, type CallAudio } from '@prosa/audio';
import type { HoldMusic } from '../../runtime/call/session/assistant-session.js';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import { NoiseSuppressor } from '../audio/noise-suppressor.js';
import { Interjections } from './interjections.js';
import { LineBridge } from './line-bridge.js';
import type { AudioTap } from './audio-tap.js';
import type { SampleSource } from '../audio/sample-source.js';
import { InboundAudioTap } from './inbound-audio-tap.js';
import { LineLateness } from './line-lateness.js';
import { LineMixer } from './line-mixer.js';
import { LoopedSound } from './looped-sound.js';
import { type HeardSpeech, SessionOutput } from '../engine/session-output.js';
import { SessionInput } from '../engine/session-input.js';
import { soundLoop } from '../sounds/sound-loops.js';

/** What speech recognisers and voice activity detection work on. */
export const ENGINE_RATE_HZ = 16_000;
/** RNNoise knows voices up to 24 kHz; browsers suppress noise themselves, and they are the lines of wide band. */
const WIDEST_NOISY_LINE_HZ = 16_000;

export interface VoiceLineListener {
  /** Speech of the assistant waits to be heard. */
  onSpeechQueued(): void;
  /** The first sound of a stretch of the assistant's speech goes out. */
  onSpeechStarted(): void;
  /** What has been heard so far of it. */
  onSpeechProgress(speech: HeardSpeech): void;
  onSpeech(speech: HeardSpeech): void;
  /** A stretch of speech is over, heard or not. @param isLast no other one waits */
  onSpeechOver(isLast: boolean): void;
  /** A phrase that the engine does not know begins to play, or has ended. */
  onInterjection(isPlaying: boolean): void;
  /** The customer pressed a key, on a line that carries them as tones. */
  onKey(key: string): void;
  /** A part of the ambient sound could not be loaded; the call continues without it. */
  onError(error: unknown): void;
}

type Sound = Pick<VoiceSettings, 'ambience' | 'noiseCancellation'>;

/** The sound of one call: all that goes out over the line and comes in, between the leg and the engine. */
export class VoiceLine {
  readonly output: SessionOutput;
  readonly lateness = new LineLateness();
  private heard = new SessionInput(ENGINE_RATE_HZ);
  private readonly mixer: LineMixer;
  private readonly interjections: Interjections;
  private ears: InboundAudioTap | null = null;
  private suppressor: NoiseSuppressor | null = null;
  private bridge: LineBridge | null = null;
  private isClosed = false;
  private holds = 0;
  private isOnHold = false;
  private isSuspended = false;
  private person: SampleSource | null = null;
  private onCustomer: ((frame: Int16Array) => void) | null = null;

  constructor(
    private readonly audio: CallAudio,
    private readonly tap: AudioTap | null,
    private readonly listener: VoiceLineListener,
    private readonly inBandDigits = false,
  ) {
    this.output = new SessionOutput(audio.sampleRateHz, {
      onQueued: () => listener.onSpeechQueued(),
      onStarted: () => listener.onSpeechStarted(),
      onSilenced: () => this.mixer.clear(),
      onProgress: (speech) => listener.onSpeechProgress(speech),
      onFinished: (speech) => listener.onSpeech(speech),
      onOver: (isLast) => listener.onSpeechOver(isLast),
    });
    this.interjections = new Interjections(this.output);
    this.mixer = new LineMixer(audio, {
      speech: { read: (frame) => this.speak(frame) },
      onFrame: (frame, skipped) => {
        this.lateness.sent(skipped);
        this.tap?.assistant(frame, skipped);
      },
    });
  }

  /** What the engine hears; one session reads it. */
  get input(): SessionInput {
    return this.heard;
  }

  /** Another session is to hear what is said from now on. */
  renewInput(): void {
    this.heard.end();
    this.heard = new SessionInput(ENGINE_RATE_HZ);
    if (this.isClosed) this.heard.end();
  }

  get sampleRateHz(): number {
    return this.audio.sampleRateHz;
  }

  /** Whether the customer hears words, pauses in them included. */
  get isHeard(): boolean {
    return this.output.isUnderWay || this.interjections.isPlaying || this.mixer.isAnnouncing;
  }

  /** As in CustomerHearingHost. */
  assistantDoes(withinMs: number): 'nothing' | 'speaking' | 'asking' {
    if (!this.isHeard) return 'nothing';
    return this.output.asksWithin(withinMs) ? 'asking' : 'speaking';
  }

  async open(sound: Sound): Promise<void> {
    this.mixer.start();
    void this.surround(sound.ambience);
    const { audio } = this;
    if (sound.noiseCancellation && audio.sampleRateHz <= WIDEST_NOISY_LINE_HZ)
      this.suppressor = await this.optional(() => NoiseSuppressor.create(audio.sampleRateHz, ENGINE_RATE_HZ));
    // The call may have ended while it was being made.
    if (this.isClosed) this.suppressor?.close();
    const listener = {
      onFrame: (frame: Int16Array) => {
        this.lateness.heard();
        this.tap?.customer(frame);
        this.bridge?.customerSays(frame);
        this.onCustomer?.(frame);
      },
      onSound: (samples: Int16Array) => this.heard.push(samples),
      onKey: (key: string) => this.listener.onKey(key),
    };
    this.ears = new InboundAudioTap(audio, ENGINE_RATE_HZ, this.suppressor, listener, this.inBandDigits);
    this.coverEars();
    void this.optional(() => this.listen());
  }

  /** Says a phrase of which the engine knows nothing. It is cut as soon as the customer speaks. */
  interject(samples: Int16Array, onOver: () => void): void {
    this.interjections.play(samples, () => {
      onOver();
      this.listener.onInterjection(false);
    });
    this.listener.onInterjection(true);
  }

  cutInterjection(): void {
    if (!this.interjections.isPlaying) return;
    this.interjections.cut();
    this.mixer.clear();
    this.listener.onInterjection(false);
  }

  /**
   * As LineMixer.announce. The engine knows nothing of it, and the customer cannot cut it.
   *
   * @param onOver hears when it is over, also when the line was closed before
   */
  async announce(samples: Int16Array, onOver: () => void): Promise<void> {
    this.listener.onInterjection(true);
    await this.mixer.announce(samples);
    onOver();
    this.listener.onInterjection(this.interjections.isPlaying);
  }

  /** As LineMixer.addSignal. */
  addSignal(samples: Int16Array): void {
    this.mixer.addSignal(samples);
  }

  /** Plays the tones of keys. Returns when they are over. */
  playKeys(digits: string): Promise<void> {
    return this.mixer.play(keypadTones(digits, this.sampleRateHz));
  }

  /** The customer hears the music, and the engine hears silence; null ends that. */
  hold(music: HoldMusic | null): void {
    const hold = ++this.holds;
    this.isOnHold = music !== null;
    this.coverEars();
    if (!music) return this.mixer.unhold();
    this.mixer.hold(null);
    if (music.volume === 0) return;
    void this.optional(async () => {
      const samples = await soundLoop('hold_music', this.sampleRateHz);
      if (hold === this.holds) this.mixer.hold(new LoopedSound(samples, music.volume / 100));
    });
  }

  /** The far end does not listen, and what it sends is music: nothing is sent, and the engine hears silence. */
  suspend(isSuspended: boolean): void {
    this.isSuspended = isSuspended;
    this.mixer.mute(isSuspended);
    this.coverEars();
  }

  /**
   * The customer hears a person in place of the assistant; null ends that.
   *
   * @param onCustomer takes what the customer says, and the engine hears silence; left out: the engine hears it
   */
  speakAs(person: SampleSource | null, onCustomer: ((frame: Int16Array) => void) | null = null): void {
    this.person = person;
    this.onCustomer = onCustomer;
    this.coverEars();
  }

  /** The customer and the far end hear each other, and what we still say; the engine hears silence. */
  join(farEnd: CallAudio): void {
    this.hold({ volume: 0 });
    this.bridge = new LineBridge(this.sampleRateHz, farEnd);
    this.bridge.start();
    this.mixer.surround(this.bridge.farEnd);
    this.mixer.unhold();
  }

  awaitBeep(onBeep: () => void): () => void {
    return this.ears?.awaitBeep(onBeep) ?? (() => {});
  }

  /** Nothing is sent or heard any more. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.interjections.cut();
    this.output.clearBuffer();
    this.mixer.stop();
    this.bridge?.stop();
    this.heard.end();
    this.suppressor?.close();
  }

  private coverEars(): void {
    this.ears?.cover(this.isOnHold || this.isSuspended || this.onCustomer !== null);
  }

  private speak(frame: Int16Array): number {
    const count = (this.person ?? this.interjections).read(frame);
    if (count > 0) this.bridge?.assistantSays(frame.slice(0, count));
    return count;
  }

  private async listen(): Promise<void> {
    await this.ears?.listen();
    this.heard.end();
  }

  private async surround(ambience: Sound['ambience']): Promise<void> {
    if (!ambience || ambience.volume === 0) return;
    await this.optional(async () => {
      const samples = await soundLoop(ambience.sound, this.sampleRateHz);
      if (this.bridge) return;
      const begin = Math.floor(Math.random() * samples.length);
      this.mixer.surround(new LoopedSound(samples, ambience.volume, begin));
    });
  }

  private async optional<Result>(attempt: () => Promise<Result>): Promise<Result | null> {
    try {
      return await attempt();
    } catch (error) {
      if (!this.isClosed) this.listener.onError(error);
      return null;
    }
  }
}
