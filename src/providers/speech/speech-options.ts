import type { VAD } from '@livekit/agents';

/** What a provider of speech can do. */
export type SpeechSkill = 'recognizer' | 'synthesizer' | 'realtime';

export interface RecognizerOptions {
  /** The provider's code in the catalogue, such as `deepgram`. */
  readonly provider: string;
  /** The provider's own name of a model; its default when absent. */
  readonly model?: string;
  /** Language tags such as `pt-BR`, the main one first; with several, the provider detects which is spoken. */
  readonly languages: readonly string[];
  /** Words that are likely to be said, such as names; providers that cannot use them ignore them. */
  readonly phrases?: readonly string[];
  /** Finds where speech begins and ends, for providers that want whole utterances; made when absent. */
  readonly vad?: VAD;
}

export interface SynthesizerOptions {
  /** The provider's code in the catalogue, such as `elevenlabs`. */
  readonly provider: string;
  /** The voice's name or id at the provider (`provider_voice` of the catalogue); empty: one of the gender below. */
  readonly voiceCode: string;
  /** The provider's own name of a model; its default when absent. */
  readonly model?: string;
  /** Language tag such as `pt-BR`. */
  readonly language: string;
  /** Of the voice; another provider that has to take over chooses a voice of the same gender. */
  readonly gender?: VoiceGender;
  /** 0 (lively) to 1 (even). */
  readonly stability?: number;
  /** 0 to 1: how close to the original voice. */
  readonly similarity?: number;
  /** 0.7 to 1.2; 1 is the voice's own pace. */
  readonly speed?: number;
  /** Whether the voice may show emotion, where a provider knows how. */
  readonly emotion?: boolean;
  /** Hears which voice speaks, with the first sound of each sentence. It must not throw. */
  readonly onHeard?: (voice: HeardVoice) => void;
}

/**
 * Why a voice does not speak for itself.
 *
 * - `no_adapter`: this version has none for its vendor
 * - `no_key`: there is no key for its vendor
 */
export const UNAVAILABLE_REASONS = ['no_adapter', 'no_key'] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** A voice that speaks. */
export interface HeardVoice {
  /** The provider's code, as in the catalogue, and its name. */
  readonly provider: string;
  readonly providerName: string;
  /** The voice's name or id at the provider; empty where the provider has but one. */
  readonly code: string;
  /** Why it replaces the one that was asked for; null: it is the one. */
  readonly reason: UnavailableReason | 'failed' | null;
}

export type VoiceGender = 'female' | 'male';

export interface RealtimeOptions {
  /** The provider's code in the catalogue, such as `openai`. */
  readonly provider: string;
  /** The provider's own name of a model. */
  readonly model: string;
  /** The voice's name at the provider; not needed where the model only writes. */
  readonly voice?: string;
  /** `audio`: the model speaks itself (multimodal); `text`: a synthesizer speaks for it (dualplex). */
  readonly modality: 'audio' | 'text';
  /** Language tags such as `pt-BR`, the main one first. */
  readonly languages: readonly string[];
  /** 0 to 2; ignored by models that have no such setting. */
  readonly temperature?: number;
  /** 0 to 1: how sure the provider must be of speech; its own choice when absent. */
  readonly turnThreshold?: number;
  /** Silence after which the provider takes a turn for ended; its own choice when absent. */
  readonly turnSilenceMs?: number;
  /** 0.7 to 1.2; 1 is the voice's own pace. */
  readonly speed?: number;
}
