import type { tts } from '@livekit/agents';
import type { KeepAliveFetch } from '../../llm/openai/keep-alive-fetch.js';
import { HttpSynthesizer } from '../http/http-synthesizer.js';
import type { SynthesizerOptions } from '../speech-options.js';
import { type AzureResource, synthesisUrl } from './azure-addresses.js';
import { AZURE_VOICES } from './azure-voices.js';
import { ssmlOf } from './ssml.js';

/** @see https://learn.microsoft.com/azure/ai-services/speech-service/rest-text-to-speech */
export function azureSynthesizer(
  resource: AzureResource,
  connections: KeepAliveFetch,
  { voiceCode, gender, language, speed }: SynthesizerOptions,
): tts.TTS {
  const voice = voiceCode || AZURE_VOICES[gender ?? 'female'];
  const url = synthesisUrl(resource);
  const headers = {
    'Ocp-Apim-Subscription-Key': resource.apiKey,
    'Content-Type': 'application/ssml+xml',
    'X-Microsoft-OutputFormat': 'raw-24khz-16bit-mono-pcm',
    // Demanded by the service.
    'User-Agent': 'Prosa',
  };
  return new HttpSynthesizer({
    vendor: 'Azure',
    model: voice,
    send: (text, signal) => connections.post(url, headers, ssmlOf({ text, voice, language, speed }), signal),
  });
}
