import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { currentForm, formsOf } from '../../common/phone/e164.js';
import type { MomentRange } from '../../common/time/zoned-days.js';
import type { AgeSort, PageOf, PageRequest } from '../../common/http/page.js';
import { Database, isForeignKeyViolation, isUniqueViolation } from '../../database/database.js';
import { deleteOne } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { LeadCountsRepository } from './counts/lead-counts.repository.js';
import { Lead, type LeadStatus, type Variables } from './lead.entity.js';
import { DuplicateLeadError, LeadCampaignNotFoundError } from './leads.errors.js';

export interface LeadFilter {
  readonly status?: LeadStatus;
  readonly campaignId?: number;
  /** Any part of the E.164 form. */
  readonly phoneNumber?: string;
  readonly created: MomentRange;
}

export interface LeadChanges {
  readonly campaignId?: number;
  readonly phoneNumber?: string;
  readonly variables?: Variables;
}

/** A lead with the data that lists show with it. */
export interface LeadFamily {
  readonly lead: Lead;
  readonly campaignName: string;
  readonly secondaries: readonly Lead[];
}

/**
 * Ids of a lead ($2) and of its secondary contacts, as an array: the planner then looks each of them up by its key. Of `IN`, it
 * makes a walk through all leads of the account until the table has been analysed, as in the minute after an import.
 */
const FAMILY_IDS = 'ARRAY(SELECT $2::int UNION ALL SELECT id FROM leads WHERE parent_id = $2)';

@Injectable()
export class LeadsRepository {
  constructor(
    private readonly database: Database,
    private readonly counts: LeadCountsRepository,
  ) {}

  async find(userId: number, id: number): Promise<Lead | null> {
    const [lead] = await this.database.readPrepared<Lead>(
      `SELECT ${this.database.columnsOf(Lead, 'leads')} FROM leads WHERE user_id = $1 AND id = $2`,
      [userId, id],
    );
    return lead ?? null;
  }

  /** A lead, its secondary contacts in the order they are tried, and the name of its campaign. */
  async findFamily(userId: number, id: number, tx?: Tx): Promise<LeadFamily | null> {
    const rows = await this.database.readPrepared<Lead & { campaign_name: string }>(
      `SELECT ${this.database.columnsOf(Lead, 'family')}, campaigns.name AS campaign_name
       FROM leads AS family JOIN campaigns ON campaigns.id = family.campaign_id
       WHERE family.user_id = $1 AND family.id = ANY(${FAMILY_IDS}) ORDER BY family.position`,
      [userId, id],
      tx,
    );
    const family = rows.map(({ campaign_name: _name, ...lead }) => lead);
    const lead = family.find((row) => row.id === id);
    const campaignName = rows[0]?.campaign_name ?? '';
    return lead
      ? { lead, campaignName, secondaries: family.filter(({ parentId }) => parentId === id) }
      : null;
  }

  /** Secondary contacts in the order they are tried. */
  findSecondaries(userId: number, parentIds: readonly number[], tx?: Tx): Promise<Lead[]> {
    return this.database.manager(tx).find(Lead, {
      where: { userId, parentId: In([...parentIds]) },
      order: { parentId: 'ASC', position: 'ASC' },
    });
  }

  /** One page, newest first by default. A part of a phone number is searched in the tenant's slice of the number index. */
  async pageOf(
    userId: number,
    filter: LeadFilter,
    { page, perPage, sort }: PageRequest & { readonly sort?: AgeSort | undefined },
  ): Promise<PageOf<Lead>> {
    const query = this.database
      .manager()
      .createQueryBuilder(Lead, 'lead')
      .where('lead.userId = :userId', { userId });
    if (filter.status) query.andWhere('lead.status = :status', { status: filter.status });
    if (filter.campaignId) query.andWhere('lead.campaignId = :campaignId', { campaignId: filter.campaignId });
    if (filter.phoneNumber) {
      query.andWhere('strpos(lead.phoneNumber, :part) > 0', { part: filter.phoneNumber });
    }
    const { from, before } = filter.created;
    if (from) query.andWhere('lead.createdAt >= :from', { from });
    if (before) query.andWhere('lead.createdAt < :before', { before });
    const offset = (page - 1) * perPage;
    const order = sort === 'oldest' ? 'ASC' : 'DESC';
    const rows = await query
      .clone()
      .orderBy('lead.createdAt', order)
      .addOrderBy('lead.id', order)
      .offset(offset)
      .limit(perPage)
      .getMany();
    // The last page tells how many there are; any other needs a count.
    const isLast = rows.length < perPage && (rows.length > 0 || page === 1);
    if (isLast) return { rows, total: offset + rows.length };
    const isCounted = filter.phoneNumber === undefined && !from && !before;
    return { rows, total: isCounted ? await this.counts.totalOf(userId, filter) : await query.getCount() };
  }

  /** Which of the numbers the campaign has already, in whichever form, leaving one lead out of account. */
  async findTaken(
    userId: number,
    campaignId: number,
    phoneNumbers: readonly string[],
    { except = 0, tx }: { except?: number; tx?: Tx } = {},
  ): Promise<Set<string>> {
    const rows = await this.database.query<{ phone_number: string }>(
      `SELECT DISTINCT phone_number FROM leads
       WHERE user_id = $1 AND campaign_id = $2 AND phone_number = ANY($3::text[]) AND id <> $4`,
      [userId, campaignId, phoneNumbers.flatMap(formsOf), except],
      tx,
    );
    const taken = new Set(rows.map((row) => currentForm(row.phone_number)));
    return new Set(phoneNumbers.filter((phoneNumber) => taken.has(currentForm(phoneNumber))));
  }

  /**
   * Changes what is given; variables are merged in place, so that parallel merges lose nothing. Returns the size of
   * the variables as JSON, null when the lead is gone. A secondary contact that leaves its parent's campaign becomes a
   * lead of its own.
   *
   * @throws DuplicateLeadError | LeadCampaignNotFoundError
   */
  async update(
    userId: number,
    id: number,
    { campaignId, phoneNumber, variables }: LeadChanges,
    tx: Tx,
  ): Promise<{ variablesBytes: number } | null> {
    try {
      const [row] = await this.database.query<{ variables_bytes: number }>(
        `UPDATE leads SET
           parent_id = CASE WHEN campaign_id = coalesce($3, campaign_id) THEN parent_id END,
           position = CASE WHEN campaign_id = coalesce($3, campaign_id) THEN position ELSE 0 END,
           campaign_id = coalesce($3, campaign_id),
           phone_number = coalesce($4, phone_number),
           refusal_reason = CASE WHEN phone_number = coalesce($4, phone_number) THEN refusal_reason END,
           variables = variables || $5::jsonb,
           updated_at = now()
         WHERE user_id = $1 AND id = $2
         RETURNING octet_length(variables::text) AS variables_bytes`,
        [userId, id, campaignId ?? null, phoneNumber ?? null, JSON.stringify(variables ?? {})],
        tx,
      );
      if (row && campaignId !== undefined) await this.takeAlong(userId, id, campaignId, tx);
      return row ? { variablesBytes: row.variables_bytes } : null;
    } catch (error) {
      throw toConflict(error);
    }
  }

  /**
   * Merges variables in place; false when the lead is gone or its variables would become larger than `maxBytes` of JSON.
   */
  async mergeVariables(userId: number, id: number, variables: Variables, maxBytes: number): Promise<boolean> {
    const rows = await this.database.writePrepared(
      `UPDATE leads SET variables = variables || $3::jsonb, updated_at = now()
       WHERE user_id = $1 AND id = $2 AND octet_length((variables || $3::jsonb)::text) <= $4 RETURNING id`,
      [userId, id, JSON.stringify(variables), maxBytes],
    );
    return rows.length > 0;
  }

  /** Deletes a lead with its secondary contacts. */
  delete(userId: number, id: number, tx: Tx): Promise<boolean> {
    return deleteOne(this.database.manager(tx), Lead, { userId, id });
  }

  /** Deletes up to `limit` leads of a campaign and says whether there may be more. */
  async deleteSome(userId: number, campaignId: number, limit: number): Promise<boolean> {
    const rows = await this.database.query(
      `DELETE FROM leads WHERE id IN (
         SELECT id FROM leads WHERE user_id = $1 AND campaign_id = $2 LIMIT $3)
       RETURNING 1`,
      [userId, campaignId, limit],
    );
    return rows.length === limit;
  }

  /** Whether the campaign has a lead that was not called to its end. */
  async hasOpen(userId: number, campaignId: number, tx?: Tx): Promise<boolean> {
    // One look into each partial index; a list of states would read every lead of the campaign.
    const [row] = await this.database.query<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM lead_dials WHERE campaign_id = $2 AND user_id = $1 AND state = 'waiting')
         OR EXISTS (SELECT FROM lead_dials WHERE campaign_id = $2 AND user_id = $1 AND state = 'calling') AS open`,
      [userId, campaignId],
      tx,
    );
    return row?.open ?? false;
  }

  private async takeAlong(userId: number, id: number, campaignId: number, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE leads SET campaign_id = $3 WHERE user_id = $1 AND parent_id = $2',
      [userId, id, campaignId],
      tx,
    );
    // A contact that was skipped, because another contact was reached, is a lead without a call.
    await this.database.query(
      `UPDATE lead_dials dial SET campaign_id = $3,
         state = CASE WHEN dial.lead_id = $2 AND dial.campaign_id <> $3 AND dial.state = 'done' AND lead.status = 'created'
           THEN 'waiting' ELSE dial.state END,
         due_at = CASE WHEN dial.lead_id = $2 AND dial.campaign_id <> $3 THEN coalesce(dial.due_at, now())
           ELSE dial.due_at END
       FROM leads lead WHERE lead.id = dial.lead_id AND dial.user_id = $1 AND dial.lead_id = ANY(${FAMILY_IDS})`,
      [userId, id, campaignId],
      tx,
    );
  }
}

/** The breach of a constraint, by its meaning: another request was faster than the checks of this one. */
export function toConflict(error: unknown): unknown {
  if (isUniqueViolation(error, 'leads_campaign_phone_number_key')) return new DuplicateLeadError();
  if (isForeignKeyViolation(error, 'leads_campaign_fkey')) return new LeadCampaignNotFoundError();
  return error;
}
