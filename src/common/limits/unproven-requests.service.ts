import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, Request } from 'express';
import { ConcurrentUse } from './concurrent-use.js';
import { RateLimitsService } from './rate-limits.service.js';
import { addressOf } from './subjects.js';

/**
 * Bounds, for each address, what goes by no middleware or guard and has still to prove that it may: upgrades to WebSockets,
 * and what carriers call back. With RATE_LIMITS=off nothing is bounded.
 */
@Injectable()
export class UnprovenRequestsService {
  private readonly use = new ConcurrentUse();

  constructor(
    private readonly limits: RateLimitsService,
    private readonly http: HttpAdapterHost,
  ) {}

  /**
   * Counts a request as going on at its address.
   *
   * @param kind of requests that are counted together
   * @param most of them at the same time
   * @returns what is to be called when it has been proven or is over; null when there are as many already
   */
  tryEnter(request: IncomingMessage, kind: string, most: number): (() => void) | null {
    if (!this.limits.areOn) return () => undefined;
    return this.use.tryEnter(new Map([[`${kind} ${this.addressOf(request)}`, most]]));
  }

  /** Counts an upgrade as the request of its address that it is. @throws TooManyRequestsError when the quota is spent */
  async count(upgrade: IncomingMessage): Promise<void> {
    if (this.limits.areOn) await this.limits.take('address', this.addressOf(upgrade));
  }

  /** The subject that a request is counted for. Express knows the address, behind proxies the client's as TRUST_PROXY says, of requests that it has made its own. */
  addressOf(request: IncomingMessage): string {
    const { request: ofExpress } = this.http.httpAdapter.getInstance<Express>();
    return addressOf(Object.setPrototypeOf(request, ofExpress) as Request);
  }
}
