import type { SpeechConfig } from '../../config/config.js';
import type { AccountSpeechKey, SpeechKeyProvider } from './account-keys/account-speech-keys.js';
import { addressOf } from './account-keys/speech-key-check.js';
import { DeepgramProvider } from './deepgram/deepgram-provider.js';
import { ElevenLabsProvider } from './elevenlabs/elevenlabs-provider.js';
import { GoogleProvider } from './google/google-provider.js';
import { LocalSpeechProvider } from './local/local-provider.js';
import { OpenAiSpeechProvider } from './openai/openai-provider.js';
import { type GuardedFetch, OPENAI_URL } from './openai/openai-server.js';
import type { SpeechProvider } from './speech-provider.js';
import { XaiProvider } from './xai/xai-provider.js';

/** Every provider but the sandbox, in the order in which they stand in for one another. */
export function vendorsOf(config: SpeechConfig): SpeechProvider[] {
  return [
    new DeepgramProvider(config.deepgram),
    new ElevenLabsProvider(config.elevenlabs),
    new OpenAiSpeechProvider(config.openai),
    new GoogleProvider(config.google),
    new XaiProvider(config.xai),
    new LocalSpeechProvider(config.modelsDir),
  ];
}

const BEHIND_A_KEY = {
  deepgram: DeepgramProvider,
  elevenlabs: ElevenLabsProvider,
  google: GoogleProvider,
  xai: XaiProvider,
} satisfies Partial<Record<SpeechKeyProvider, unknown>>;

/**
 * A provider that is asked with an account's key.
 *
 * @param guardedFetch reaches servers that customers have named
 */
export function vendorWith(
  key: AccountSpeechKey,
  config: SpeechConfig,
  guardedFetch: GuardedFetch,
): SpeechProvider {
  const { provider, baseUrl, recognizerModel, synthesizerModel } = key;
  const server = { apiKey: key.apiKey ?? undefined, baseUrl: addressOf(provider, config) };
  if (provider !== 'openai') return new BEHIND_A_KEY[provider](server);
  const models = {
    recognizerModel: recognizerModel ?? undefined,
    synthesizerModel: synthesizerModel ?? undefined,
  };
  return baseUrl === null
    ? new OpenAiSpeechProvider({ ...server, ...models, baseUrl: OPENAI_URL })
    : new OpenAiSpeechProvider({ ...server, ...models, baseUrl, guardedFetch });
}
