import { frameLength } from '@prosa/audio';

/** Rows and columns of a keypad in hertz (ITU-T Q.23). */
const ROWS = [697, 770, 852, 941] as const;
const COLUMNS = [1_209, 1_336, 1_477, 1_633] as const;
const KEYPAD = '123A456B789C*0#D';
const AMPLITUDE = 6_000;

/** The sound of a key, frame after frame; for peers that take no telephone events. */
export class DtmfTone {
  private position = 0;

  constructor(private readonly sampleRateHz: number) {}

  nextFrame(key: string): Int16Array {
    const at = KEYPAD.indexOf(key);
    const low = ROWS[at >> 2] ?? ROWS[0];
    const high = COLUMNS[at & 3] ?? COLUMNS[0];
    const frame = new Int16Array(frameLength(this.sampleRateHz));
    for (let index = 0; index < frame.length; index++) {
      const radians = (2 * Math.PI * this.position++) / this.sampleRateHz;
      frame[index] = Math.round(AMPLITUDE * (Math.sin(low * radians) + Math.sin(high * radians)));
    }
    return frame;
  }
}
