export type SampleRateHz = 8_000 | 16_000 | 24_000 | 48_000;

/**
 * The sound of one leg of a call: mono PCM, signed 16 bits, in frames of 20 ms both ways
 * (`sampleRateHz * 0.02` samples each). The opener owns it; the carrier only transports the frames.
 */
export interface CallAudio {
  readonly sampleRateHz: SampleRateHz;
  /**
   * What the far end says, in real time, from the moment the audio was opened. Silence comes as frames, and so does what
   * the network lost, so that the count of frames is the time. To be read once, and without pauses: a reader that is
   * late by more than a second finds silence in place of the oldest frames. Ends, without an error, with the leg or the signal.
   */
  readonly heard: AsyncIterable<Int16Array>;
  /**
   * Sends one frame. The sender keeps the pace: never more than 60 ms ahead of real time, because what is sent cannot
   * always be taken back. A frame may be changed by the sender once this returns. After the end it does nothing.
   */
  send(frame: Int16Array): void;
  /** Drops what was sent and not played yet, here and at the carrier, as far as it can. */
  clear(): void;
}

/** The audio of the calls of one carrier. */
export interface AudioLine {
  /**
   * Opens the audio of an answered call, in the process that asks. Only one may have it at a time.
   *
   * @param signal closes the audio; the call continues
   * @throws CallCarrierError `no-such-call`, `call-over`, `not-answered`, or `unavailable` where the audio does not come
   */
  open(callId: string, signal: AbortSignal): Promise<CallAudio>;
}
