/** Without a beep, a machine that has been silent for so long is taken to record. */
const SILENCE_MS = 2_500;
/** The longest greeting we wait for. */
const LONGEST_MS = 30_000;

export interface RecordingListener {
  awaitBeep(onBeep: () => void): () => void;
  isSpeaking(): boolean;
}

/**
 * Waits until an answering machine records: after its beep, after a long silence, or after the longest wait.
 *
 * @returns why it is time
 */
export function awaitRecording(
  listener: RecordingListener,
  signal: AbortSignal,
): Promise<'beep' | 'silence' | 'too-long' | 'aborted'> {
  return new Promise((resolve) => {
    let silentMs = 0;
    let waitedMs = 0;
    const stepMs = 50;
    const finish = (reason: 'beep' | 'silence' | 'too-long' | 'aborted') => {
      clearInterval(timer);
      stopListening();
      signal.removeEventListener('abort', onAbort);
      resolve(reason);
    };
    const onAbort = () => finish('aborted');
    const stopListening = listener.awaitBeep(() => finish('beep'));
    const timer = setInterval(() => {
      waitedMs += stepMs;
      silentMs = listener.isSpeaking() ? 0 : silentMs + stepMs;
      if (silentMs >= SILENCE_MS) finish('silence');
      else if (waitedMs >= LONGEST_MS) finish('too-long');
    }, stepMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
