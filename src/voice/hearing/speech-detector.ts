import { inference, type VADEvent } from '@livekit/agents';

/** The engine's end-of-turn model needs this much silence; less than 250 ms is a breath. */
const MIN_SILENCE_MS = 250;

/** Finds speech in a call's sound, by a small model inside this process; each call has its own. */
export class SpeechDetector extends inference.VAD {
  /** @param observe sees each event before the engine does, and returns what the engine is to see */
  constructor(private readonly observe: (event: VADEvent) => VADEvent) {
    super({ minSilenceDuration: MIN_SILENCE_MS });
  }

  override stream(): ReturnType<inference.VAD['stream']> {
    const stream = super.stream();
    const next = stream.next.bind(stream);
    stream.next = async () => {
      const result = await next();
      return result.done ? result : { done: false, value: this.observe(result.value) };
    };
    return stream;
  }
}
