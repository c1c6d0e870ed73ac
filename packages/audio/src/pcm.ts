/** How long a frame lasts, everywhere between a line and the engine. */
export const FRAME_MS = 20;

/** Samples of one frame of mono audio. */
export function frameLength(sampleRateHz: number): number {
  return (sampleRateHz * FRAME_MS) / 1_000;
}

/** The other way: of frames of so many samples, how many there are in a second. */
export function frameRateHz(samples: number): number {
  return (samples * 1_000) / FRAME_MS;
}

export function toInt16(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)));
}

/** Loudness of some samples as root mean square, 0 to 1; 0 for no samples. */
export function rmsOf(samples: Int16Array): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) / 32_768;
}

/** The PCM samples of bytes, little-endian as they come from files and sockets. Copies where the bytes are not aligned. */
export function samplesOf(bytes: Uint8Array): Int16Array {
  const length = bytes.byteLength >> 1;
  if (bytes.byteOffset % 2 === 0) return new Int16Array(bytes.buffer, bytes.byteOffset, length);
  return new Int16Array(bytes.slice(0, length * 2).buffer);
}
