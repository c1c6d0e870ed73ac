import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import type { Variables } from './lead.entity.js';

/** A campaign as its leads know it. */
export interface LeadCampaign {
  readonly id: number;
  readonly name: string;
  readonly assistantId: number | null;
}

/** What new leads of a campaign begin with. */
export interface CampaignIntake {
  readonly campaign: LeadCampaign;
  /** Two-letter code for numbers without a country code. */
  readonly country: string;
  /** The assistant's variables. */
  readonly defaults: Variables;
}

/**
 * What leads read of campaigns. The campaigns module imports this one, so it cannot be imported back. Its table is
 * only read here, for the name shown with each lead and for whether a campaign is the caller's.
 */
@Injectable()
export class LeadCampaignsRepository {
  constructor(private readonly database: Database) {}

  async find(userId: number, id: number, tx?: Tx): Promise<LeadCampaign | null> {
    const [campaign] = await this.findMany(userId, [id], tx);
    return campaign ?? null;
  }

  /**
   * A campaign with what new leads of it begin with, in one statement because each new lead asks. From the account it
   * reads the country, and from the assistant the variables.
   */
  async findIntake(userId: number, id: number): Promise<CampaignIntake | null> {
    const [row] = await this.database.readPrepared<LeadCampaign & Omit<CampaignIntake, 'campaign'>>(
      `SELECT campaigns.id, campaigns.name, campaigns.assistant_id AS "assistantId",
         users.default_country AS country, coalesce(assistants.config -> 'variables', '{}') AS defaults
       FROM campaigns JOIN users ON users.id = campaigns.user_id
       LEFT JOIN assistants ON assistants.id = campaigns.assistant_id AND assistants.user_id = campaigns.user_id
       WHERE campaigns.user_id = $1 AND campaigns.id = $2`,
      [userId, id],
    );
    if (!row) return null;
    const { country, defaults, ...campaign } = row;
    return { campaign, country, defaults };
  }

  findMany(userId: number, ids: readonly number[], tx?: Tx): Promise<LeadCampaign[]> {
    return this.database.query<LeadCampaign>(
      'SELECT id, name, assistant_id AS "assistantId" FROM campaigns WHERE user_id = $1 AND id = ANY($2::int[])',
      [userId, ids],
      tx,
    );
  }
}
