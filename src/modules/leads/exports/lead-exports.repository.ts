import { Injectable } from '@nestjs/common';
import type { ExportPlace } from '../../../common/csv/bounded-exports.js';
import { Database } from '../../../database/database.js';
import type { Lead } from '../lead.entity.js';
import type { LeadFilter } from '../leads.repository.js';

export type ExportedLead = Pick<
  Lead,
  'id' | 'parentId' | 'phoneNumber' | 'status' | 'variables' | 'createdAt' | 'updatedAt'
> & { readonly place: string };

type CampaignLeads = LeadFilter & { readonly campaignId: number };

const WHERE = `user_id = $1 AND campaign_id = $2 AND ($3::text IS NULL OR status = $3)
  AND ($4::text IS NULL OR strpos(phone_number, $4) > 0)
  AND ($5::timestamptz IS NULL OR created_at >= $5) AND ($6::timestamptz IS NULL OR created_at < $6)`;

/** Reads the leads of a campaign to the end, in the order of its index. */
@Injectable()
export class LeadExportsRepository {
  constructor(private readonly database: Database) {}

  count(userId: number, filter: CampaignLeads): Promise<number> {
    return this.database.count(
      `SELECT count(*)::integer AS leads FROM leads WHERE ${WHERE}`,
      parametersOf(userId, filter),
    );
  }

  /** Names of variables, those that most leads have before the others. */
  variableNames(userId: number, filter: CampaignLeads, limit: number): Promise<string[]> {
    return this.database.values<string>(
      `SELECT name FROM leads, jsonb_object_keys(variables) AS name WHERE ${WHERE}
       GROUP BY name ORDER BY count(*) DESC, name LIMIT $7`,
      [...parametersOf(userId, filter), limit],
    );
  }

  /** The leads after a place, newest first. */
  after(
    userId: number,
    filter: CampaignLeads,
    place: ExportPlace | null,
    limit: number,
  ): Promise<ExportedLead[]> {
    return this.database.query<ExportedLead>(
      `SELECT id, parent_id AS "parentId", phone_number AS "phoneNumber", status, variables,
         created_at AS "createdAt", updated_at AS "updatedAt", created_at::text AS place
       FROM leads WHERE ${WHERE} AND ($7::timestamptz IS NULL OR (created_at, id) < ($7, $8::integer))
       ORDER BY created_at DESC, id DESC LIMIT $9`,
      [...parametersOf(userId, filter), place?.createdAt ?? null, place?.id ?? null, limit],
    );
  }
}

function parametersOf(userId: number, filter: CampaignLeads): unknown[] {
  const { campaignId, status, phoneNumber, created } = filter;
  return [
    userId,
    campaignId,
    status ?? null,
    phoneNumber ?? null,
    created.from ?? null,
    created.before ?? null,
  ];
}
