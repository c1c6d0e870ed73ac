import { Injectable } from '@nestjs/common';
import { Database, isForeignKeyViolation } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { TextKey } from '../../../i18n/catalogue.js';
import { LeadImport, type Refusal } from './lead-import.entity.js';
import { LeadCampaignNotFoundError } from '../leads.errors.js';

/** What a batch adds to the counts. */
export interface BatchResult {
  readonly imported: number;
  readonly refused: number;
  /** Those to be listed. */
  readonly refusals: readonly Refusal[];
}

@Injectable()
export class LeadImportsRepository {
  constructor(private readonly database: Database) {}

  /** @throws LeadCampaignNotFoundError */
  async begin(
    userId: number,
    campaignId: number,
    file: Pick<LeadImport, 'fileName' | 'columns' | 'variables'>,
  ): Promise<LeadImport> {
    const manager = this.database.manager();
    try {
      return await manager.save(manager.create(LeadImport, { userId, campaignId, ...file }));
    } catch (error) {
      throw isForeignKeyViolation(error, 'lead_imports_campaign_fkey')
        ? new LeadCampaignNotFoundError()
        : error;
    }
  }

  find(userId: number, campaignId: number, id: number, tx?: Tx): Promise<LeadImport | null> {
    return this.database.manager(tx).findOneBy(LeadImport, { userId, campaignId, id });
  }

  /** The newest ones first. */
  listOf(userId: number, campaignId: number, limit: number): Promise<LeadImport[]> {
    return this.database
      .manager()
      .find(LeadImport, { where: { userId, campaignId }, order: { id: 'DESC' }, take: limit });
  }

  async count(userId: number, id: number, batch: BatchResult, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE lead_imports SET imported = imported + $3, refused = refused + $4,
         refusals = refusals || $5::jsonb, updated_at = now()
       WHERE user_id = $1 AND id = $2`,
      [userId, id, batch.imported, batch.refused, JSON.stringify(batch.refusals)],
      tx,
    );
  }

  /** Ends an import: as completed, or with what ended it early. */
  async end(userId: number, id: number, failure: TextKey | null, tx?: Tx): Promise<void> {
    await this.database.query(
      `UPDATE lead_imports SET status = CASE WHEN $3::text IS NULL THEN 'completed' ELSE 'failed' END,
         failure = $3, updated_at = now()
       WHERE user_id = $1 AND id = $2 AND status = 'processing'`,
      [userId, id, failure],
      tx,
    );
  }
}
