import type { tts } from '@livekit/agents';
import type { CallAudio } from '@prosa/audio';
import type { Announcer, AnnouncerSetup, Phrase } from '../../runtime/call/announcements/announcer.js';
import { nameOfVoice, phraseSound } from '../fillers/phrase-sounds.js';
import { InboundAudioTap } from './inbound-audio-tap.js';
import { LineMixer } from './line-mixer.js';
import { LoopedSound } from './looped-sound.js';
import { soundLoop } from '../sounds/sound-loops.js';

/** In amplitude. */
const MUSIC_GAIN = 0.3;

/** Says words on a line of sound, phrase by phrase. */
export class LineAnnouncer implements Announcer {
  private readonly mixer: LineMixer;
  private says = 0;

  /** @param voice closed with this */
  constructor(
    private readonly audio: CallAudio,
    private readonly voice: tts.TTS,
    private readonly setup: Pick<AnnouncerSetup, 'language' | 'speaker' | 'hearsKeys' | 'onKey' | 'signal'>,
  ) {
    this.mixer = new LineMixer(audio, { speech: { read: () => 0 } });
  }

  /** @param onError the line cannot be heard any more */
  start(onError: (error: unknown) => void): void {
    this.mixer.start();
    this.setup.signal.addEventListener('abort', () => this.cut(), { once: true });
    const ignore = () => {};
    const listener = { onFrame: ignore, onSound: ignore, onKey: (key: string) => this.setup.onKey(key) };
    const ears = new InboundAudioTap(
      this.audio,
      this.audio.sampleRateHz,
      null,
      listener,
      this.setup.hearsKeys,
    );
    void ears.listen().catch(onError);
  }

  async say(phrases: readonly Phrase[]): Promise<void> {
    const turn = ++this.says;
    let playing = Promise.resolve();
    for (const { text, pauseMs = 0 } of phrases) {
      // Rendered while the one before is heard.
      const sound = await this.soundOf(text);
      await playing;
      if (this.setup.signal.aborted || turn !== this.says) return;
      playing = this.mixer.play(this.withPause(sound, pauseMs));
    }
    await playing;
  }

  async playMusic(): Promise<void> {
    const samples = await soundLoop('hold_music', this.audio.sampleRateHz);
    // What is said is put in place of it.
    this.mixer.hold(new LoopedSound(samples, MUSIC_GAIN));
  }

  cut(): void {
    this.says++;
    this.mixer.clear();
  }

  async close(): Promise<void> {
    this.says++;
    this.mixer.stop();
    await this.voice.close();
  }

  private soundOf(text: string): Promise<Int16Array> {
    const { language, speaker } = this.setup;
    const name = speaker ? nameOfVoice(speaker.voice, language) : `announcer ${language}`;
    return phraseSound(this.voice, name, text, this.audio.sampleRateHz);
  }

  private withPause(sound: Int16Array, pauseMs: number): Int16Array {
    const whole = new Int16Array(sound.length + Math.round((this.audio.sampleRateHz * pauseMs) / 1_000));
    whole.set(sound);
    return whole;
  }
}
