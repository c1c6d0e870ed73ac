import { AudioFrame, AudioResampler } from '@livekit/rtc-node';

/**
 * A whole line or utterance at another rate.
 *
 * @param pcm mono PCM16
 */
export function toRate(pcm: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz || pcm.length === 0) return pcm;
  const resampler = new AudioResampler(fromHz, toHz, 1);
  try {
    const frame = new AudioFrame(pcm, fromHz, 1, pcm.length);
    const pieces = [...resampler.push(frame), ...resampler.flush()].map(({ data }) => data);
    const joined = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let offset = 0;
    for (const piece of pieces) {
      joined.set(piece, offset);
      offset += piece.length;
    }
    return joined;
  } finally {
    resampler.close();
  }
}
