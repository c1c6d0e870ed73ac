/** How long a customer waits for an answer before a filler is said. */
const FILLER_MS = 350;
/** How long a customer waits for "one moment", which is repeated after each of these. */
const PATIENCE_MS = 3_500;
/** After this, no answer will come. Tools have limits of their own, and are waited for. */
const GIVE_UP_MS = 30_000;
const STEP_MS = 50;

export interface ResponseDelayTimerHost {
  /** Neither side is heard, and the customer listens. */
  isSilent(): boolean;
  /** The customer speaks, or the assistant does, or the call is on hold. A filler is no answer. */
  isHeldUp(): boolean;
  isWaitingForTool(): boolean;
  sayFiller(customerWords: string): void;
  sayOneMoment(): void;
  onTimeout(): void;
}

/** Measures how long a customer has waited for an answer, and says when a phrase must bridge the pause. */
export class ResponseDelayTimer {
  private timer: NodeJS.Timeout | null = null;
  private silentMs = 0;
  private waitedMs = 0;
  private sinceMomentMs = 0;
  private words: string | null = null;

  constructor(private readonly host: ResponseDelayTimerHost) {}

  /** The customer has finished; the words choose the filler. */
  customerFinished(words: string): void {
    this.words = words;
  }

  /** An answer is due. */
  begin(): void {
    if (this.timer) return;
    this.timer = setInterval(() => this.step(), STEP_MS);
  }

  /** It has come, or is due no more. */
  end(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.silentMs = 0;
    this.sinceMomentMs = 0;
    this.waitedMs = 0;
    this.words = null;
  }

  private step(): void {
    this.waitedMs = this.host.isHeldUp() ? 0 : this.waitedMs + STEP_MS;
    if (!this.host.isSilent()) {
      this.silentMs = 0;
      this.sinceMomentMs = 0;
      return;
    }
    this.silentMs += STEP_MS;
    this.sinceMomentMs += STEP_MS;
    if (this.words !== null && this.silentMs >= FILLER_MS) {
      this.host.sayFiller(this.words);
      this.words = null;
    }
    if (this.sinceMomentMs >= PATIENCE_MS) {
      this.sinceMomentMs = 0;
      this.host.sayOneMoment();
    }
    if (this.waitedMs >= GIVE_UP_MS && !this.host.isWaitingForTool()) {
      this.end();
      this.host.onTimeout();
    }
  }
}
