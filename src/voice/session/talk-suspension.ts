/** Whether the far end has the call on hold, and what the assistant owes the customer when it resumes. */
export class TalkSuspension {
  private resumed: Promise<void> = Promise.resolve();
  private release: (() => void) | null = null;
  private isOwed = false;

  /** @param signal fires at the end of the call, which ends all waiting */
  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.end(), { once: true });
  }

  get isOn(): boolean {
    return this.release !== null;
  }

  /** Whether an answer was cut off, or was due, when the hold began. */
  get owesAnswer(): boolean {
    return this.isOwed;
  }

  begin(owesAnswer: boolean): void {
    this.isOwed ||= owesAnswer;
    if (this.release) return;
    this.resumed = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  end(): void {
    this.release?.();
    this.release = null;
  }

  /** The answer is given. */
  settle(): void {
    this.isOwed = false;
  }

  /** Returns at once while the line is open; otherwise when the far end resumes the call, or it ends. */
  wait(): Promise<void> {
    return this.resumed;
  }
}
