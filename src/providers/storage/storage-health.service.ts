import { Injectable } from '@nestjs/common';
import { BoundedQuestion } from '../../common/concurrency/bounded-question.js';
import { FileStorage } from './file-storage.js';

/** Readiness and metrics wait for it. */
const CHECK_MS = 800;
/** Balancers ask for readiness each second, and each question to a bucket costs money. */
const KNOWN_MS = 10_000;

/** Whether the storage of files answers. */
@Injectable()
export class StorageHealthService {
  private readonly answers = new BoundedQuestion(() => this.check(), CHECK_MS, false);
  private known = { isUp: true, atMs: Number.NEGATIVE_INFINITY };

  constructor(private readonly storage: FileStorage) {}

  /** Never fails, and takes less than a second. */
  async isUp(): Promise<boolean> {
    return performance.now() - this.known.atMs < KNOWN_MS ? this.known.isUp : this.answers.ask();
  }

  private async check(): Promise<boolean> {
    const isUp = await this.storage.check().then(
      () => true,
      () => false,
    );
    this.known = { isUp, atMs: performance.now() };
    return isUp;
  }
}
