import type { llm, stt, tts } from '@livekit/agents';
import type {
  RealtimeOptions,
  RecognizerOptions,
  SpeechSkill,
  SynthesizerOptions,
} from '../speech-options.js';
import type { SpeechProvider } from '../speech-provider.js';
import type { OpenAiServer } from './openai-server.js';
import { OPENAI_VOICES } from './openai-voices.js';

/** OpenAI, and every server that speaks its protocol. */
export class OpenAiSpeechProvider implements SpeechProvider {
  readonly code = 'openai';
  readonly name = 'OpenAI';
  readonly skills: ReadonlySet<SpeechSkill>;

  constructor(private readonly server: OpenAiServer) {
    const skills: readonly SpeechSkill[] = ['recognizer', 'synthesizer'];
    // Connections of realtime models are not made by the guarded connector.
    this.skills = new Set(server.guardedFetch ? skills : [...skills, 'realtime']);
  }

  get obstacle(): string | null {
    return this.server.apiKey || this.server.baseUrl
      ? null
      : 'neither OPENAI_API_KEY, nor SPEECH_BASE_URL or OPENAI_BASE_URL, is set';
  }

  async recognizer(options: RecognizerOptions): Promise<stt.STT> {
    const { openAiRecognizer } = await import('./openai-speech.js');
    return openAiRecognizer(this.server, options);
  }

  defaultVoice({ gender = 'female' }: Pick<SynthesizerOptions, 'gender'>): string {
    return OPENAI_VOICES[gender];
  }

  async synthesizer(options: SynthesizerOptions): Promise<tts.TTS> {
    const { openAiSynthesizer } = await import('./openai-speech.js');
    return openAiSynthesizer(this.server, options);
  }

  async realtime(options: RealtimeOptions): Promise<llm.RealtimeModel> {
    const { openAiRealtime } = await import('./openai-speech.js');
    return openAiRealtime(this.server, options);
  }
}
