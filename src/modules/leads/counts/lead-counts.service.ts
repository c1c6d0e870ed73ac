import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CountSettlement } from '../../../database/count-settlement.js';
import { Transactions } from '../../../database/transactions.js';
import { LeadCountsRepository } from './lead-counts.repository.js';

/** Keeps the numbers of leads that lists show. */
@Injectable()
export class LeadCountsService extends CountSettlement {
  constructor(
    protected readonly counts: LeadCountsRepository,
    transactions: Transactions,
    logger: Logger,
  ) {
    super(transactions, logger);
  }
}
