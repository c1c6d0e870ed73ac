import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { render, text } from '../../../i18n/catalogue.js';
import { nameError } from '../../errors/error-header.js';

const POLL_MS = 20;

/** Lets running requests finish at shutdown, and turns new ones away. */
@Injectable()
export class DrainService {
  private inFlight = 0;
  private readonly draining = new AbortController();

  get isDraining(): boolean {
    return this.draining.signal.aborted;
  }

  /** Fires when a drain begins: what would go on for long ends then. */
  get signal(): AbortSignal {
    return this.draining.signal;
  }

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    if (this.isDraining && !request.path.startsWith('/health')) {
      response.setHeader('Connection', 'close');
      response.setHeader('Retry-After', '5');
      const reason = text('http.restarting');
      nameError(response, reason);
      response.status(503).json({ message: render(reason, 'pt') });
      return;
    }
    this.inFlight++;
    let counted = true;
    response.once('close', () => {
      if (counted) this.inFlight--;
      counted = false;
    });
    next();
  };

  /** Refuses new requests from now on and waits for the running ones. Returns how many were still running at the end. */
  async begin(timeoutMs: number): Promise<number> {
    this.draining.abort();
    const deadline = performance.now() + timeoutMs;
    while (this.inFlight > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return this.inFlight;
  }
}
