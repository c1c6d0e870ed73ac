/** Runs a piece of work once at a time. Who asks while it runs waits for another run, since that one may know less. */
export class OneAtATime {
  private running: Promise<void> | null = null;
  private isWanted = false;

  /** @param work says whether it is to be run again at once */
  run(work: () => Promise<boolean>): Promise<void> {
    this.isWanted = true;
    this.running ??= this.repeat(work);
    return this.running;
  }

  private async repeat(work: () => Promise<boolean>): Promise<void> {
    try {
      while (this.isWanted) {
        this.isWanted = false;
        if (await work()) this.isWanted = true;
      }
    } finally {
      this.running = null;
    }
  }
}
