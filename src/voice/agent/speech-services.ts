import type { llm, stt, tts } from '@livekit/agents';
import type { TurnLimits } from '../../runtime/chat-turn.js';
import type {
  RealtimeRef,
  VoiceLanguage,
  VoiceSettings,
} from '../../runtime/call/settings/voice-settings.js';

/** The recognizer, the voice and the realtime model of one assistant on one call. */
export interface SpeechServices {
  /** Null where the realtime model writes down itself what it hears. */
  readonly stt: stt.STT | null;
  /** Null where the realtime model speaks itself. */
  readonly tts: tts.TTS | null;
  /** Null in the mode `pipeline`. */
  readonly realtime: llm.RealtimeModel | null;
  /** The same voice, or one like it, for another of the assistant's languages; null where there is none. */
  voiceFor(language: VoiceLanguage): Promise<tts.TTS | null>;
  /**
   * Says short phrases without the model: `tts`, or where the realtime model speaks itself a voice of the same name.
   *
   * @throws SpeechUnavailableError naming the missing service
   */
  phraseVoice(): Promise<tts.TTS | null>;
  close(): Promise<void>;
}

/** The settings and services of the assistant that speaks now. */
export interface Speaking {
  readonly voice: VoiceSettings;
  readonly speech: SpeechServices;
}

/** What an ActiveAgent needs besides the call's own setup. */
export interface ActiveAgentParts {
  readonly limits: TurnLimits;
  /** Of the assistant that the call begins with. */
  readonly speech: SpeechServices;
  /**
   * Opens the services of another assistant. Left out: an assistant that takes over uses those of the first one.
   *
   * @throws SpeechUnavailableError naming the missing service
   */
  readonly openSpeech?: (voice: VoiceSettings, temperature: number) => Promise<SpeechServices>;
  /**
   * Opens one more recognizer, for the words of a person who speaks to the customer. Left out: these words are no turns.
   *
   * @throws SpeechUnavailableError naming the missing service
   */
  readonly openRecognizer?: (voice: VoiceSettings) => Promise<stt.STT>;
  /** Called when this call has lost its realtime model. */
  readonly onRealtimeLost?: (model: RealtimeRef, failure: unknown) => void;
}

/** A text and its rendered audio. */
export interface RenderedSpeech {
  readonly text: string;
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}
