import type { SpeechConfig } from '../../config/config.js';
import { DeepgramProvider } from './deepgram/deepgram-provider.js';
import { ElevenLabsProvider } from './elevenlabs/elevenlabs-provider.js';
import { GoogleProvider } from './google/google-provider.js';
import { LocalSpeechProvider } from './local/local-provider.js';
import { OpenAiSpeechProvider } from './openai/openai-provider.js';
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
