import { BoundedQuestion } from '../../common/concurrency/bounded-question.js';
import type { QueueBackend } from '../backend/queue-backend.js';

/** Readiness and metrics wait for it. */
const PING_MS = 800;

/** Whether the queue answers. */
export class QueueHealthService {
  private readonly answers: BoundedQuestion<boolean>;

  constructor(private readonly backend: QueueBackend) {
    this.answers = new BoundedQuestion(() => backend.ping().then(() => true), PING_MS, false);
  }

  /** Never fails, and takes less than a second. */
  isUp(): Promise<boolean> {
    return this.answers.ask();
  }

  get connectionCounts(): ReturnType<QueueBackend['connectionCounts']> {
    return this.backend.connectionCounts();
  }
}
