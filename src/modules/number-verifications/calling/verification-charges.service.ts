import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CallsConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { HoldExpiredError, isMoneyShortage } from '../../billing/billing.errors.js';
import { BillingService } from '../../billing/billing.service.js';
import { PaymentRequiredError } from '../../phone-numbers/phone-numbers.errors.js';
import type { NumberVerification } from '../number-verification.entity.js';
import { NumberVerificationsRepository } from '../number-verifications.repository.js';
import type { VerificationCallResult } from './verification-call.js';
import { longestPriceMicros, verificationPriceMicros } from './verification-prices.js';

/** The money of calls that prove numbers. */
@Injectable()
export class VerificationChargesService {
  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly config: CallsConfig,
    private readonly logger: Logger,
  ) {}

  /** Ends a verification, and charges its call. */
  async finish(
    { id, holdId }: NumberVerification,
    { failure, answeredSeconds }: VerificationCallResult,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.verifications.end(id, failure, tx);
      if (holdId === null) return;
      const priceMicros = verificationPriceMicros(answeredSeconds, this.config);
      try {
        await this.billing.capturePart(holdId, priceMicros, tx);
      } catch (error) {
        if (!(error instanceof HoldExpiredError)) throw error;
        this.logger.warn('verification call not charged: its hold was gone', { verificationId: id });
      }
    });
  }

  /** Holds the price of the longest call. Returns null where it costs nothing. @throws PaymentRequiredError */
  async hold(userId: number, callKey: string, tx: Tx): Promise<string | null> {
    const amountMicros = longestPriceMicros(this.config);
    if (amountMicros === 0) return null;
    try {
      return await this.billing.hold(
        userId,
        { kind: 'call', amountMicros, reference: `verification:${callKey}` },
        tx,
      );
    } catch (error) {
      throw isMoneyShortage(error) ? new PaymentRequiredError(error) : error;
    }
  }

  async void(holdId: string, tx: Tx): Promise<void> {
    await this.billing.void(holdId, tx);
  }
}
