import type { Database } from '../../database/database.js';
import { AccountDeletionsRepository } from '../../modules/account-data/deletion/account-deletions.repository.js';
import { RestoredCallsRepository } from '../../modules/active-calls/ends/restored-calls.repository.js';
import { AuditLogRepository } from '../../modules/audit/audit-log.repository.js';
import { OperatorLogService } from '../../modules/audit/operator/operator-log.service.js';
import { BillingRepository } from '../../modules/billing/billing.repository.js';
import { RestoredCampaignsRepository } from '../../modules/campaigns/restored-campaigns.repository.js';
import { EmailsRepository } from '../../modules/emails/emails.repository.js';
import { FileCleanupsRepository } from '../../modules/files/file-cleanups.repository.js';
import { NumberVerificationsRepository } from '../../modules/number-verifications/number-verifications.repository.js';
import { CarrierOrdersRepository } from '../../modules/phone-numbers/carrier-numbers/carrier-orders.repository.js';
import { ErasuresRepository } from '../../modules/privacy/erasures.repository.js';
import { WebhookBacklogRepository } from '../../modules/webhooks/delivery/webhook-backlog.repository.js';
import { PluginEventsRepository } from '../../modules/webhooks/plugin-events/plugin-events.repository.js';

/** What waits to act outside, and is dropped only where the operator says so. */
export const DROPPABLE = ['webhooks', 'e-mails', 'file-deletions', 'carrier-orders'] as const;
export type Droppable = (typeof DROPPABLE)[number];

/** What the next start without PROSA_PAUSED would do. */
export interface Waiting {
  readonly runningCampaigns: number;
  readonly leadsBeingDialled: number;
  readonly openCalls: number;
  readonly verificationCalls: number;
  readonly erasures: number;
  readonly accountDeletions: number;
  readonly droppable: Readonly<Record<Droppable, number>>;
}

/** A database that was restored by something else than `npm run restore`, before its first start that acts outside. */
export class RestoredCopy {
  private readonly calls: RestoredCallsRepository;
  private readonly campaigns: RestoredCampaignsRepository;
  private readonly verifications: NumberVerificationsRepository;
  private readonly billing: BillingRepository;
  private readonly erasures: ErasuresRepository;
  private readonly deletions: AccountDeletionsRepository;
  private readonly webhooks: WebhookBacklogRepository;
  private readonly pluginEvents: PluginEventsRepository;
  private readonly emails: EmailsRepository;
  private readonly files: FileCleanupsRepository;
  private readonly orders: CarrierOrdersRepository;
  private readonly log: OperatorLogService;

  constructor(private readonly database: Database) {
    this.calls = new RestoredCallsRepository(database);
    this.campaigns = new RestoredCampaignsRepository(database);
    this.verifications = new NumberVerificationsRepository(database);
    this.billing = new BillingRepository(database);
    this.erasures = new ErasuresRepository(database);
    this.deletions = new AccountDeletionsRepository(database);
    this.webhooks = new WebhookBacklogRepository(database);
    this.pluginEvents = new PluginEventsRepository(database);
    this.emails = new EmailsRepository(database);
    this.files = new FileCleanupsRepository(database);
    this.orders = new CarrierOrdersRepository(database);
    this.log = new OperatorLogService(new AuditLogRepository(database));
  }

  async findWaiting(): Promise<Waiting> {
    const { pending } = await this.webhooks.read();
    return {
      ...(await this.campaigns.count()),
      openCalls: await this.calls.count(),
      verificationCalls: await this.verifications.countOpen(),
      erasures: await this.erasures.countUnderWay(),
      accountDeletions: await this.deletions.countUnderWay(),
      droppable: {
        webhooks: pending + (await this.pluginEvents.countWaiting()),
        'e-mails': await this.emails.countWaiting(),
        'file-deletions': await this.files.count(),
        'carrier-orders': await this.orders.countAll(),
      },
    };
  }

  /**
   * Stops campaigns, ends calls without a charge, and drops what is named. One transaction: a command that is killed has
   * changed nothing, and a second run finds nothing to do.
   *
   * @returns how many calls were ended
   */
  settle(dropped: ReadonlySet<Droppable>): Promise<number> {
    return this.database.run(async (tx) => {
      await this.campaigns.stopAll(tx);
      const ended = await this.calls.end(tx);
      const idsOf = (isDialled: boolean) =>
        ended.filter((call) => call.isDialled === isDialled).map(({ callId }) => callId);
      await this.campaigns.settleDialled(idsOf(true), tx);
      await this.campaigns.withdrawUndialled(idsOf(false), tx);
      for (const holdId of await this.verifications.failOpen(tx)) await this.billing.void(holdId, tx);
      if (dropped.has('webhooks')) {
        await this.webhooks.drop(tx);
        await this.pluginEvents.dropWaiting(tx);
      }
      if (dropped.has('e-mails')) await this.emails.dropWaiting(tx);
      if (dropped.has('file-deletions')) await this.files.drop(tx);
      if (dropped.has('carrier-orders')) await this.orders.dropAll(tx);
      await this.log.record({ userId: null, action: 'after-restore' }, tx);
      return ended.length;
    });
  }
}
