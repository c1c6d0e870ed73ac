/** The customer may be about to say something, which is answered with the results. */
const IDLE_MS = 1_000;
const STEP_MS = 250;

export interface LateResultsHost {
  /** Neither side speaks, the model is not asked, and no tool runs. */
  isIdle(): boolean;
  /** Whether there are results that no model has read. */
  areUnread(): boolean;
  /** Asks the model to speak of them. */
  askModel(): void;
}

/**
 * Results of tools whose turn the customer has interrupted: the engine asks no model about them. Where no later turn uses them,
 * the assistant speaks of them by itself, as soon as it is quiet.
 */
export class LateResults {
  private timer: NodeJS.Timeout | null = null;
  private idleMs = 0;

  constructor(private readonly host: LateResultsHost) {}

  /** One has come. */
  watch(): void {
    this.idleMs = 0;
    this.timer ??= setInterval(() => this.look(), STEP_MS);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private look(): void {
    const { host } = this;
    if (!host.areUnread()) return this.stop();
    this.idleMs = host.isIdle() ? this.idleMs + STEP_MS : 0;
    if (this.idleMs < IDLE_MS) return;
    this.stop();
    host.askModel();
  }
}
