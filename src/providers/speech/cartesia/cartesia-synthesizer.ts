import type { tts } from '@livekit/agents';
import type { KeepAliveFetch } from '../../llm/openai/keep-alive-fetch.js';
import { HttpSynthesizer } from '../http/http-synthesizer.js';
import { PCM_RATE_HZ } from '../http/sound-body.js';
import type { SynthesizerOptions } from '../speech-options.js';
import { type CartesiaAccess, cartesiaHeaders, cartesiaLanguage } from './cartesia-api.js';
import { cartesiaVoiceOf } from './cartesia-voices.js';

const MODEL = 'sonic-3';
/** @see https://docs.cartesia.ai/api-reference/tts/bytes */
export function cartesiaSynthesizer(
  { apiKey, baseUrl }: CartesiaAccess,
  connections: KeepAliveFetch,
  options: SynthesizerOptions,
): tts.TTS {
  const { speed } = options;
  const language = cartesiaLanguage(options.language);
  const model = options.model ?? MODEL;
  const voice = options.voiceCode || cartesiaVoiceOf(options);
  const headers = { ...cartesiaHeaders(apiKey), 'Content-Type': 'application/json' };
  const body = (transcript: string) =>
    JSON.stringify({
      model_id: model,
      transcript,
      voice: { mode: 'id', id: voice },
      language,
      output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: PCM_RATE_HZ },
      ...(speed === undefined || speed === 1 ? {} : { generation_config: { speed } }),
    });
  return new HttpSynthesizer({
    vendor: 'Cartesia',
    model,
    send: (text, signal) => connections.post(`${baseUrl}/tts/bytes`, headers, body(text), signal),
  });
}
