import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueBackend } from '../backend/queue-backend.js';

/** Readiness and metrics wait for it. */
const PING_MS = 800;

/** Whether the queue answers. */
export class QueueHealthService {
  private asked: Promise<boolean> | null = null;

  constructor(private readonly backend: QueueBackend) {}

  /** Never fails, and takes less than a second; one question is under way at a time. */
  async isUp(): Promise<boolean> {
    this.asked ??= this.ping().finally(() => {
      this.asked = null;
    });
    return Promise.race([this.asked, sleep(PING_MS, false, { ref: false })]);
  }

  get connectionCounts(): ReturnType<QueueBackend['connectionCounts']> {
    return this.backend.connectionCounts();
  }

  private async ping(): Promise<boolean> {
    try {
      await this.backend.ping();
      return true;
    } catch {
      return false;
    }
  }
}
