import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FileStorage } from './file-storage.js';

/** Readiness and metrics wait for it. */
const CHECK_MS = 800;
/** Balancers ask for readiness each second, and each question to a bucket costs money. */
const KNOWN_MS = 10_000;

/** Whether the storage of files answers. */
@Injectable()
export class StorageHealthService {
  private checking: Promise<boolean> | null = null;
  private known = { isUp: true, atMs: Number.NEGATIVE_INFINITY };

  constructor(private readonly storage: FileStorage) {}

  /** Never fails, and takes less than a second; one question is under way at a time. */
  async isUp(): Promise<boolean> {
    if (performance.now() - this.known.atMs < KNOWN_MS) return this.known.isUp;
    this.checking ??= this.check().finally(() => {
      this.checking = null;
    });
    return Promise.race([this.checking, sleep(CHECK_MS, false, { ref: false })]);
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
