import { Injectable } from '@nestjs/common';
import { type DailyResource, LimitsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { type DailyUsage, DailyUsageRepository } from './daily-usage.repository.js';

/** An allowance of which too little is left. */
export interface UsedAllowance extends DailyUsage {
  readonly max: number;
}

/**
 * What an account may use in a day (UTC) of work that is free for it. The operator pays for the models, so without an
 * allowance a loop in a script would use up those of the whole installation.
 */
@Injectable()
export class AllowancesService {
  constructor(
    private readonly usage: DailyUsageRepository,
    private readonly limits: LimitsConfig,
  ) {}

  /** Takes from the allowance of the day. Takes nothing and returns the allowance where too little is left. */
  async take(
    userId: number,
    resource: DailyResource,
    amount: number,
    tx?: Tx,
  ): Promise<UsedAllowance | null> {
    const { enabled, perDay } = this.limits;
    const max = perDay[resource];
    if (await this.usage.add(userId, resource, amount, enabled ? max : null, tx)) return null;
    return { max, ...(await this.usage.today(userId, resource, tx)) };
  }

  /** The allowance of the day where nothing of it is left. */
  async findUsedUp(userId: number, resource: DailyResource, tx?: Tx): Promise<UsedAllowance | null> {
    const { enabled, perDay } = this.limits;
    if (!enabled) return null;
    const usage = await this.usage.today(userId, resource, tx);
    const max = perDay[resource];
    return usage.used < max ? null : { max, ...usage };
  }

  /** Counts usage that is known only afterwards, such as tokens. It may exceed the allowance. */
  async note(userId: number, resource: DailyResource, amount: number): Promise<void> {
    if (amount > 0) await this.usage.add(userId, resource, amount, null);
  }

  /** Gives back what was taken for work that was not done. */
  async giveBack(userId: number, resource: DailyResource, amount: number): Promise<void> {
    await this.usage.subtract(userId, resource, amount);
  }
}
