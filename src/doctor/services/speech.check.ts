import type { ModelConfig, SpeechConfig } from '../../config/config.js';
import {
  SPEECH_KEY_PROVIDERS,
  type SpeechKeyProvider,
  type SpeechKeyServer,
} from '../../providers/speech/account-keys/account-speech-keys.js';
import { SpeechKeyCheck } from '../../providers/speech/account-keys/speech-key-check.js';
import { KeepAliveFetch } from '../../providers/llm/openai/keep-alive-fetch.js';
import { type Check, type Finding, ok, warning } from '../check.js';
import { keyFinding } from './key-finding.js';

/** How the provider is called, and what an operator corrects. */
const PROVIDERS: Readonly<Record<SpeechKeyProvider, readonly [name: string, variables: string]>> = {
  deepgram: ['Deepgram', 'DEEPGRAM_API_KEY'],
  elevenlabs: ['ElevenLabs', 'ELEVEN_API_KEY'],
  openai: ['The speech server of OpenAI’s kind', 'SPEECH_API_KEY and SPEECH_BASE_URL'],
  google: ['Google', 'GOOGLE_API_KEY'],
  xai: ['xAI', 'XAI_API_KEY'],
  azure: ['Azure', 'AZURE_SPEECH_KEY and AZURE_SPEECH_REGION'],
  cartesia: ['Cartesia', 'CARTESIA_API_KEY'],
};

/** Whether the providers of speech take the keys of the installation. Each gets one request, which costs nothing. */
export class SpeechCheck implements Check {
  readonly name = 'speech';

  constructor(
    private readonly speech: SpeechConfig,
    private readonly model: ModelConfig,
  ) {}

  async run(): Promise<readonly Finding[]> {
    const servers = SPEECH_KEY_PROVIDERS.flatMap((provider) => this.serverOf(provider) ?? []);
    if (servers.length === 0) return [this.withoutKeys()];
    const connections = new KeepAliveFetch();
    // Only the operator has chosen these addresses.
    const keys = new SpeechKeyCheck(this.speech, connections, connections);
    try {
      return await Promise.all(
        servers.map(async (server) => keyFinding(await keys.check(server), ...PROVIDERS[server.provider])),
      );
    } finally {
      await connections.close();
    }
  }

  /** Null for a provider without a key, and for the server that the check of the chat model asks. */
  private serverOf(provider: SpeechKeyProvider): SpeechKeyServer | null {
    const { apiKey, baseUrl } = this.speech[provider];
    if (provider !== 'openai') {
      const region = provider === 'azure' ? (this.speech.azure.region ?? null) : null;
      return apiKey ? { provider, apiKey, baseUrl: null, region } : null;
    }
    const isModelServer = apiKey === this.model.apiKey && baseUrl === this.model.baseUrl;
    if (isModelServer || (!apiKey && !baseUrl)) return null;
    return { provider, apiKey: apiKey ?? '', baseUrl: baseUrl ?? null, region: null };
  }

  private withoutKeys(): Finding {
    const { openai, modelsDir } = this.speech;
    if (modelsDir !== undefined) return ok('Speech comes from the models of this machine.');
    if (openai.apiKey || openai.baseUrl) return ok('Speech comes from the server of the chat model.');
    return warning(
      'Calls are heard and spoken by the sandbox: set the key of a provider of speech, or SPEECH_MODELS_DIR.',
    );
  }
}
