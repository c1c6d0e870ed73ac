import { Injectable } from '@nestjs/common';
import type { PageOf, PageRequest } from '../../../common/http/page.js';
import { Database } from '../../../database/database.js';
import { findLocked, findPage, saveUnlessTaken } from '../../../database/entity-statements.js';
import type { Tx } from '../../../database/transactions.js';
import { Label } from './label.entity.js';

export type NewLabel = Pick<Label, 'userId' | 'name' | 'color'>;

@Injectable()
export class LabelsRepository {
  constructor(private readonly database: Database) {}

  find(userId: number, id: number, tx?: Tx): Promise<Label | null> {
    return this.database.manager(tx).findOneBy(Label, { userId, id });
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<Label | null> {
    return findLocked(this.database.manager(tx), Label, { userId, id });
  }

  pageOf(userId: number, page: PageRequest): Promise<PageOf<Label>> {
    return findPage(this.database.manager(), Label, page, { where: { userId }, order: { id: 'ASC' } });
  }

  /** How many assistants have each of the labels; a label without any is left out. */
  async countAssistants(userId: number, labelIds: readonly number[], tx?: Tx): Promise<Map<number, number>> {
    const rows = await this.database.query<{ label_id: number; count: number }>(
      `SELECT label_id, count(*)::integer AS count FROM assistants, unnest(label_ids) AS label_id
       WHERE user_id = $1 AND label_ids && $2 AND label_id = ANY($2) GROUP BY label_id`,
      [userId, labelIds],
      tx,
    );
    return new Map(rows.map(({ label_id: labelId, count }) => [labelId, count]));
  }

  /** Those of the ids that are labels of the account. Within a transaction they stay until it ends. */
  idsAmong(userId: number, ids: readonly number[], tx?: Tx): Promise<number[]> {
    return this.database.values<number>(
      `SELECT id FROM labels WHERE user_id = $1 AND id = ANY($2) ${tx ? 'ORDER BY id FOR KEY SHARE' : ''}`,
      [userId, ids],
      tx,
    );
  }

  /** Writes a new or a changed label; null when the account has another one of this name. */
  save(label: NewLabel | Label, tx?: Tx): Promise<Label | null> {
    const manager = this.database.manager(tx);
    return saveUnlessTaken(manager, manager.create(Label, label), 'labels_user_id_name_key');
  }

  /** Also from the assistants that have it. */
  async delete(userId: number, id: number, tx: Tx): Promise<boolean> {
    const { affected } = await this.database.manager(tx).delete(Label, { userId, id });
    if (affected !== 1) return false;
    // Requests that were attaching it have ended: the deletion has waited for their locks.
    await this.database.query(
      `UPDATE assistants SET label_ids = array_remove(label_ids, $2) WHERE user_id = $1 AND label_ids @> ARRAY[$2::integer]`,
      [userId, id],
      tx,
    );
    return true;
  }
}
