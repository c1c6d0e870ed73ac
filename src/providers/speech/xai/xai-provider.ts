import type { llm, stt, tts } from '@livekit/agents';
import type {
  RealtimeOptions,
  RecognizerOptions,
  SpeechSkill,
  SynthesizerOptions,
} from '../speech-options.js';
import { SpeechUnavailableError } from '../speech-error.js';
import type { SpeechProvider } from '../speech-provider.js';
import { baseLanguage, onlyLanguage, VendorProvider } from '../vendor-provider.js';

const VOICES = { female: 'ara', male: 'rex' } as const;

/** xAI. Its plugin takes another address for realtime alone; speech to text and to speech go to the public one. */
export class XaiProvider extends VendorProvider implements SpeechProvider {
  readonly code = 'xai';
  readonly name = 'xAI';
  readonly skills: ReadonlySet<SpeechSkill> = new Set(['recognizer', 'synthesizer', 'realtime']);
  protected readonly keyName = 'XAI_API_KEY';

  async recognizer({ languages, phrases }: RecognizerOptions): Promise<stt.STT> {
    const { STT } = await import('@livekit/agents-plugin-xai');
    const language = onlyLanguage(languages);
    return new STT({
      apiKey: this.apiKey,
      keyterm: [...(phrases ?? [])],
      ...(language === undefined ? {} : { language: baseLanguage(language) }),
    });
  }

  defaultVoice({ gender = 'female' }: Pick<SynthesizerOptions, 'gender'>): string {
    return VOICES[gender];
  }

  async synthesizer({ voiceCode, gender, language, speed }: SynthesizerOptions): Promise<tts.TTS> {
    const { TTS } = await import('@livekit/agents-plugin-xai');
    return new TTS({
      apiKey: this.apiKey,
      voice: voiceCode || this.defaultVoice({ gender }),
      language,
      speed,
    });
  }

  async realtime({ model, voice, modality }: RealtimeOptions): Promise<llm.RealtimeModel> {
    if (modality === 'text')
      throw new SpeechUnavailableError('xAI cannot be used: its models always speak themselves.');
    const { realtime } = await import('./xai-realtime.js');
    return new realtime.RealtimeModel({
      apiKey: this.apiKey,
      model,
      voice,
      ...(this.baseUrl === undefined ? {} : { baseURL: this.baseUrl }),
    });
  }
}
