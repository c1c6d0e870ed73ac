import type { VoiceSettings } from '../../../runtime/call/settings/voice-settings.js';
import type { RuntimeAssistant } from '../assistants.service.js';
import type { CatalogLanguage } from '../../catalog/catalog-schema.js';
import type { CatalogService } from '../../catalog/catalog.service.js';

/** How an assistant sounds and listens, by its settings and the catalogue. */
export function voiceSettingsOf(assistant: RuntimeAssistant, catalog: CatalogService): VoiceSettings {
  const { config, mode, voiceId, multimodalModelId } = assistant;
  const voice = catalog.findVoice(voiceId);
  const model = multimodalModelId === null ? null : catalog.findModel(multimodalModelId);
  return {
    mode,
    languages: languagesOf(assistant, catalog).map(({ iso_2: iso2, locale }) => ({ iso2, locale })),
    voice: voice
      ? { provider: voice.provider, code: voice.provider_voice, gender: voice.gender }
      : { provider: '', code: '' },
    transcriber: codeOf(catalog.transcribers(), config.transcriber_provider_id),
    synthesizer: codeOf(catalog.synthesizers(), config.synthesizer_provider_id),
    realtime: mode === 'pipeline' || !model ? null : { provider: model.provider, code: model.code },
    stability: config.voice_stability,
    similarity: config.voice_similarity,
    speed: config.speech_speed,
    emotion: config.tts_emotion_enabled,
    interruptions: {
      allowed: config.allow_interruptions,
      minDurationMs: config.interrupt_sensitivity * 1_000,
      minWords: config.min_interrupt_words,
      ignoreBackchannels: config.ignore_backchannels,
    },
    endpointing: { type: config.endpoint_type, minDelayMs: config.endpoint_sensitivity * 1_000 },
    turnDetectionThreshold: config.turn_detection_threshold,
    fillers: config.fillers ? config.filler_config : null,
    ambience:
      config.ambient_sound === 'off'
        ? null
        : { sound: config.ambient_sound, volume: config.ambient_sound_volume },
    noiseCancellation: config.enable_noise_cancellation,
  };
}

/** The main one first; those the catalogue has lost are left out. */
function languagesOf(
  { language, config }: Pick<RuntimeAssistant, 'language' | 'config'>,
  catalog: CatalogService,
): CatalogLanguage[] {
  const others = config.secondary_language_ids.map((id) => catalog.findLanguage(id));
  return [language, ...others].filter((one) => one !== null);
}

function codeOf(
  providers: readonly { readonly id: number; readonly code: string }[],
  id: number | null,
): string | null {
  return providers.find((provider) => provider.id === id)?.code ?? null;
}
