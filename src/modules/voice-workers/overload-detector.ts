/** Timers that are so late on average leave gaps in the sound of calls: three frames. */
const LATE_MS = 60;
/** Below this the process keeps up again. */
const IN_TIME_MS = 30;
/** For so many seconds in a row; a single pause, as when a model is loaded, is no overload. */
const LATE_SECONDS = 5;
const IN_TIME_SECONDS = 10;

/** Decides by how late the timers of a process are whether it keeps up with the sound of its calls. */
export class OverloadDetector {
  private overloaded = false;
  private seconds = 0;

  get isOverloaded(): boolean {
    return this.overloaded;
  }

  /**
   * @param latenessMs how late timers were in the last second, on average
   * @returns whether the decision has changed
   */
  observe(latenessMs: number): boolean {
    const contradicts = this.overloaded ? latenessMs < IN_TIME_MS : latenessMs >= LATE_MS;
    this.seconds = contradicts ? this.seconds + 1 : 0;
    if (this.seconds < (this.overloaded ? IN_TIME_SECONDS : LATE_SECONDS)) return false;
    this.overloaded = !this.overloaded;
    this.seconds = 0;
    return true;
  }
}
