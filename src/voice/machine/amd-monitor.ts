import type { RemoteParty } from '../../runtime/call/session/remote-party.js';
import type { AudioTap } from '../line/audio-tap.js';
import { AnsweringMachineDetector } from './answering-machine-detector.js';

export interface AmdMonitorHost {
  /** Whether the far end hears the assistant now. */
  readonly isAssistantSpeaking: () => boolean;
  readonly onFarEnd: (farEnd: RemoteParty) => void;
}

/** Listens to a line for who has answered, and passes all it hears on to a recording. */
export class AmdMonitor implements AudioTap {
  private readonly detector: AnsweringMachineDetector;
  private isPaused = false;

  /** @param recording hears all that this does */
  constructor(
    sampleRateHz: number,
    private readonly recording: AudioTap | null,
    private readonly host: AmdMonitorHost,
  ) {
    this.detector = new AnsweringMachineDetector(sampleRateHz);
  }

  /** Whether it is a machine that has beeped, and records. */
  get isRecordingUs(): boolean {
    return this.detector.hasBeeped;
  }

  customer(frame: Int16Array): void {
    this.recording?.customer(frame);
    if (!this.isPaused) this.report(this.detector.hear(frame, this.host.isAssistantSpeaking()));
  }

  assistant(frame: Int16Array, skipped: number): void {
    this.recording?.assistant(frame, skipped);
  }

  /** While the far end has the call on hold, its music says nothing of who has answered. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
  }

  /** @param areFinal false for words that are still being spoken */
  words(text: string, areFinal: boolean): void {
    this.report(this.detector.words(text, areFinal));
  }

  private report(farEnd: RemoteParty | null): void {
    if (farEnd !== null) this.host.onFarEnd(farEnd);
  }
}
