import type { stt, tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import type { RecognizerOptions, SynthesizerOptions } from '../speech-options.js';
import type { EspeakProcess } from './espeak-process.js';
import { espeakVoice } from './espeak-voice.js';
import { type Phrase, PhraseBook } from './phrase-book.js';
import { PhraseBookRecognizer, toTelephoneRate } from './phrase-book-recognizer.js';
import { sandboxPhrases } from './sandbox-phrases.js';
import { SandboxSynthesizer } from './sandbox-synthesizer.js';

/** Rendered once for each voice, and not played. */
const TRIAL = 'a';

/** The sandbox's voice and ears, for all calls of this process. */
export class SandboxSpeech {
  private knownLines: PhraseBook | null = null;

  constructor(private readonly espeak: EspeakProcess) {
    espeak.warmUp();
  }

  /** Made for the first ears: a line takes a while until it is known. */
  private get book(): PhraseBook {
    this.knownLines ??= new PhraseBook(sandboxPhrases(), (phrase) => this.render(phrase));
    return this.knownLines;
  }

  /** Resolves when the ears know every line: until then they understand nothing. */
  async recognizer({ phrases, languages }: RecognizerOptions): Promise<stt.STT> {
    const language = languages[0] ?? 'en-US';
    this.book.add((phrases ?? []).map((text) => ({ text, language })));
    await this.book.ready();
    return new PhraseBookRecognizer(this.book);
  }

  /**
   * Resolves when the process speaks, whose start may take longer than a sentence has time.
   *
   * @throws SpeechUnavailableError
   */
  async synthesizer({ language, gender, speed }: SynthesizerOptions): Promise<tts.TTS> {
    // A woman's voice by default: the people who are called speak with the plain one.
    const voice = espeakVoice(language, gender ?? 'female');
    await this.espeak.speak({ text: TRIAL, voice, speed: 1 });
    return new SandboxSynthesizer(this.espeak, { voice, speed: speed ?? 1 });
  }

  /** Resolves when the ears know every line. */
  ready(): Promise<void> {
    return this.book.ready();
  }

  private async render({ text, language }: Phrase): Promise<Int16Array> {
    const { samples, sampleRateHz } = await this.espeak.speak({
      text,
      voice: espeakVoice(language),
      speed: 1,
      isPreparation: true,
    });
    return toTelephoneRate(new AudioFrame(samples, sampleRateHz, 1, samples.length));
  }
}
