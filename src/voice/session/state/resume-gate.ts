/** Lets speech wait while the remote party has the call on hold. */
export class ResumeGate {
  private resumed: Promise<void> = Promise.resolve();
  private release: (() => void) | null = null;

  /** @param signal fires at the end of the call, which ends all waiting */
  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.open(), { once: true });
  }

  close(): void {
    if (this.release) return;
    this.resumed = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  open(): void {
    this.release?.();
    this.release = null;
  }

  /** Returns at once while the gate is open; otherwise when the remote party resumes the call, or it ends. */
  wait(): Promise<void> {
    return this.resumed;
  }
}
