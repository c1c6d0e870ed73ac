/** Resumes an AudioContext whenever it does not run. */
export class AudioWaker {
  /** @param onChange called when `isPaused` changes */
  constructor(context: AudioContext, onChange: () => void);
  /** The context has not run for a moment, and nothing is heard or sent. */
  readonly isPaused: boolean;
  /** To be called by a click. */
  wake(): void;
  close(): void;
}
