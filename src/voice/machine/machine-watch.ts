import type { FarEnd } from '../../runtime/call/answerer/far-end.js';
import type { LineTap } from '../talk/talk-line.js';
import { AnsweringMachineDetector } from './answering-machine-detector.js';

/** Listens along on a line for who has answered; a recording goes on beside it. */
export class MachineWatch implements LineTap {
  private readonly detector: AnsweringMachineDetector;

  /** @param recording hears all that this does */
  constructor(
    sampleRateHz: number,
    private readonly recording: LineTap | null,
    private readonly onFarEnd: (farEnd: FarEnd) => void,
  ) {
    this.detector = new AnsweringMachineDetector(sampleRateHz);
  }

  customer(frame: Int16Array): void {
    this.recording?.customer(frame);
    this.tell(this.detector.hear(frame));
  }

  assistant(frame: Int16Array, skipped: number): void {
    this.recording?.assistant(frame, skipped);
  }

  /** Words of the far end, also those that are still being spoken. */
  words(text: string): void {
    this.tell(this.detector.words(text));
  }

  private tell(farEnd: FarEnd | null): void {
    if (farEnd !== null) this.onFarEnd(farEnd);
  }
}
