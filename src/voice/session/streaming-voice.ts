import { tokenize, tts } from '@livekit/agents';

/**
 * A voice that takes words as they come, sentence by sentence where it cannot do so itself. Made once for a call: the engine
 * would make one for each stretch of speech, which never lets go of the voice, and throws its errors where nobody hears them.
 */
export function streamingVoice(voice: tts.TTS): tts.TTS {
  return voice.capabilities.streaming
    ? voice
    : new tts.StreamAdapter(voice, new tokenize.basic.SentenceTokenizer());
}
