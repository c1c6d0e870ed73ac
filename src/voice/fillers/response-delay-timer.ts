/** How long a customer waits for an answer before a filler is said. */
const FILLER_MS = 350;
/** Before somebody is told that it takes a moment; and once more after each of these. */
const PATIENCE_MS = 3_500;
/** Then no answer will come any more. Tools have limits of their own, and are waited for. */
const GIVE_UP_MS = 30_000;
const STEP_MS = 50;

export interface ResponseDelayTimerHost {
  /** Nobody is heard, and an answer is due. */
  isSilent(): boolean;
  /** The customer speaks, or the assistant does, or they are on hold; what is said to bridge a pause is no answer. */
  isHeldUp(): boolean;
  isWaitingForTool(): boolean;
  sayFiller(customerWords: string): void;
  sayOneMoment(): void;
  giveUp(): void;
  /** `isWaiting` has changed. */
  onWaiting(): void;
}

/** Sees to it that a customer who waits for an answer does not hear nothing for long. */
export class ResponseDelayTimer {
  private timer: NodeJS.Timeout | null = null;
  private silentMs = 0;
  private waitedMs = 0;
  private sinceMomentMs = 0;
  private words: string | null = null;

  constructor(private readonly host: ResponseDelayTimerHost) {}

  /** An answer is due. */
  get isWaiting(): boolean {
    return this.timer !== null;
  }

  /** The customer has finished, and an answer is due. */
  customerFinished(words: string): void {
    this.words = words;
  }

  /** An answer is due. */
  begin(): void {
    if (this.timer) return;
    this.timer = setInterval(() => this.step(), STEP_MS);
    this.host.onWaiting();
  }

  /** It has come, or is due no more. */
  end(): void {
    const { timer } = this;
    if (timer) clearInterval(timer);
    this.timer = null;
    this.silentMs = 0;
    this.sinceMomentMs = 0;
    this.waitedMs = 0;
    this.words = null;
    if (timer) this.host.onWaiting();
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
      this.host.giveUp();
    }
  }
}
