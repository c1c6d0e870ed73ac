/** A source of samples that a mixer reads one frame at a time, when the frame goes out. */
export interface SampleSource {
  /** Writes samples from the beginning of the frame, at the line's rate, and returns how many; the rest stays silent. */
  read(frame: Int16Array): number;
}
