import type { stt, tts } from '@livekit/agents';
import type { SpeechServer } from '../../../config/config.js';
import type { KeepAliveFetch } from '../../llm/openai/keep-alive-fetch.js';
import type { RecognizerOptions, SpeechSkill, SynthesizerOptions } from '../speech-options.js';
import type { SpeechProvider } from '../speech-provider.js';
import { VendorProvider } from '../vendor-provider.js';
import { cartesiaVoiceOf } from './cartesia-voices.js';
import { CARTESIA_URL, type CartesiaAccess } from './cartesia-api.js';

/** Cartesia. There is no plugin of the engine's version for it: it is asked by its documented API. */
export class CartesiaProvider extends VendorProvider implements SpeechProvider {
  readonly code = 'cartesia';
  readonly name = 'Cartesia';
  readonly skills: ReadonlySet<SpeechSkill> = new Set(['recognizer', 'synthesizer']);
  protected readonly keyName = 'CARTESIA_API_KEY';

  constructor(
    server: SpeechServer,
    private readonly connections: KeepAliveFetch,
  ) {
    super(server);
  }

  async recognizer(options: RecognizerOptions): Promise<stt.STT> {
    const { CartesiaRecognizer } = await import('./cartesia-recognizer.js');
    return new CartesiaRecognizer(this.access, this.connections, options);
  }

  defaultVoice(options: Pick<SynthesizerOptions, 'gender' | 'language'>): string {
    return cartesiaVoiceOf(options);
  }

  async synthesizer(options: SynthesizerOptions): Promise<tts.TTS> {
    const { cartesiaSynthesizer } = await import('./cartesia-synthesizer.js');
    return cartesiaSynthesizer(this.access, this.connections, options);
  }

  private get access(): CartesiaAccess {
    return { apiKey: this.apiKey, baseUrl: this.baseUrl ?? CARTESIA_URL };
  }
}
