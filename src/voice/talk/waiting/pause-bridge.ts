/** How long a customer waits for an answer before a filler is said. */
const FILLER_MS = 350;
/** Before somebody is told that it takes a moment; and once more after each of these. */
const PATIENCE_MS = 3_500;
/** Then no answer will come any more. Tools have limits of their own, and are waited for. */
const GIVE_UP_MS = 30_000;
const STEP_MS = 50;

export interface PauseBridgeHost {
  /** Nobody is heard, and an answer is due. */
  isSilent(): boolean;
  /** The customer speaks, or the assistant does, or they are on hold; what is said to bridge a pause is no answer. */
  isHeldUp(): boolean;
  isWaitingForTool(): boolean;
  sayFiller(customerWords: string): void;
  sayOneMoment(): void;
  giveUp(): void;
}

/** Sees to it that a customer who waits for an answer does not hear nothing for long. */
export class PauseBridge {
  private timer: NodeJS.Timeout | null = null;
  private silentMs = 0;
  private waitedMs = 0;
  private sinceMomentMs = 0;
  private words: string | null = null;

  constructor(private readonly host: PauseBridgeHost) {}

  /** The customer has finished, and an answer is due. */
  customerFinished(words: string): void {
    this.words = words;
  }

  /** An answer is due. */
  begin(): void {
    this.timer ??= setInterval(() => this.step(), STEP_MS);
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
      this.host.giveUp();
    }
  }
}
