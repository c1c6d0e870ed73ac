import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { LimitsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { AlertsService } from '../alerts/alerts.service.js';
import type { VisitorPolicy } from '../assistants/settings/visitor-policy.js';
import { VisitorLimitError } from '../billing/billing.errors.js';
import { dollarsOf, microsOf } from '../billing/money.js';
import { SPEND_LIMITS, type VisitorBudget } from '../billing/spend/visitor-budget.js';
import { VisitorOpeningsRepository } from './visitor-openings.repository.js';
import type { Visitor } from './visitor.js';
import { OriginNotAllowedError } from './visitors.errors.js';

/** Holds visitors, who know an assistant's uuid and need no token, to what its owner allows. */
@Injectable()
export class VisitorsService {
  constructor(
    private readonly openings: VisitorOpeningsRepository,
    private readonly alerts: AlertsService,
    private readonly metrics: MetricsService,
    private readonly config: LimitsConfig,
    private readonly logger: Logger,
  ) {}

  /** @throws OriginNotAllowedError where the assistant names origins and the request comes from no page of theirs */
  checkOrigin(policy: VisitorPolicy, visitor: Visitor): void {
    if (policy.allowedOrigins.length === 0) return;
    const isAllowed = this.admits(policy, visitor);
    visitor.showAnswerTo(isAllowed ? visitor.origin : null);
    if (!isAllowed) throw new OriginNotAllowedError();
  }

  /** Whether {@link checkOrigin} lets a visitor pass. */
  admits({ allowedOrigins }: VisitorPolicy, { origin }: Visitor): boolean {
    return allowedOrigins.length === 0 || (origin !== null && allowedOrigins.includes(origin));
  }

  /**
   * Counts a conversation that is opened in the transaction, which must not be committed after an error.
   *
   * @throws VisitorLimitError
   */
  async countOpening(policy: VisitorPolicy, { address }: Visitor, tx: Tx): Promise<void> {
    if (!this.config.enabled) return;
    const defaults = this.config.visitors;
    const quotas = {
      perHour: policy.conversationsPerHour ?? defaults.conversationsPerHour,
      perAddressPerHour: policy.conversationsPerAddressPerHour ?? defaults.conversationsPerAddressPerHour,
    };
    const counted = await this.openings.count(policy.assistantId, hashOf(policy, address), quotas, tx);
    const { isWithinAddressQuota, isWithinQuota, secondsToNextHour } = counted;
    if (!isWithinAddressQuota) {
      throw new VisitorLimitError(
        'conversations_per_address_per_hour',
        quotas.perAddressPerHour,
        secondsToNextHour,
      );
    }
    if (!isWithinQuota) {
      throw new VisitorLimitError('conversations_per_hour', quotas.perHour, secondsToNextHour);
    }
  }

  /** What visitors of the assistant may use up. */
  budgetOf({ assistantId, messagesPerHour, dailySpend }: VisitorPolicy): VisitorBudget {
    const defaults = this.config.visitors;
    return {
      assistantId,
      messagesPerHour: messagesPerHour ?? defaults.messagesPerHour,
      dailySpendMicros: dailySpend === null ? defaults.dailySpendPerAssistantMicros : microsOf(dailySpend),
    };
  }

  /** Runs a visitor's request; where a limit refuses it, the owner is notified. */
  async watch<T>(policy: VisitorPolicy, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof VisitorLimitError) await this.reportLimit(policy, error);
      throw error;
    }
  }

  /** Never fails: the visitor is refused in any case, and the next refusal tells it again. */
  private async reportLimit(
    policy: VisitorPolicy,
    { limit, value, retryAfterSeconds }: VisitorLimitError,
  ): Promise<void> {
    this.metrics.countVisitorRefusal(limit);
    const { userId, assistantId: id, assistantUuid: uuid, assistantName: name, alertUrl } = policy;
    try {
      await this.alerts.report({
        userId,
        limit,
        value: SPEND_LIMITS.includes(limit) ? dollarsOf(value) : value,
        assistant: { id, uuid, name },
        isOfAccount: limit === 'daily_spend_per_account',
        resetsInSeconds: retryAfterSeconds,
        webhookUrl: alertUrl,
      });
    } catch (error) {
      this.logger.error('owner not notified of a limit', { err: error, limit });
    }
  }
}

/** No address is stored: the hash is of one assistant, and is deleted after the hour. */
function hashOf({ assistantUuid }: VisitorPolicy, address: string): string {
  return createHash('sha256').update(`${assistantUuid} ${address}`).digest('base64url');
}
