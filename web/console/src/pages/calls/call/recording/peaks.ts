import { partsOf, type SoundPart } from './ogg.js';

/** The least that every browser decodes to; enough for the loudness of speech. */
const RATE_HZ = 8_000;
const PART_MS = 30_000;
/** Bars of a waveform; more than a screen shows. */
const MOST_BARS = 1_200;
const LEAST_BAR_MS = 50;
/** Longer recordings are played without a waveform. */
const MOST_BYTES = 64_000_000;

/** The loudness of each track over time, from 0 to 1. */
export interface Peaks {
  readonly durationMs: number;
  readonly barMs: number;
  /** One for a recording with one track; otherwise the customer, and then the assistant. */
  readonly tracks: readonly Float32Array[];
}

/**
 * Decodes a recording part by part, so that the page stays responsive and the memory small.
 *
 * @param onPeaks called after each part, with what is known so far
 */
export async function readPeaks(
  url: string,
  signal: AbortSignal,
  onPeaks: (peaks: Peaks) => void,
): Promise<void> {
  const answer = await fetch(url, { signal });
  const length = Number(answer.headers.get('Content-Length'));
  if (!answer.ok || length > MOST_BYTES) return;
  const parts = partsOf(await answer.arrayBuffer(), PART_MS);
  const durationMs = parts.at(-1)?.endMs ?? 0;
  const barMs = Math.max(LEAST_BAR_MS, Math.ceil(durationMs / MOST_BARS));
  const bars = Math.ceil(durationMs / barMs);
  const tracks: Float32Array[] = [];
  for (const part of parts) {
    const sound = await new OfflineAudioContext(2, 1, RATE_HZ).decodeAudioData(part.bytes);
    if (signal.aborted) return;
    for (let channel = 0; channel < Math.min(2, sound.numberOfChannels); channel++) {
      const track = (tracks[channel] ??= new Float32Array(bars));
      addPeaks(track, barMs, sound.getChannelData(channel), part);
    }
    onPeaks({ durationMs, barMs, tracks: [...tracks] });
  }
}

/** Raises the bars of a track to the loudest samples of a part. */
function addPeaks(
  track: Float32Array,
  barMs: number,
  samples: Float32Array,
  { soundMs, startMs }: Pick<SoundPart, 'soundMs' | 'startMs'>,
): void {
  const samplesPerBar = (barMs * RATE_HZ) / 1_000;
  const before = (soundMs * RATE_HZ) / 1_000;
  const first = Math.round(((startMs - soundMs) * RATE_HZ) / 1_000);
  for (let at = first; at < samples.length; at++) {
    const bar = Math.min(track.length - 1, Math.floor((before + at) / samplesPerBar));
    const loudness = Math.abs(samples[at] ?? 0);
    if (loudness > (track[bar] ?? 0)) track[bar] = loudness;
  }
}
