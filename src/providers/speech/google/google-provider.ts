import type { llm, stt, tts } from '@livekit/agents';
import type {
  RealtimeOptions,
  RecognizerOptions,
  SpeechSkill,
  SynthesizerOptions,
} from '../speech-options.js';
import type { SpeechProvider } from '../speech-provider.js';
import { GOOGLE_VOICES } from './google-voices.js';
import { VendorProvider } from '../vendor-provider.js';

/** Gemini: realtime, speech to text and text to speech. */
export class GoogleProvider extends VendorProvider implements SpeechProvider {
  readonly code = 'google';
  readonly name = 'Google';
  readonly skills: ReadonlySet<SpeechSkill> = new Set(['recognizer', 'synthesizer', 'realtime']);
  protected readonly keyName = 'GOOGLE_API_KEY';

  async recognizer(options: RecognizerOptions): Promise<stt.STT> {
    const { googleRecognizer } = await import('./google-speech.js');
    return googleRecognizer({ apiKey: this.apiKey, baseUrl: this.baseUrl }, options);
  }

  defaultVoice({ gender = 'female' }: Pick<SynthesizerOptions, 'gender'>): string {
    return GOOGLE_VOICES[gender];
  }

  async synthesizer(options: SynthesizerOptions): Promise<tts.TTS> {
    const { googleSynthesizer } = await import('./google-speech.js');
    return googleSynthesizer({ apiKey: this.apiKey, baseUrl: this.baseUrl }, options);
  }

  async realtime(options: RealtimeOptions): Promise<llm.RealtimeModel> {
    const { googleRealtime } = await import('./google-speech.js');
    return googleRealtime({ apiKey: this.apiKey, baseUrl: this.baseUrl }, options);
  }
}
