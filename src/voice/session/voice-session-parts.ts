import type { llm, stt, tts } from '@livekit/agents';
import type { TurnLimits } from '../../runtime/chat-turn.js';
import type {
  RealtimeRef,
  VoiceLanguage,
  VoiceSettings,
} from '../../runtime/call/settings/voice-settings.js';
import type { HeardVoices } from '../agent/heard-voices.js';
import type { CallRecorder } from '../recording/call-recorder.js';

/** The ears and the voice of one call. */
export interface TalkSpeech {
  /** Null where the realtime model writes down itself what it hears. */
  readonly stt: stt.STT | null;
  /** Null where the realtime model speaks itself. */
  readonly tts: tts.TTS | null;
  /** Null in the mode `pipeline`. */
  readonly realtime: llm.RealtimeModel | null;
  /** The same voice, or one like it, for another of the assistant's languages; null where there is none. */
  voiceFor(language: VoiceLanguage): Promise<tts.TTS | null>;
  /**
   * Says short phrases beside the model: `tts`, or where the realtime model speaks itself a voice of the same name.
   *
   * @throws SpeechUnavailableError saying what is missing
   */
  phraseVoice(): Promise<tts.TTS | null>;
  close(): Promise<void>;
}

/** What an AgentTalk is made of, beside the call itself. */
export interface TalkParts {
  readonly limits: TurnLimits;
  readonly speech: TalkSpeech;
  /**
   * Opens the ears and the voice of another assistant. Left out: whoever takes over speaks with the first one's.
   *
   * @throws SpeechUnavailableError saying what is missing
   */
  readonly openSpeech?: (voice: VoiceSettings, temperature: number) => Promise<TalkSpeech>;
  /** Hears of a realtime model that this call has lost. */
  readonly onRealtimeLost?: (model: RealtimeRef, failure: unknown) => void;
  /** Which voice is heard. */
  readonly heard?: HeardVoices;
  /** Null where the call is not recorded. */
  readonly recorder: CallRecorder | null;
  /** What was rendered while it rang. */
  readonly rendered: RenderedSpeech | null;
}

/** Words that are sound already. */
export interface RenderedSpeech {
  readonly text: string;
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}
