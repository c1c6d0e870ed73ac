export interface Speaker {
  /** @param frame PCM16 at 24 kHz; it is moved to the audio thread */
  play(frame: ArrayBuffer): void;
  clear(): void;
  close(): void;
}

/** Plays the sound of a call as it comes. @param context with the worklet `playback` */
export function openSpeaker(
  context: AudioContext,
  onPlayed: (played: { level: number; playedMs: number }) => void,
  options?: {
    /** Of the sound, interleaved. */
    channels?: 1 | 2;
    /** Drops the oldest sound when more than 0.4 seconds wait. */
    isLive?: boolean;
  },
): Speaker;
