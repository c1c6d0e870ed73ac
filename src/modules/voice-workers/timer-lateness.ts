const SAMPLE_MS = 100;
const SECOND_MS = 1_000;

/** Measures, second by second, how late the timers of this process are, which is how late the sound of its calls is sent. */
export class TimerLateness {
  private timer: NodeJS.Timeout | undefined;
  private lastMs = 0;
  private sumMs = 0;
  private samples = 0;
  private secondStartedMs = 0;
  private meanMs = 0;

  /**
   * @param onSecond hears the average of each second, in milliseconds; a pause of several seconds is one of them
   * @param nowMs a time that never goes back
   */
  constructor(
    private readonly onSecond: (latenessMs: number) => void,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Of the last whole second, in milliseconds. */
  get lastSecondMs(): number {
    return this.meanMs;
  }

  start(): void {
    this.lastMs = this.secondStartedMs = this.nowMs();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const nowMs = this.nowMs();
    this.sumMs += Math.max(nowMs - this.lastMs - SAMPLE_MS, 0);
    this.samples++;
    this.lastMs = nowMs;
    if (nowMs - this.secondStartedMs < SECOND_MS) return;
    this.meanMs = this.sumMs / this.samples;
    this.sumMs = this.samples = 0;
    this.secondStartedMs = nowMs;
    this.onSecond(this.meanMs);
  }
}
