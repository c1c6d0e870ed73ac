import { Injectable } from '@nestjs/common';
import type { DatabaseUnavailableError } from './outages/database-unavailable.error.js';

/** Sweeps write more often than this: while the disk is full it stays known. */
const KNOWN_FOR_MS = 10_000;

/** What was seen of the database lately that a ping does not show: it answers, and lacks disk, memory or connections. */
@Injectable()
export class DatabaseHealthService {
  private lackedAtMs = Number.NEGATIVE_INFINITY;

  see({ outage }: DatabaseUnavailableError): void {
    if (outage === 'resources') this.lackedAtMs = performance.now();
  }

  get lacksResources(): boolean {
    return performance.now() - this.lackedAtMs < KNOWN_FOR_MS;
  }
}
