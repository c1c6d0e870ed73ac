/** Whether the assistant says, thinks or does something. */
export class TalkActivity {
  private deeds = 0;
  private tools = 0;
  private wasBusy = false;

  /**
   * @param isSounding whether the engine thinks or speaks, or sound of the assistant is on the line
   * @param onChange told when it begins and when it ends, not in between
   */
  constructor(
    private readonly isSounding: () => boolean,
    private readonly onChange: (isBusy: boolean) => void,
  ) {}

  get runsTools(): boolean {
    return this.tools > 0;
  }

  get isBusy(): boolean {
    return this.deeds > 0 || this.tools > 0 || this.isSounding();
  }

  async during<Result>(deed: () => Promise<Result>): Promise<Result> {
    this.deeds++;
    this.update();
    try {
      return await deed();
    } finally {
      this.deeds--;
      this.update();
    }
  }

  toolBegan(): void {
    this.tools++;
    this.update();
  }

  toolEnded(): void {
    this.tools--;
    this.update();
  }

  /** To be called whenever what `isSounding` answers may have changed. */
  update(): void {
    const { isBusy } = this;
    if (isBusy === this.wasBusy) return;
    this.wasBusy = isBusy;
    this.onChange(isBusy);
  }
}
