import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { deleteOne, findLocked, saveUnlessTaken } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { SavedReply } from './saved-reply.entity.js';

export type NewSavedReply = Pick<SavedReply, 'userId' | 'shortcut' | 'text'>;

@Injectable()
export class SavedRepliesRepository {
  constructor(private readonly database: Database) {}

  list(userId: number): Promise<SavedReply[]> {
    return this.database.manager().find(SavedReply, { where: { userId }, order: { shortcut: 'ASC' } });
  }

  find(userId: number, id: number, tx?: Tx): Promise<SavedReply | null> {
    return this.database.manager(tx).findOneBy(SavedReply, { userId, id });
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<SavedReply | null> {
    return findLocked(this.database.manager(tx), SavedReply, { userId, id });
  }

  countOf(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(SavedReply, { userId });
  }

  /** Writes a new or a changed saved reply; null when the account has another one of this shortcut. */
  save(savedReply: NewSavedReply | SavedReply, tx: Tx): Promise<SavedReply | null> {
    const manager = this.database.manager(tx);
    return saveUnlessTaken(
      manager,
      manager.create(SavedReply, savedReply),
      'saved_replies_user_id_shortcut_key',
    );
  }

  delete(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), SavedReply, { userId, id });
  }
}
