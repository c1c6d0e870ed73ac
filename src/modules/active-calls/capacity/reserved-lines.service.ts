import { Injectable } from '@nestjs/common';
import { CallsConfig } from '../../../config/config.js';
import type { Tx } from '../../../database/transactions.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { StoredCall } from '../../calls/call-facts.js';
import { ParallelCallsLimitError } from '../../calls/calls.errors.js';
import { ConcurrencySlotsRepository } from '../concurrency-slots.repository.js';
import { LINE_RESERVED_SECONDS } from '../line-conditions.js';
import { ReservedLinesRepository } from './reserved-lines.repository.js';
import { VisitorLinesService } from './visitor-lines.service.js';

/** Lines that opened web calls reserve until their browser connects. */
@Injectable()
export class ReservedLinesService {
  constructor(
    private readonly reserved: ReservedLinesRepository,
    private readonly lines: ConcurrencySlotsRepository,
    private readonly visitors: VisitorLinesService,
    private readonly accounts: AccountsService,
    private readonly config: CallsConfig,
  ) {}

  /** The call, which has just taken a line, loses it unless {@link keep} is called in time. */
  reserve(callId: number, tx: Tx): Promise<void> {
    return this.reserved.reserve(callId, LINE_RESERVED_SECONDS, tx);
  }

  /** Reserves the line for the whole time again, for a browser that learns of its call only now. */
  extend(callId: number, tx: Tx): Promise<void> {
    return this.reserved.extend(callId, LINE_RESERVED_SECONDS, tx);
  }

  /**
   * Keeps the line of a call whose browser has connected. Where the reservation is over, takes a free line again.
   *
   * @param processId the voice process that the browser has connected to
   * @returns whether the call had kept its line until now
   * @throws ParallelCallsLimitError | VisitorCallsLimitError when no line is free
   */
  async keep(
    { id: callId, userId }: Pick<StoredCall, 'id' | 'userId'>,
    processId: string,
    tx: Tx,
  ): Promise<boolean> {
    if (await this.reserved.keep(callId, processId, tx)) return true;
    const { maxCallsInParallel } = await this.accounts.lockLimits(userId, tx);
    if ((await this.lines.countOf(userId, tx)) >= maxCallsInParallel)
      throw new ParallelCallsLimitError('plan', maxCallsInParallel);
    if (await this.reserved.isByVisitor(callId, tx)) {
      const ofAccount = await this.visitors.shortageOfAccount(userId, maxCallsInParallel, tx);
      const shortage = ofAccount ?? (await this.visitors.shortageOfPlatform(tx));
      if (shortage) throw shortage;
    }
    const { maxInParallel, visitorShare } = this.config;
    const hasRoom = await this.reserved.hasRoom(callId, processId, visitorShare, tx);
    const [line] = hasRoom ? await this.lines.take(1, maxInParallel, tx) : [];
    if (line === undefined) throw new ParallelCallsLimitError('platform', maxInParallel);
    await this.reserved.takeAgain(callId, line, tx);
    return false;
  }
}
