import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

const POLL_MS = 20;

/**
 * The phases of a process that stops. First it leaves: readiness is down, each answer closes its connection, and no new calls
 * and jobs are taken. Then it closes: event streams end, and running requests finish.
 */
@Injectable()
export class DrainService {
  private inFlight = 0;
  private readonly hasLeft = new AbortController();
  private readonly hasClosed = new AbortController();

  /** Fires when the process leaves. */
  get leaving(): AbortSignal {
    return this.hasLeft.signal;
  }

  /** Fires when the process closes. */
  get closing(): AbortSignal {
    return this.hasClosed.signal;
  }

  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    if (this.leaving.aborted) response.setHeader('Connection', 'close');
    this.inFlight++;
    response.once('close', () => this.inFlight--);
    next();
  };

  leave(): void {
    this.hasLeft.abort();
  }

  /** Waits for the running requests. Returns how many were still running at the end. */
  async close(timeoutMs: number): Promise<number> {
    this.hasClosed.abort();
    const deadline = performance.now() + timeoutMs;
    while (this.inFlight > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return this.inFlight;
  }
}
