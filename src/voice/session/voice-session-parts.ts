import type { ActiveAgentParts, RenderedSpeech } from '../agent/speech-services.js';
import type { HeardVoices } from '../agent/heard-voices.js';
import type { CallRecorder } from '../recording/call-recorder.js';

/** What a VoiceSession is made of, besides the call itself. */
export interface VoiceSessionParts extends ActiveAgentParts {
  /** Records which voice the customer hears. */
  readonly heard?: HeardVoices;
  /** Null where the call is not recorded. */
  readonly recorder: CallRecorder | null;
  /** The greeting, rendered while the call rang. */
  readonly rendered: RenderedSpeech | null;
}
