import { Injectable } from '@nestjs/common';
import { type IdPage, idPageOf } from '../../../common/personal-data/id-page.js';
import type { Person } from '../../../common/personal-data/person.js';
import { formsOf } from '../../../common/phone/e164.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { LeadImport, Refusal } from '../imports/lead-import.entity.js';
import type { Variables } from '../lead.entity.js';

/** Rows that are looked at in one go. */
const PAGE = 500;
const START = '-infinity|0';

/** A lead that is the person's, or names them. */
export interface LeadTrace {
  readonly id: number;
  /** Has the person's number itself; otherwise its variables name it. */
  readonly isOwn: boolean;
  readonly variables: Variables;
  readonly record: Readonly<Record<string, unknown>>;
}

/** An import whose report names the person. */
export interface ImportTrace {
  readonly id: number;
  readonly fileName: string | null;
  readonly refusals: readonly Refusal[];
  readonly columns: LeadImport['columns'];
  readonly variables: LeadImport['variables'];
}

/** Where leads and their imports hold the number of a person. */
@Injectable()
export class LeadPersonalDataRepository {
  constructor(private readonly database: Database) {}

  /** Leads in the order they were added. */
  async nextLeads(userId: number, after: string | null, tx?: Tx): Promise<IdPage<number>> {
    const rows = await this.database.query<{ id: number; cursor: string }>(
      `SELECT id, created_at || '|' || id AS cursor FROM leads
       WHERE user_id = $1
         AND (created_at, id) > (split_part($2, '|', 1)::timestamptz, split_part($2, '|', 2)::integer)
       ORDER BY created_at, id LIMIT $3`,
      [userId, after ?? START, PAGE],
      tx,
    );
    return idPageOf(rows, PAGE);
  }

  /** Those of the leads in which the person is. */
  tracesIn({ userId, phoneNumber, pattern }: Person, ids: readonly number[], tx?: Tx): Promise<LeadTrace[]> {
    return this.database.query(
      `SELECT id, phone_number = ANY($3::text[]) AS "isOwn", variables,
         jsonb_build_object('id', id, 'campaign_id', campaign_id, 'phone_number', phone_number, 'status', status,
           'variables', variables, 'created_at', created_at, 'updated_at', updated_at) AS record
       FROM leads
       WHERE user_id = $1 AND id = ANY($2::integer[]) AND (phone_number = ANY($3::text[]) OR variables::text ~ $4)
       ORDER BY id`,
      [userId, ids, formsOf(phoneNumber), pattern],
      tx,
    );
  }

  /** The variables of a lead, locked until the transaction ends; null when it is gone. */
  lockVariables(userId: number, id: number, tx: Tx): Promise<Variables | null> {
    return this.database.value<Variables>(
      'SELECT variables FROM leads WHERE user_id = $1 AND id = $2 FOR UPDATE',
      [userId, id],
      tx,
    );
  }

  async replaceVariables(userId: number, id: number, variables: Variables, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE leads SET variables = $3 WHERE user_id = $1 AND id = $2',
      [userId, id, JSON.stringify(variables)],
      tx,
    );
  }

  /** Imports whose report names the person. An account has few imports, by campaign. */
  importsNaming({ userId, pattern }: Person, tx?: Tx): Promise<ImportTrace[]> {
    return this.database.query(
      `SELECT id, file_name AS "fileName", refusals, columns, variables FROM lead_imports
       WHERE user_id = $1 AND (refusals::text ~ $2 OR file_name ~ $2 OR columns::text ~ $2 OR variables::text ~ $2)
       ORDER BY id LIMIT ${PAGE}`,
      [userId, pattern],
      tx,
    );
  }

  async replaceReport(userId: number, report: ImportTrace, tx: Tx): Promise<void> {
    const { id, fileName, refusals, columns, variables } = report;
    await this.database.query(
      `UPDATE lead_imports SET file_name = $3, refusals = $4, columns = $5, variables = $6
       WHERE user_id = $1 AND id = $2`,
      [userId, id, fileName, ...[refusals, columns, variables].map(jsonOrNull)],
      tx,
    );
  }
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
