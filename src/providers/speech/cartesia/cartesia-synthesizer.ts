import type { tts } from '@livekit/agents';
import type { KeepAliveFetch } from '../../llm/openai/keep-alive-fetch.js';
import { HttpSynthesizer } from '../http/http-synthesizer.js';
import { PCM_RATE_HZ } from '../http/sound-body.js';
import type { SynthesizerOptions, VoiceGender } from '../speech-options.js';
import { type CartesiaAccess, cartesiaHeaders, cartesiaLanguage } from './cartesia-api.js';

const MODEL = 'sonic-3';
type VoicePair = Readonly<Record<VoiceGender, string>>;
/** Katie and Jameson. */
const ENGLISH: VoicePair = {
  female: 'f786b574-daa5-4673-aa0c-cbe3e8534c02',
  male: 'a5136bf9-224c-4d76-b823-52bd5efcffcc',
};
/** Voices whose own language it is; those of English speak every other one that the model knows. */
const VOICES: Readonly<Record<string, VoicePair>> = {
  // Luana and Felipe.
  pt: { female: '700d1ee3-a641-4018-ba6e-899dcadc9e2b', male: 'a37639f0-2f0a-4de4-9942-875a187af878' },
};

/** @see https://docs.cartesia.ai/api-reference/tts/bytes */
export function cartesiaSynthesizer(
  { apiKey, baseUrl }: CartesiaAccess,
  connections: KeepAliveFetch,
  options: SynthesizerOptions,
): tts.TTS {
  const { gender = 'female', speed } = options;
  const language = cartesiaLanguage(options.language);
  const model = options.model ?? MODEL;
  const voice = options.voiceCode || (VOICES[language] ?? ENGLISH)[gender];
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
