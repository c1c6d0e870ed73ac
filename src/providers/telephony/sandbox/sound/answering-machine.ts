import { SANDBOX_TIMES } from '../sandbox-times.js';
import { RemoteParty, type RemotePartySetup } from './remote-party.js';
import { beep } from './line-sounds.js';

/** From the answer to the first word, and from the last one to the beep. */
const PAUSE_MS = 500;

/** Says its greeting, beeps, and records until the recording is full. */
export class AnsweringMachine extends RemoteParty {
  private isRecording = false;

  constructor(setup: RemotePartySetup, greeting: string | null) {
    super(setup);
    this.pause(PAUSE_MS);
    if (greeting === null) this.beep();
    else this.say(greeting, () => this.beep());
  }

  protected live(): void {
    if (this.isRecording || this.isSounding) return;
    this.isRecording = true;
    this.after(SANDBOX_TIMES.recordsMs, () => this.setup.onHangUp());
  }

  private beep(): void {
    this.pause(PAUSE_MS);
    this.play(beep(this.setup.sampleRateHz));
  }
}
