import { Injectable } from '@nestjs/common';
import { Database, isForeignKeyViolation } from '../../database/database.js';
import { deleteOne, findLocked } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { CampaignPhoneNumber } from './campaign-phone-number.entity.js';
import type { CampaignStatus } from './campaign-status.js';
import { Campaign } from './campaign.entity.js';

/** What a user sets; the rest of a campaign is its life. */
export type CampaignSettings = Omit<Campaign, 'id' | 'userId' | 'status' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class CampaignsRepository {
  constructor(private readonly database: Database) {}

  async namesOf(userId: number, ids: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.database.query<{ id: number; name: string }>(
      'SELECT id, name FROM campaigns WHERE user_id = $1 AND id = ANY($2::int[])',
      [userId, ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The newest ones first. */
  listOf(userId: number, limit: number): Promise<Campaign[]> {
    return this.database.manager().find(Campaign, { where: { userId }, order: { id: 'DESC' }, take: limit });
  }

  async running(userId: number): Promise<number[]> {
    const campaigns = await this.database.manager().find(Campaign, {
      select: { id: true },
      where: { userId, status: 'in-progress' },
      order: { id: 'ASC' },
    });
    return campaigns.map(({ id }) => id);
  }

  find(userId: number, id: number, tx?: Tx): Promise<Campaign | null> {
    return this.database.manager(tx).findOneBy(Campaign, { userId, id });
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<Campaign | null> {
    return this.database
      .manager(tx)
      .findOne(Campaign, { where: { userId, id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Waits for the leads that are being added, and lets no others in until the transaction ends. */
  findClosedToLeads(userId: number, id: number, tx: Tx): Promise<Campaign | null> {
    return findLocked(this.database.manager(tx), Campaign, { userId, id });
  }

  countOf(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(Campaign, { userId });
  }

  /** Null when the assistant was deleted in the meantime. */
  add(userId: number, settings: CampaignSettings, tx: Tx): Promise<Campaign | null> {
    const manager = this.database.manager(tx);
    return nullWithoutAssistant(manager.save(manager.create(Campaign, { userId, ...settings })));
  }

  /** Null when the assistant was deleted in the meantime. */
  save(campaign: Campaign, tx: Tx): Promise<Campaign | null> {
    return nullWithoutAssistant(this.database.manager(tx).save(campaign));
  }

  /** The one write of a status: it succeeds only from the status the caller has seen. Null when that has changed. */
  async moveStatus(
    { userId, id, status: from }: Campaign,
    to: CampaignStatus,
    tx: Tx,
  ): Promise<Campaign | null> {
    const rows = await this.database.query(
      `UPDATE campaigns SET status = $4, updated_at = now()
       WHERE user_id = $1 AND id = $2 AND status = $3 RETURNING id`,
      [userId, id, from, to],
      tx,
    );
    return rows.length > 0 ? this.database.manager(tx).findOneBy(Campaign, { userId, id }) : null;
  }

  delete(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), Campaign, { userId, id });
  }

  /** Ids of the numbers of each campaign, in the order of the rotation. */
  async phoneNumberIdsOf(
    userId: number,
    campaignIds: readonly number[],
    tx?: Tx,
  ): Promise<Map<number, number[]>> {
    const rows = await this.database.query<{ campaign_id: number; ids: number[] }>(
      `SELECT campaign_id, array_agg(phone_number_id ORDER BY position) AS ids FROM campaign_phone_numbers
       WHERE user_id = $1 AND campaign_id = ANY($2::int[]) GROUP BY campaign_id`,
      [userId, campaignIds],
      tx,
    );
    return new Map(rows.map(({ campaign_id: id, ids }) => [id, ids]));
  }

  hasPhoneNumber(userId: number, campaignId: number): Promise<boolean> {
    return this.database.manager().existsBy(CampaignPhoneNumber, { userId, campaignId });
  }

  /** Puts these numbers in place of the campaign's; false when one was released in the meantime. */
  async setPhoneNumbers(
    userId: number,
    campaignId: number,
    phoneNumberIds: readonly number[],
    tx: Tx,
  ): Promise<boolean> {
    const manager = this.database.manager(tx);
    await manager.delete(CampaignPhoneNumber, { userId, campaignId });
    const rows = phoneNumberIds.map((phoneNumberId, position) => ({
      userId,
      campaignId,
      phoneNumberId,
      position,
    }));
    try {
      if (rows.length > 0) await manager.insert(CampaignPhoneNumber, rows);
      return true;
    } catch (error) {
      if (isForeignKeyViolation(error, 'campaign_phone_numbers_number_fkey')) return false;
      throw error;
    }
  }
}

async function nullWithoutAssistant(write: Promise<Campaign>): Promise<Campaign | null> {
  try {
    return await write;
  } catch (error) {
    if (isForeignKeyViolation(error, 'campaigns_assistant_id_fkey')) return null;
    throw error;
  }
}
