/** What the speech process is asked for: one line of text. */
export interface EspeakRequest {
  readonly id: number;
  readonly text: string;
  /** Of espeak-ng, such as `pt-br` or `pt-br+f3`. */
  readonly voice: string;
  readonly wordsPerMinute: number;
}

/** Mono PCM16 at `sampleRateHz`, or why there is none. */
export type EspeakReply =
  | typeof READY
  | { readonly id: number; readonly pcm: Uint8Array; readonly sampleRateHz: number }
  | { readonly id: number; readonly error: string };

/** What the process says first, when it can speak. */
export const READY = { id: 0, isReady: true } as const;
