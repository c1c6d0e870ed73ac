import type { llm, stt, tts } from '@livekit/agents';
import type {
  RealtimeOptions,
  RecognizerOptions,
  SynthesizerOptions,
} from '../../providers/speech/speech-options.js';
import { SpeechUnavailableError } from '../../providers/speech/speech-error.js';
import type {
  RealtimeRef,
  VoiceLanguage,
  VoiceSettings,
} from '../../runtime/call/settings/voice-settings.js';
import type { HeardVoices } from './heard-voices.js';
import type { Speaking, SpeechServices } from './speech-services.js';

/** Where the ears and voices of an account's calls come from; `AvailableSpeech` is one. */
export interface SpeechProviders {
  recognizer(options: RecognizerOptions): Promise<stt.STT>;
  synthesizer(options: SynthesizerOptions): Promise<tts.TTS>;
  realtime(options: RealtimeOptions): Promise<llm.RealtimeModel>;
  /** Whether the model failed a moment ago in some call, so that another one is better begun without it. */
  isRealtimeResting(model: RealtimeRef): boolean;
  /** A call has lost the model for good. */
  realtimeFailed(model: RealtimeRef, failure: unknown): void;
}

/** How an assistant speaks a language without a realtime model. */
export function synthesizerOptionsOf(
  { synthesizer, voice, stability, similarity, speed, emotion }: VoiceSettings,
  language: string,
): SynthesizerOptions {
  return {
    provider: synthesizer ?? voice.provider,
    // A code means nothing to another provider than its own.
    voiceCode: (synthesizer ?? voice.provider) === voice.provider ? voice.code : '',
    language,
    stability,
    similarity,
    speed,
    emotion,
    ...(voice.gender === undefined ? {} : { gender: voice.gender }),
  };
}

/** The same assistant without its realtime model: its chat model answers, with ears and a voice like the model's. */
export function inPipeline(voice: VoiceSettings): VoiceSettings {
  return { ...voice, mode: 'pipeline', realtime: null };
}

/**
 * How a call begins: as its assistant is set, or in the pipeline while its realtime model rests after a failure. Where
 * no other provider can listen or speak, the model is asked all the same.
 *
 * @param temperature of a realtime model, 0 to 1
 * @param heard hears which voice speaks
 * @throws SpeechUnavailableError saying what is missing
 */
export async function openSpeaking(
  providers: SpeechProviders,
  voice: VoiceSettings,
  temperature: number,
  heard?: HeardVoices,
): Promise<Speaking> {
  if (voice.realtime && providers.isRealtimeResting(voice.realtime)) {
    const instead = inPipeline(voice);
    try {
      return { voice: instead, speech: await openSpeech(providers, instead, temperature, heard) };
    } catch (error) {
      if (!(error instanceof SpeechUnavailableError)) throw error;
    }
  }
  return { voice, speech: await openSpeech(providers, voice, temperature, heard) };
}

/**
 * Opens the ears and the voice of one call as its assistant is set.
 *
 * @param temperature of a realtime model, 0 to 1
 * @param heard hears which voice speaks
 * @throws SpeechUnavailableError saying what is missing
 */
export async function openSpeech(
  providers: SpeechProviders,
  voice: VoiceSettings,
  temperature: number,
  heard?: HeardVoices,
): Promise<SpeechServices> {
  const opened = new OpenedSpeech(providers, voice, heard);
  try {
    await opened.open(temperature);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** @throws SpeechUnavailableError saying what is missing */
export function openRecognizer(
  providers: Pick<SpeechProviders, 'recognizer'>,
  { transcriber, languages }: Pick<VoiceSettings, 'transcriber' | 'languages'>,
): Promise<stt.STT> {
  return providers.recognizer({
    provider: transcriber ?? '',
    languages: languages.map(({ locale }) => locale),
  });
}

class OpenedSpeech implements SpeechServices {
  stt: stt.STT | null = null;
  tts: tts.TTS | null = null;
  realtime: llm.RealtimeModel | null = null;
  private readonly others = new Map<string, tts.TTS>();
  /** Opened when a phrase is said for the first time. */
  private besideModel: Promise<tts.TTS> | null = null;

  constructor(
    private readonly providers: SpeechProviders,
    private readonly voice: VoiceSettings,
    private readonly heard?: HeardVoices,
  ) {}

  async open(temperature: number): Promise<void> {
    const { mode, realtime, languages } = this.voice;
    if (realtime) this.realtime = await this.openRealtime(realtime, temperature);
    if (mode === 'pipeline') this.stt = await openRecognizer(this.providers, this.voice);
    if (mode !== 'multimodal') this.tts = await this.openVoice(languages[0]);
  }

  async voiceFor(language: VoiceLanguage): Promise<tts.TTS | null> {
    if (!this.tts) return null;
    if (language === this.voice.languages[0]) return this.tts;
    const known = this.others.get(language.locale);
    if (known) return known;
    const voice = await this.openVoice(language);
    this.others.set(language.locale, voice);
    return voice;
  }

  async phraseVoice(): Promise<tts.TTS | null> {
    if (this.tts) return this.tts;
    this.besideModel ??= this.openVoice(this.voice.languages[0]);
    return this.besideModel;
  }

  async close(): Promise<void> {
    const besideModel = await this.besideModel?.catch(() => null);
    const all = [this.stt, this.tts, this.realtime, besideModel, ...this.others.values()];
    await Promise.allSettled(all.map(async (part) => part?.close()));
  }

  private async openRealtime(
    { provider, code }: NonNullable<VoiceSettings['realtime']>,
    temperature: number,
  ): Promise<llm.RealtimeModel> {
    const { mode, voice, languages, turnDetectionThreshold, endpointing, speed } = this.voice;
    const model = await this.providers.realtime({
      provider,
      model: code,
      modality: mode === 'multimodal' ? 'audio' : 'text',
      languages: languages.map(({ locale }) => locale),
      temperature,
      turnSilenceMs: endpointing.minDelayMs,
      speed,
      ...(mode === 'multimodal' ? { voice: voice.code } : {}),
      ...(turnDetectionThreshold === null ? {} : { turnThreshold: turnDetectionThreshold }),
    });
    // The model has the voice itself, and no other one can replace it there.
    if (mode === 'multimodal') {
      const own = { provider: voice.provider, providerName: voice.provider, code: voice.code, reason: null };
      this.heard?.note(own, voice);
    }
    return model;
  }

  private openVoice(language: VoiceLanguage | undefined): Promise<tts.TTS> {
    return this.providers.synthesizer({
      ...synthesizerOptionsOf(this.voice, language?.locale ?? ''),
      onHeard: (heard) => this.heard?.note(heard, this.voice.voice),
    });
  }
}
