import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

/** An account as its operator sees it. */
export interface ListedAccount {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly plan: string;
  readonly country: string;
  readonly timezone: string;
  readonly balanceMicros: number;
  readonly hasPassword: boolean;
  readonly createdAt: Date;
}

/** What a plan allows. */
export interface OwnLimits {
  readonly maxTools: number;
  readonly maxApiKeys: number;
  readonly maxCampaigns: number;
  readonly maxCallsInParallel: number;
  readonly maxKnowledgebases: number;
  readonly maxMembers: number;
  readonly maxSipTrunks: number;
  /** 0: as the installation says for all accounts. */
  readonly maxCallsPerSecond: number;
}

const LISTED = `
  SELECT users.id, users.email, users.name, plans.code AS plan, users.default_country AS country, users.timezone,
    coalesce(wallets.balance_micros, 0)::float8 AS "balanceMicros", users.password_hash IS NOT NULL AS "hasPassword",
    users.created_at AS "createdAt"
  FROM users JOIN plans ON plans.id = users.plan_id LEFT JOIN wallets ON wallets.user_id = users.id`;

/** Every account of the installation, for its operator alone: no request of the API reads here. */
@Injectable()
export class AccountDirectoryRepository {
  constructor(private readonly database: Database) {}

  /** By id, after the one that is given. */
  list(afterId: number, limit: number): Promise<ListedAccount[]> {
    return this.database.query(`${LISTED} WHERE users.id > $1 ORDER BY users.id LIMIT $2`, [afterId, limit]);
  }

  find(email: string): Promise<ListedAccount | null> {
    return this.database.first<ListedAccount>(`${LISTED} WHERE users.email = lower($1)`, [email]);
  }

  planCodes(): Promise<string[]> {
    return this.database.values<string>("SELECT code FROM plans WHERE code NOT LIKE 'own-%' ORDER BY id");
  }

  /** Gives an account a plan of its own, made of the one it has and the limits that are given. */
  async setOwnLimits(userId: number, limits: Partial<OwnLimits>, tx: Tx): Promise<void> {
    await this.database.query(
      `WITH own AS (
         INSERT INTO plans (code, name, max_tools, max_api_keys, max_campaigns, max_calls_in_parallel, max_knowledgebases, max_members,
           max_calls_per_second, max_sip_trunks)
         SELECT 'own-' || users.id, 'Own', coalesce($2, max_tools), coalesce($3, max_api_keys), coalesce($4, max_campaigns),
           coalesce($5, max_calls_in_parallel), coalesce($6, max_knowledgebases), coalesce($7, max_members),
           nullif(coalesce($8, max_calls_per_second), 0), coalesce($9, max_sip_trunks)
         FROM users JOIN plans ON plans.id = users.plan_id WHERE users.id = $1
         ON CONFLICT (code) DO UPDATE SET (max_tools, max_api_keys, max_campaigns, max_calls_in_parallel, max_knowledgebases, max_members,
           max_calls_per_second, max_sip_trunks) =
           (excluded.max_tools, excluded.max_api_keys, excluded.max_campaigns, excluded.max_calls_in_parallel,
            excluded.max_knowledgebases, excluded.max_members, excluded.max_calls_per_second,
            excluded.max_sip_trunks)
         RETURNING id)
       UPDATE users SET plan_id = own.id FROM own WHERE users.id = $1`,
      [
        userId,
        limits.maxTools ?? null,
        limits.maxApiKeys ?? null,
        limits.maxCampaigns ?? null,
        limits.maxCallsInParallel ?? null,
        limits.maxKnowledgebases ?? null,
        limits.maxMembers ?? null,
        limits.maxCallsPerSecond ?? null,
        limits.maxSipTrunks ?? null,
      ],
      tx,
    );
  }
}
