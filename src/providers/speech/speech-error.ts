/** A realtime server did not send the answer that was due, not even when it was asked again. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
}

/** What was asked for cannot be had in this process: a key, a package or a model is missing. The message says which. */
export class SpeechUnavailableError extends Error {
  override readonly name = 'SpeechUnavailableError';
}
