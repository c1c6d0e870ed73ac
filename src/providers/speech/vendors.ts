import type { SpeechConfig } from '../../config/config.js';
import type { AccountSpeechKey, SpeechKeyProvider } from './account-keys/account-speech-keys.js';
import { addressOf } from './account-keys/speech-key-check.js';
import type { KeepAliveFetch } from '../llm/openai/keep-alive-fetch.js';
import { AzureProvider } from './azure/azure-provider.js';
import { CartesiaProvider } from './cartesia/cartesia-provider.js';
import { DeepgramProvider } from './deepgram/deepgram-provider.js';
import { ElevenLabsProvider } from './elevenlabs/elevenlabs-provider.js';
import { GoogleProvider } from './google/google-provider.js';
import { LocalSpeechProvider } from './local/local-provider.js';
import { OpenAiSpeechProvider } from './openai/openai-provider.js';
import { type GuardedFetch, OPENAI_URL } from './openai/openai-server.js';
import type { SpeechProvider } from './speech-provider.js';
import { XaiProvider } from './xai/xai-provider.js';

/** How vendors without a library of their own are reached. */
export interface VendorConnections {
  /** To addresses that are the vendor's, or the operator's choice. */
  readonly open: KeepAliveFetch;
  /** To servers that customers have named. */
  readonly guardedFetch: GuardedFetch;
}

/** Every provider but the sandbox, in the order in which they stand in for one another. */
export function vendorsOf(config: SpeechConfig, { open }: VendorConnections): SpeechProvider[] {
  return [
    new DeepgramProvider(config.deepgram),
    new ElevenLabsProvider(config.elevenlabs),
    new OpenAiSpeechProvider(config.openai),
    new GoogleProvider(config.google),
    new XaiProvider(config.xai),
    new AzureProvider(config.azure, open),
    new CartesiaProvider(config.cartesia, open),
    new LocalSpeechProvider(config.modelsDir),
  ];
}

const BEHIND_A_KEY = {
  deepgram: DeepgramProvider,
  elevenlabs: ElevenLabsProvider,
  google: GoogleProvider,
  xai: XaiProvider,
} satisfies Partial<Record<SpeechKeyProvider, unknown>>;

/** A provider that is asked with an account's key. */
export function vendorWith(
  key: AccountSpeechKey,
  config: SpeechConfig,
  { open, guardedFetch }: VendorConnections,
): SpeechProvider {
  const { provider, baseUrl, region, recognizerModel, synthesizerModel } = key;
  const server = { apiKey: key.apiKey ?? undefined, baseUrl: addressOf(provider, config) };
  if (provider === 'azure') return new AzureProvider({ ...server, region: region ?? undefined }, open);
  if (provider === 'cartesia') return new CartesiaProvider(server, open);
  if (provider !== 'openai') return new BEHIND_A_KEY[provider](server);
  const models = {
    recognizerModel: recognizerModel ?? undefined,
    synthesizerModel: synthesizerModel ?? undefined,
  };
  return baseUrl === null
    ? new OpenAiSpeechProvider({ ...server, ...models, baseUrl: OPENAI_URL })
    : new OpenAiSpeechProvider({ ...server, ...models, baseUrl, guardedFetch });
}
