import { Injectable } from '@nestjs/common';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Database } from '../../database/database.js';
import { deleteOne, findLocked, findPage, saveUnlessTaken } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { Folder } from './folder.entity.js';

export type NewFolder = Pick<Folder, 'userId' | 'name' | 'color'>;

@Injectable()
export class FoldersRepository {
  constructor(private readonly database: Database) {}

  find(userId: number, id: number, tx?: Tx): Promise<Folder | null> {
    return this.database.manager(tx).findOneBy(Folder, { userId, id });
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<Folder | null> {
    return findLocked(this.database.manager(tx), Folder, { userId, id });
  }

  pageOf(userId: number, page: PageRequest): Promise<PageOf<Folder>> {
    return findPage(this.database.manager(), Folder, page, { where: { userId }, order: { id: 'ASC' } });
  }

  /** How many assistants each of the folders holds; a folder without any is left out. */
  async countAssistants(userId: number, folderIds: readonly number[], tx?: Tx): Promise<Map<number, number>> {
    const rows = await this.database.query<{ folder_id: number; count: number }>(
      `SELECT folder_id, count(*)::integer AS count FROM assistants
       WHERE user_id = $1 AND folder_id = ANY($2) GROUP BY folder_id`,
      [userId, folderIds],
      tx,
    );
    return new Map(rows.map(({ folder_id: folderId, count }) => [folderId, count]));
  }

  /** Writes a new or a changed folder; null when the account has another one of this name. */
  save(folder: NewFolder | Folder, tx?: Tx): Promise<Folder | null> {
    const manager = this.database.manager(tx);
    return saveUnlessTaken(manager, manager.create(Folder, folder), 'folders_user_id_name_key');
  }

  delete(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), Folder, { userId, id });
  }
}
