/** How long the customer waited for an answer, in milliseconds; null where nobody can tell. */
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

/** A recording in a local file, which belongs to whoever gets this. */
export interface TalkRecording {
  readonly path: string;
  readonly contentType: string;
  readonly durationMs: number;
}
