import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Singleflight } from '../../../common/concurrency/singleflight.js';
import { Logger } from '../../../common/observability/logger.js';
import { MembersService } from '../../accounts/members/members.service.js';
import { type RefusedSignIn, RefusedSignInsRepository } from './refused-sign-ins.repository.js';

const SETTLE_AFTER_MS = 200;
/** Beyond that they are left out, and the log of the process says how many. */
const MAX_WAITING = 1_000;
const MAX_AN_HOUR = 20;

/** A refusal whose e-mail may be of no account. */
export interface RefusedEmail extends Omit<RefusedSignIn, 'userId' | 'memberId'> {
  readonly email: string;
}

/**
 * Records refused sign-ins of accounts that exist. The person of an e-mail is looked up after the answer, in the same way
 * for each e-mail: the time of an answer says nothing of it. A process that dies loses those of the last moment. Unlike a
 * change, a refused sign-in has done nothing.
 */
@Injectable()
export class RefusedSignInsService implements BeforeApplicationShutdown {
  private waiting: RefusedEmail[] = [];
  private readonly settling = new Singleflight(() => this.settleWaiting());
  private timer: NodeJS.Timeout | null = null;
  private dropped = 0;

  constructor(
    private readonly entries: RefusedSignInsRepository,
    private readonly members: MembersService,
    private readonly logger: Logger,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.settling.run();
    if (this.timer) clearTimeout(this.timer);
  }

  /** Before the answer. Never fails, and asks the database nothing. */
  add(refused: RefusedEmail): void {
    if (this.waiting.length >= MAX_WAITING) this.dropped += 1;
    else this.waiting.push({ ...refused, email: refused.email.trim().toLowerCase() });
    this.timer ??= setTimeout(() => void this.settling.run(), SETTLE_AFTER_MS).unref();
  }

  /** Writes what this process has refused until now. Never fails. */
  settle(): Promise<void> {
    return this.settling.run();
  }

  private async settleWaiting(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const refused = this.waiting.splice(0);
    if (refused.length === 0) return;
    try {
      const known = await this.withPeople(refused);
      if (known.length > 0) await this.entries.addBounded(known, MAX_AN_HOUR);
      if (this.dropped > 0)
        this.logger.warn('refused sign-ins left out of the audit log', this.countDropped());
    } catch (error) {
      this.dropped += refused.length;
      this.logger.warn('refused sign-ins not written to the audit log', {
        err: error,
        ...this.countDropped(),
      });
    }
  }

  /** Those of an account, each e-mail looked up once. */
  private async withPeople(refused: readonly RefusedEmail[]): Promise<RefusedSignIn[]> {
    const people = new Map<string, Pick<RefusedSignIn, 'userId' | 'memberId'> | null>();
    for (const { email } of refused) {
      if (!people.has(email)) people.set(email, await this.members.findPerson(email));
    }
    return refused.flatMap(({ email, ...refusal }) => {
      const person = people.get(email);
      return person ? [{ ...refusal, ...person }] : [];
    });
  }

  private countDropped(): { readonly dropped: number } {
    const { dropped } = this;
    this.dropped = 0;
    return { dropped };
  }
}
