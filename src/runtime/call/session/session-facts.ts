import type { HeardVoice } from '../../../providers/speech/speech-options.js';
import type { VoiceRef } from '../settings/voice-settings.js';
/** How long the customer waited for an answer, in milliseconds; null where it is unknown. */
export interface TurnMetrics {
  /** When the customer had stopped speaking, since the answer of the call. */
  readonly atMs: number;
  /** From the end of the customer's speech to the first sound of the answer, as the customer hears it. */
  readonly responseMs: number;
  /** Its parts: until the turn counted as over, until the words were there, the model's first words, their first sound. */
  readonly endpointingMs: number | null;
  readonly recognitionMs: number | null;
  readonly modelMs: number | null;
  readonly synthesisMs: number | null;
  /** What is left: our own. */
  readonly platformMs: number | null;
}

/** Words of a recognizer that count as no turn of the customer. */
export interface IgnoredWords {
  /** `noise`: they were not said; `backchannel`: a sign of listening while the assistant spoke. */
  readonly kind: 'noise' | 'backchannel';
  readonly text: string;
}

/** How late the sound of a line was, as this process was too slow or the network stood still. In milliseconds. */
export interface LineLatenessFigures {
  /** Of the far end's sound: what was heard more than 60 ms after its time. */
  readonly lateMs: number;
  /** How late the latest of it was. */
  readonly maxLateMs: number;
  /** Of ours: the gaps in which nothing could be sent in time. */
  readonly gapMs: number;
}

/** What was recorded, in a local file that the receiver owns. It is packed after the call. */
export interface SessionRecording {
  /** Of raw samples: stereo PCM16, little-endian, the customer on the left and the assistant on the right. */
  readonly path: string;
  readonly sampleRateHz: number;
}

/** The voice that is heard on a call. */
export interface SpokenVoice extends HeardVoice {
  /** The voice of the assistant, as its provider knows it. */
  readonly wanted: VoiceRef;
}
