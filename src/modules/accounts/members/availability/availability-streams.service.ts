import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import type { Principal } from '#src/common/auth/principal.js';
import { isOfPerson } from '#src/common/auth/scopes.js';
import { Logger } from '#src/common/observability/logger.js';
import { type AccountPerson, AvailabilityRepository } from './availability.repository.js';

/** Several times in the minute after which an availability ends, so that a slow database ends none. */
const RENEW_MS = 10_000;

/**
 * Keeps people available while they have an event stream. Nothing is written when a stream or its process ends: the
 * availability ends by the time of its last renewal.
 */
@Injectable()
export class AvailabilityStreamsService implements OnApplicationShutdown {
  private readonly streams = new Map<Response, AccountPerson>();
  private timer: NodeJS.Timeout | null = null;
  private isRenewing = false;

  constructor(
    private readonly availabilities: AvailabilityRepository,
    private readonly logger: Logger,
  ) {}

  /** Renews the availability of the caller until the answer ends. A stream of an API key is of no person. */
  watch(caller: Principal, response: Response): void {
    if (!isOfPerson(caller) || response.destroyed) return;
    const person = { userId: caller.userId, memberId: caller.memberId ?? null };
    this.streams.set(response, person);
    response.once('close', () => this.streams.delete(response));
    void this.renew([person]);
    this.timer ??= setInterval(() => void this.renewAll(), RENEW_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  private async renewAll(): Promise<void> {
    if (this.isRenewing || this.streams.size === 0) return;
    this.isRenewing = true;
    const people = new Map([...this.streams.values()].map((person) => [JSON.stringify(person), person]));
    await this.renew([...people.values()]);
    this.isRenewing = false;
  }

  private async renew(people: readonly AccountPerson[]): Promise<void> {
    try {
      await this.availabilities.renew(people);
    } catch (err) {
      this.logger.warn('availabilities not renewed', { err });
    }
  }
}
