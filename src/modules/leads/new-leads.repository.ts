import { Injectable } from '@nestjs/common';
import { formsOf } from '../../common/phone/e164.js';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { Lead, type Variables } from './lead.entity.js';
import { DuplicateLeadError } from './leads.errors.js';
import { toConflict } from './leads.repository.js';

/** A lead that is not stored yet; `parent` is its place in the same array. */
export interface NewLead {
  readonly phoneNumber: string;
  readonly variables: Variables;
  readonly parent: number | null;
  /** Place among the secondary contacts, from 1; 0 for a primary lead. */
  readonly position: number;
}

/** SQL: none of the new numbers is in the campaign, or that does not matter. */
const NOT_TAKEN = `$3 OR NOT EXISTS (
  SELECT FROM leads taken WHERE taken.user_id = $1 AND taken.campaign_id = $2 AND taken.phone_number = ANY($5::text[]))`;

/** Adds leads and their dials in one statement, and reads `columns` of what was `added`, in the given order. */
const addSql = (condition: string, columns: string) => `
  WITH sent AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('leads', 'id'))::integer AS id, new.*
    FROM ROWS FROM (jsonb_to_recordset($4::jsonb)
        AS (parent integer, position smallint, phone_number text, variables jsonb))
      WITH ORDINALITY AS new (parent, position, phone_number, variables, place)
    WHERE ${condition}),
  related AS (
    SELECT sent.*, parent.id AS parent_id FROM sent LEFT JOIN sent parent ON parent.place = sent.parent + 1),
  added AS (
    INSERT INTO leads (id, user_id, campaign_id, duplicate_allowed, parent_id, position, phone_number, variables)
    SELECT id, $1, $2, $3, parent_id, position, phone_number, variables FROM related
    RETURNING *),
  dials AS (
    INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at)
    SELECT id, $1, $2, CASE WHEN parent_id IS NULL THEN now() END FROM related)
  SELECT ${columns} FROM added JOIN sent USING (id) ORDER BY sent.place`;

const ADD_SQL = addSql('true', 'added.id');

/** Writes new leads. */
@Injectable()
export class NewLeadsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds leads with their dials, all or none, and returns their ids in the given order. A primary lead is due at once,
   * a secondary contact when its turn comes.
   *
   * @throws DuplicateLeadError | LeadCampaignNotFoundError
   */
  async add(
    userId: number,
    campaignId: number,
    leads: readonly NewLead[],
    duplicateAllowed: boolean,
    tx: Tx,
  ): Promise<readonly number[]> {
    const rows = await this.insert<{ id: number }>(
      ADD_SQL,
      [userId, campaignId, duplicateAllowed, toJson(leads)],
      tx,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * The same for a lead with its secondary contacts, which come back as they were written, in their order. Unless
   * duplicates are allowed, a number that the campaign has already is looked for in the same statement.
   *
   * @throws DuplicateLeadError | LeadCampaignNotFoundError
   */
  async addFamily(
    userId: number,
    campaignId: number,
    leads: readonly NewLead[],
    duplicateAllowed: boolean,
    tx: Tx,
  ): Promise<readonly Lead[]> {
    const rows = await this.insert<Lead>(
      addSql(NOT_TAKEN, this.database.columnsOf(Lead, 'added')),
      [
        userId,
        campaignId,
        duplicateAllowed,
        toJson(leads),
        leads.flatMap(({ phoneNumber }) => formsOf(phoneNumber)),
      ],
      tx,
    );
    if (rows.length < leads.length) throw new DuplicateLeadError();
    return rows;
  }

  private async insert<Row>(sql: string, parameters: readonly unknown[], tx: Tx): Promise<Row[]> {
    try {
      return await this.database.writePrepared<Row>(sql, parameters, tx);
    } catch (error) {
      throw toConflict(error);
    }
  }
}

/**
 * New leads as {@link addSql} takes them. One JSON text takes a third of the time of an array for each column. The
 * process serves no other request while it writes a batch.
 */
function toJson(leads: readonly NewLead[]): string {
  return JSON.stringify(
    leads.map(({ parent, position, phoneNumber, variables }) => ({
      parent,
      position,
      phone_number: phoneNumber,
      variables,
    })),
  );
}
