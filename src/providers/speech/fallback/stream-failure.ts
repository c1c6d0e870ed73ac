import type { tts } from '@livekit/agents';

interface WithMainTask {
  mainTask: () => Promise<void>;
}

/**
 * Finds out why a stream of a synthesizer ended. The library of 1.9.0 ends a failed stream like a finished one. A
 * failed `ChunkedStream` also causes an unhandled rejection, which would end the process with all its calls. Both
 * kinds start their work through `mainTask`, after the caller's turn of the event loop: it is replaced before that.
 *
 * @param stream just made, in the same turn of the event loop
 * @returns asks for the error; null while there is none
 */
export function watchFailure(stream: tts.ChunkedStream | tts.SynthesizeStream): () => unknown {
  const inner = stream as unknown as WithMainTask;
  if (typeof inner.mainTask !== 'function') {
    throw new TypeError('This version of @livekit/agents has no mainTask: see watchFailure');
  }
  const original = inner.mainTask.bind(stream);
  let failure: unknown = null;
  inner.mainTask = async () => {
    try {
      await original();
    } catch (error) {
      failure = error;
    }
  };
  return () => failure;
}
