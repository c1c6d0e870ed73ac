import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CountSettlement } from '../../../database/count-settlement.js';
import { Transactions } from '../../../database/transactions.js';
import { CallCountsRepository } from './call-counts.repository.js';

/** Keeps the numbers of calls that lists show. */
@Injectable()
export class CallCountsService extends CountSettlement {
  constructor(
    protected readonly counts: CallCountsRepository,
    transactions: Transactions,
    logger: Logger,
  ) {
    super(transactions, logger);
  }
}
