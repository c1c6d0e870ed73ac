import { FRAME_SAMPLES, SAMPLE_RATE_HZ } from './g711.js';

/** Rows and columns of a keypad in hertz (ITU-T Q.23). */
const ROWS = [697, 770, 852, 941] as const;
const COLUMNS = [1_209, 1_336, 1_477, 1_633] as const;
const KEYPAD = '123A456B789C*0#D';
const AMPLITUDE = 6_000;

/** The sound of a key, frame after frame; for peers that take no telephone events. */
export class DtmfTone {
  private position = 0;

  nextFrame(key: string): Int16Array {
    const at = KEYPAD.indexOf(key);
    const low = ROWS[at >> 2] ?? ROWS[0];
    const high = COLUMNS[at & 3] ?? COLUMNS[0];
    const frame = new Int16Array(FRAME_SAMPLES);
    for (let index = 0; index < FRAME_SAMPLES; index++) {
      const radians = (2 * Math.PI * this.position++) / SAMPLE_RATE_HZ;
      frame[index] = Math.round(AMPLITUDE * (Math.sin(low * radians) + Math.sin(high * radians)));
    }
    return frame;
  }
}
