/** Receives the audio of both directions of a line, frame by frame. */
export interface AudioTap {
  customer(frame: Int16Array): void;
  /** @param skipped frames that the line dropped before this one */
  assistant(frame: Int16Array, skipped: number): void;
}
