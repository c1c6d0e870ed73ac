import { FRAME_MS } from '@prosa/audio';

/** Of what was played, kept to find the pitch in. */
const HISTORY_MS = 60;
/** Pitch periods looked for: 400 Hz to 66 Hz. */
const SHORTEST_PERIOD_MS = 2.5;
const LONGEST_PERIOD_MS = 15;
/** Compared with its own past to find the period. */
const TEMPLATE_MS = 20;
/** So many samples a millisecond are compared; more would tell pitches no better. */
const COMPARED_PER_MS = 4;
/** Where what was lost meets what came. */
const OVERLAP_MS = 4;
/** After 60 ms nothing is guessed any more. */
const MOST_FRAMES = 3;

/** Fills frames that did not come with the last pitch period, fading out; after ITU-T G.711 Appendix I. */
export class LossConcealment {
  private readonly samplesPerMs: number;
  private readonly overlapSamples: number;
  private readonly history: Int16Array;
  private lostFrames = 0;
  private period = 0;
  private position = 0;

  constructor(private readonly frameSamples: number) {
    this.samplesPerMs = frameSamples / FRAME_MS;
    this.overlapSamples = OVERLAP_MS * this.samplesPerMs;
    this.history = new Int16Array(HISTORY_MS * this.samplesPerMs);
  }

  /** A frame that came; it is blended into what was guessed before it. */
  receive(frame: Int16Array): Int16Array {
    const output = Int16Array.from(frame);
    if (this.lostFrames > 0 && this.lostFrames <= MOST_FRAMES) {
      const guessed = this.guess(this.overlapSamples);
      for (let index = 0; index < Math.min(this.overlapSamples, output.length); index++) {
        const share = index / this.overlapSamples;
        output[index] = Math.round((guessed[index] ?? 0) * (1 - share) + (output[index] ?? 0) * share);
      }
    }
    this.lostFrames = 0;
    this.remember(output);
    return output;
  }

  /** The frame to play in place of one that is missing. */
  conceal(): Int16Array {
    if (this.lostFrames >= MOST_FRAMES) {
      this.lostFrames++;
      return new Int16Array(this.frameSamples);
    }
    if (this.lostFrames === 0) {
      this.period = findPeriod(this.history, this.samplesPerMs);
      this.position = 0;
    }
    const frame = this.guess(this.frameSamples);
    this.lostFrames++;
    return frame;
  }

  private guess(samples: number): Int16Array {
    const output = new Int16Array(samples);
    for (let index = 0; index < samples; index++) {
      const source = this.history.length - this.period + (this.position % this.period);
      const fade = 1 - this.position / (MOST_FRAMES * this.frameSamples);
      output[index] = Math.round((this.history[source] ?? 0) * Math.max(fade, 0));
      this.position++;
    }
    return output;
  }

  private remember(frame: Int16Array): void {
    const { history } = this;
    history.copyWithin(0, frame.length);
    history.set(frame.subarray(-history.length), Math.max(history.length - frame.length, 0));
  }
}

/** The lag at which the end of the history looks most like its own past, in samples. */
function findPeriod(history: Int16Array, samplesPerMs: number): number {
  const start = history.length - TEMPLATE_MS * samplesPerMs;
  const step = samplesPerMs / COMPARED_PER_MS;
  const longest = LONGEST_PERIOD_MS * samplesPerMs;
  let best = longest;
  let bestScore = -Infinity;
  for (let lag = SHORTEST_PERIOD_MS * samplesPerMs; lag <= longest; lag++) {
    let product = 0;
    let energy = 1;
    for (let index = start; index < history.length; index += step) {
      const past = history[index - lag] ?? 0;
      product += (history[index] ?? 0) * past;
      energy += past * past;
    }
    const score = product / Math.sqrt(energy);
    if (score > bestScore) {
      bestScore = score;
      best = lag;
    }
  }
  return best;
}
