import type { EngineMode } from '../../assistant-snapshot.js';

/** How an assistant sounds and listens where a call is heard; nothing of it matters on a line of text. */
export interface VoiceSettings {
  readonly mode: EngineMode;
  /** The main one first. */
  readonly languages: readonly VoiceLanguage[];
  readonly voice: VoiceRef;
  /** Code of the provider that turns speech into text; null where the mode's own model hears. */
  readonly transcriber: string | null;
  /** Code of the provider that turns text into speech; null where the mode's own model speaks. */
  readonly synthesizer: string | null;
  /** The model that hears, and in `multimodal` speaks too; null in `pipeline`. */
  readonly realtime: RealtimeRef | null;
  /** 0 to 1, as is `similarity`. */
  readonly stability: number;
  readonly similarity: number;
  /** 1 is as the voice speaks by itself. */
  readonly speed: number;
  readonly emotion: boolean;
  readonly interruptions: {
    readonly allowed: boolean;
    /** How long the customer must speak to interrupt. */
    readonly minDurationMs: number;
    /** Null: a single sound interrupts. */
    readonly minWords: number | null;
    /** Signs of listening while the assistant speaks, such as "uhum", neither interrupt nor are answered; in `pipeline`. */
    readonly ignoreBackchannels: boolean;
  };
  readonly endpointing: {
    readonly type: 'vad' | 'ai';
    /** How long the customer must be silent for a turn to end. */
    readonly minDelayMs: number;
  };
  /** How sure a realtime model must be of speech, 0 to 1; null: the model's default. */
  readonly turnDetectionThreshold: number | null;
  /** Phrases that bridge a pause, by the tone of what was said; null: none. */
  readonly fillers: Readonly<Record<FillerKind, readonly string[]>> | null;
  /** `volume` is 0 to 1. */
  readonly ambience: { readonly sound: AmbientSound; readonly volume: number } | null;
  readonly noiseCancellation: boolean;
}

export interface VoiceLanguage {
  /** ISO 639-1. */
  readonly iso2: string;
  /** With its region, such as `pt-BR`. */
  readonly locale: string;
}

/** A realtime model, as its provider knows it. */
export interface RealtimeRef {
  readonly provider: string;
  readonly code: string;
}

/** A voice, as its provider knows it. */
export interface VoiceRef {
  readonly provider: string;
  readonly code: string;
  /** A voice that replaces it is of the same gender; left out where it is not known. */
  readonly gender?: 'female' | 'male';
}

export type FillerKind = 'positive' | 'negative' | 'question' | 'neutral';

export type AmbientSound = 'office' | 'city' | 'forest' | 'crowded_room' | 'cafe' | 'nature';
