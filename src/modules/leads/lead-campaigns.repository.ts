import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

/** A campaign as its leads know it. */
export interface LeadCampaign {
  readonly id: number;
  readonly name: string;
  readonly assistantId: number | null;
}

/**
 * What leads read of campaigns. The campaigns module stands above this one and asks it about leads, so it cannot be
 * asked back; its table is only read here, for the name beside each lead and for whether a campaign is the caller's.
 */
@Injectable()
export class LeadCampaignsRepository {
  constructor(private readonly database: Database) {}

  async find(userId: number, id: number, tx?: Tx): Promise<LeadCampaign | null> {
    const [campaign] = await this.findMany(userId, [id], tx);
    return campaign ?? null;
  }

  findMany(userId: number, ids: readonly number[], tx?: Tx): Promise<LeadCampaign[]> {
    return this.database.query<LeadCampaign>(
      'SELECT id, name, assistant_id AS "assistantId" FROM campaigns WHERE user_id = $1 AND id = ANY($2::int[])',
      [userId, ids],
      tx,
    );
  }
}
