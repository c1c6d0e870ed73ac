import type { llm, stt, tts } from '@livekit/agents';
import type {
  RealtimeOptions,
  RecognizerOptions,
  SpeechSkill,
  SynthesizerOptions,
} from './speech-options.js';

/**
 * One provider of speech. Making one costs nothing: its library is loaded by the first method that needs it, so that
 * a process without calls never has it in memory.
 */
export interface SpeechProvider {
  /** As in the catalogue. */
  readonly code: string;
  /** As people call it. */
  readonly name: string;
  readonly skills: ReadonlySet<SpeechSkill>;
  /** Why it cannot be used in this process, as the end of a sentence; null when it can. */
  readonly obstacle: string | null;
  /** Audio to words. The object belongs to one call, which closes it. */
  recognizer?(options: RecognizerOptions): Promise<stt.STT>;
  /** Words to audio. The object belongs to one call, which closes it. */
  synthesizer?(options: SynthesizerOptions): Promise<tts.TTS>;
  /** The voice that speaks where none is named, or one of another provider; left out where there are no names of voices. */
  defaultVoice?(options: Pick<SynthesizerOptions, 'gender' | 'language'>): string;
  /** A model that hears and answers. The object belongs to one call, which closes it. */
  realtime?(options: RealtimeOptions): Promise<llm.RealtimeModel>;
  /** Ends what the provider runs in this process. */
  close?(): void | Promise<void>;
}
