import type { stt, tts } from '@livekit/agents';
import type { RecognizerOptions, SpeechSkill, SynthesizerOptions } from '../speech-options.js';
import type { SpeechProvider } from '../speech-provider.js';
import { EspeakProcess, type SpokenLine } from './espeak-process.js';
import { espeakVoice } from './espeak-voice.js';
import type { SandboxSpeech } from './sandbox-speech.js';

/** Speech without a key or a model: a robot's voice, and ears that know a list of lines. */
export class SandboxSpeechProvider implements SpeechProvider {
  readonly code = 'sandbox';
  readonly name = 'Sandbox';
  readonly skills: ReadonlySet<SpeechSkill> = new Set(['recognizer', 'synthesizer']);
  readonly obstacle: string | null;
  private speech: Promise<SandboxSpeech> | null = null;

  constructor(private readonly espeak = new EspeakProcess()) {
    this.obstacle = EspeakProcess.isInstalled()
      ? null
      : 'the optional package @echogarden/espeak-ng-emscripten is not installed';
  }

  async recognizer(options: RecognizerOptions): Promise<stt.STT> {
    return (await this.load()).recognizer(options);
  }

  async synthesizer(options: SynthesizerOptions): Promise<tts.TTS> {
    return (await this.load()).synthesizer(options);
  }

  /**
   * Says a line as the sandbox's people do: the ears know them by this voice.
   *
   * @param language a tag such as `pt-BR`
   * @throws SpeechUnavailableError
   */
  speak(text: string, language: string): Promise<SpokenLine> {
    return this.espeak.speak({ text, voice: espeakVoice(language), speed: 1 });
  }

  /** Resolves when the ears know every line; the first calls need not wait for it. */
  async ready(): Promise<void> {
    await (await this.load()).ready();
  }

  close(): void {
    this.espeak.close();
  }

  private load(): Promise<SandboxSpeech> {
    this.speech ??= import('./sandbox-speech.js').then(({ SandboxSpeech }) => new SandboxSpeech(this.espeak));
    return this.speech;
  }
}
