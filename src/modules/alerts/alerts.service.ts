import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { limitReachedPayload, type ReachedLimit } from './limit-reached-payload.js';
import { AlertEmailsService } from './alert-emails.service.js';
import { type AlertRow, AlertsRepository } from './alerts.repository.js';

const KEPT_DAYS = 90;
const MAX_REMEMBERED = 10_000;

interface WrittenAlert {
  readonly hasEvent: boolean;
  readonly emailIds: readonly string[];
  readonly dayLeftMs: number;
}

/** Reports limits that refuse visitors to the owners: in a list, by an event and by e-mail. */
@Injectable()
export class AlertsService {
  /**
   * The limits that this process knows to be reported today, so that a flood of refusals does not query the database
   * each time. The database's clock decides what today is: a clock that is ahead would mistake yesterday's reports
   * for today's.
   */
  private readonly reported = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  constructor(
    private readonly alerts: AlertsRepository,
    private readonly webhooks: WebhooksService,
    private readonly emails: AlertEmailsService,
    private readonly transactions: Transactions,
  ) {}

  /** Reports a limit once a UTC day, independent of the numbers of refusals and of processes. */
  async report(reached: ReachedLimit): Promise<void> {
    const key = keyOf(reached);
    if (this.reported.has(key)) return;
    const { hasEvent, emailIds, dayLeftMs } = await this.transactions.run((tx) => this.write(reached, tx));
    this.reported.set(key, true, { ttl: dayLeftMs });
    if (hasEvent) this.webhooks.wake();
    this.emails.wake(emailIds);
  }

  page(userId: number, page: PageRequest): Promise<PageOf<AlertRow>> {
    return this.alerts.page(userId, page);
  }

  sweep(): Promise<void> {
    return this.alerts.removeOlderThan(KEPT_DAYS);
  }

  private async write(reached: ReachedLimit, tx: Tx): Promise<WrittenAlert> {
    const { userId, limit, value, assistant, isOfAccount, resetsInSeconds, webhookUrl } = reached;
    const { alert, dayLeftMs } = await this.alerts.add(
      { userId, limitName: limit, assistantId: isOfAccount ? 0 : assistant.id, value, resetsInSeconds },
      tx,
    );
    if (!alert) return { hasEvent: false, emailIds: [], dayLeftMs };
    const emailIds = await this.emails.enqueue(alert, reached, tx);
    const subjectId = String(alert.id);
    const payload = limitReachedPayload(alert, reached);
    const isWanted = await this.webhooks.publish(
      { userId, kind: 'limit.reached', subjectId, data: payload },
      tx,
    );
    if (webhookUrl === null) return { hasEvent: isWanted, emailIds, dayLeftMs };
    await this.webhooks.enqueue(
      { userId, kind: 'limit-reached', assistantId: assistant.id, subjectId, url: webhookUrl, payload },
      tx,
    );
    return { hasEvent: true, emailIds, dayLeftMs };
  }
}

function keyOf({ userId, limit, assistant, isOfAccount }: ReachedLimit): string {
  return `${limit} ${isOfAccount ? `account ${userId}` : `assistant ${assistant.id}`}`;
}
