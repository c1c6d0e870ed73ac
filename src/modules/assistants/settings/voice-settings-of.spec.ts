import { describe, expect, it } from '@jest/globals';
import type { CatalogService } from '../../catalog/catalog.service.js';
import type { RuntimeAssistant } from '../assistants.service.js';
import { voiceSettingsOf } from './voice-settings-of.js';

const PORTUGUESE = { id: 1, iso_2: 'pt', locale: 'pt-BR' };
const ENGLISH = { id: 2, iso_2: 'en', locale: 'en-US' };
const CATALOG = {
  findVoice: (id: number) => (id === 7 ? { provider: 'openai', provider_voice: 'coral' } : null),
  findModel: (id: number) => (id === 9 ? { provider: 'openai', code: 'gpt-realtime' } : null),
  findLanguage: (id: number) => [PORTUGUESE, ENGLISH].find((language) => language.id === id) ?? null,
  transcribers: () => [{ id: 3, code: 'deepgram' }],
  synthesizers: () => [{ id: 4, code: 'elevenlabs' }],
} as unknown as CatalogService;

const CONFIG = {
  secondary_language_ids: [2, 99],
  transcriber_provider_id: 3,
  synthesizer_provider_id: 4,
  voice_stability: 0.6,
  voice_similarity: 0.7,
  speech_speed: 1.1,
  tts_emotion_enabled: true,
  allow_interruptions: true,
  interrupt_sensitivity: 0.5,
  min_interrupt_words: 2,
  endpoint_type: 'ai',
  endpoint_sensitivity: 1.5,
  turn_detection_threshold: null,
  fillers: true,
  filler_config: { positive: ['Ótimo!'], negative: [], question: [], neutral: [] },
  ambient_sound: 'cafe',
  ambient_sound_volume: 0.3,
  enable_noise_cancellation: true,
  record: true,
};

function assistantWith(config: object = {}, rest: object = {}): RuntimeAssistant {
  return {
    mode: 'pipeline',
    voiceId: 7,
    multimodalModelId: 9,
    language: PORTUGUESE,
    config: { ...CONFIG, ...config },
    ...rest,
  } as unknown as RuntimeAssistant;
}

describe('the voice of an assistant', () => {
  it('is made of its settings, with times in milliseconds and the names that providers know', () => {
    expect(voiceSettingsOf(assistantWith(), CATALOG)).toEqual({
      mode: 'pipeline',
      languages: [
        { iso2: 'pt', locale: 'pt-BR' },
        { iso2: 'en', locale: 'en-US' },
      ],
      voice: { provider: 'openai', code: 'coral' },
      transcriber: 'deepgram',
      synthesizer: 'elevenlabs',
      realtime: null,
      stability: 0.6,
      similarity: 0.7,
      speed: 1.1,
      emotion: true,
      interruptions: { allowed: true, minDurationMs: 500, minWords: 2 },
      endpointing: { type: 'ai', minDelayMs: 1_500 },
      turnDetectionThreshold: null,
      fillers: CONFIG.filler_config,
      ambience: { sound: 'cafe', volume: 0.3 },
      noiseCancellation: true,
    });
  });

  it('has a realtime model outside of pipeline, and nothing that is switched off', () => {
    const quiet = { fillers: false, ambient_sound: 'off', transcriber_provider_id: null };
    expect(voiceSettingsOf(assistantWith(quiet, { mode: 'dualplex' }), CATALOG)).toMatchObject({
      realtime: { provider: 'openai', code: 'gpt-realtime' },
      transcriber: null,
      fillers: null,
      ambience: null,
    });
  });
});
