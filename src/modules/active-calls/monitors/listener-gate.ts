import type { MonitoringNotice } from '../../../runtime/call/takeovers/monitoring-notice.js';

type Notice = Pick<MonitoringNotice, 'announce'>;

/** Keeps people from hearing a call before its customer was notified. */
export class ListenerGate {
  private notice: Notice | null = null;
  private isExpected = false;
  private isOver = false;
  private waiting: (() => void)[] = [];

  /** An assistant is going to talk on the call, and may have to notify the customer. */
  expect(): void {
    this.isExpected = true;
  }

  /** @param notice of the assistant that talks; null: nothing is announced */
  use(notice: Notice | null): void {
    this.notice = notice;
    this.isExpected = false;
    this.wake();
  }

  close(): void {
    this.isOver = true;
    this.wake();
  }

  /**
   * Has the customer notified.
   *
   * @returns whether the call may be heard; false when it is over
   * @throws the error by which the customer could not be notified
   */
  async pass(hasListeners: () => boolean): Promise<boolean> {
    while (this.isExpected && !this.isOver) await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.isOver) return false;
    return this.notice ? this.notice.announce(hasListeners) : true;
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
