import { Injectable } from '@nestjs/common';
import { CallsConfig } from '../../../config/config.js';
import type { Tx } from '../../../database/transactions.js';
import { VisitorCallsLimitError } from '../../calls/calls.errors.js';
import { ConcurrencySlotsRepository } from '../concurrency-slots.repository.js';

/** The share of the lines that visitors' calls from browsers may take. The rest stays free for the owners' own calls. */
@Injectable()
export class VisitorLinesService {
  constructor(
    private readonly lines: ConcurrencySlotsRepository,
    private readonly config: CallsConfig,
  ) {}

  /** Why visitors get no more of the account's lines; null when they do. The account's limits are locked. */
  async shortageOfAccount(
    userId: number,
    maxCallsInParallel: number,
    tx: Tx,
  ): Promise<VisitorCallsLimitError | null> {
    const taken = await this.lines.countOfVisitors(userId, tx);
    return taken < this.shareOf(maxCallsInParallel) ? null : new VisitorCallsLimitError();
  }

  /** The same of the installation's lines. Other visitors' calls wait from here on until the transaction ends. */
  async shortageOfPlatform(tx: Tx): Promise<VisitorCallsLimitError | null> {
    await this.lines.lockVisitors(tx);
    const taken = await this.lines.countOfVisitors(null, tx);
    return taken < this.shareOf(this.config.maxInParallel) ? null : new VisitorCallsLimitError();
  }

  private shareOf(lines: number): number {
    return Math.max(1, Math.floor(lines * this.config.visitorShare));
  }
}
