import { FRAME_SAMPLES } from './g711.js';

/** Of what was played, kept to find the pitch in: 60 ms. */
const HISTORY_SAMPLES = 480;
/** Pitch periods looked for: 400 Hz to 66 Hz. */
const SHORTEST_PERIOD = 20;
const LONGEST_PERIOD = 120;
/** Compared with its own past to find the period: 20 ms. */
const TEMPLATE_SAMPLES = 160;
/** Where what was lost meets what came: 4 ms of each other. */
const OVERLAP_SAMPLES = 32;
/** After 60 ms nothing is guessed any more. */
const MOST_FRAMES = 3;

/** Fills frames that did not come with the last pitch period, fading out; after ITU-T G.711 Appendix I. */
export class LossConcealment {
  private history = new Int16Array(HISTORY_SAMPLES);
  private lostFrames = 0;
  private period = 0;
  private position = 0;

  /** A frame that came; it is blended into what was guessed before it. */
  receive(frame: Int16Array): Int16Array {
    const output = Int16Array.from(frame);
    if (this.lostFrames > 0 && this.lostFrames <= MOST_FRAMES) {
      const guessed = this.guess(OVERLAP_SAMPLES);
      for (let index = 0; index < Math.min(OVERLAP_SAMPLES, output.length); index++) {
        const share = index / OVERLAP_SAMPLES;
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
      return new Int16Array(FRAME_SAMPLES);
    }
    if (this.lostFrames === 0) {
      this.period = findPeriod(this.history);
      this.position = 0;
    }
    const frame = this.guess(FRAME_SAMPLES);
    this.lostFrames++;
    return frame;
  }

  private guess(samples: number): Int16Array {
    const output = new Int16Array(samples);
    for (let index = 0; index < samples; index++) {
      const source = HISTORY_SAMPLES - this.period + (this.position % this.period);
      const fade = 1 - this.position / (MOST_FRAMES * FRAME_SAMPLES);
      output[index] = Math.round((this.history[source] ?? 0) * Math.max(fade, 0));
      this.position++;
    }
    return output;
  }

  private remember(frame: Int16Array): void {
    this.history.copyWithin(0, frame.length);
    this.history.set(frame.subarray(-HISTORY_SAMPLES), Math.max(HISTORY_SAMPLES - frame.length, 0));
  }
}

/** The lag at which the end of the history looks most like its own past. */
function findPeriod(history: Int16Array): number {
  const start = history.length - TEMPLATE_SAMPLES;
  let best = LONGEST_PERIOD;
  let bestScore = -Infinity;
  for (let lag = SHORTEST_PERIOD; lag <= LONGEST_PERIOD; lag++) {
    let product = 0;
    let energy = 1;
    for (let index = start; index < history.length; index += 2) {
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
