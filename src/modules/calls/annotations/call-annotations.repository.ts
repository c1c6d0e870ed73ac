import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { deleteOne } from '../../../database/entity-statements.js';
import type { Tx } from '../../../database/transactions.js';
import { CallNote } from './call-note.entity.js';
import { CallTag } from './call-tag.entity.js';

export type NewCallNote = Pick<CallNote, 'userId' | 'callId' | 'authorName' | 'text'>;

@Injectable()
export class CallAnnotationsRepository {
  constructor(private readonly database: Database) {}

  /** Locks a call of the account, unless its person was erased. False when there is none. */
  lockCall(userId: number, callId: number, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'SELECT 1 FROM calls WHERE user_id = $1 AND id = $2 AND erased_at IS NULL FOR UPDATE',
      [userId, callId],
      tx,
    );
  }

  /** Newest first. */
  notes(userId: number, callId: number): Promise<CallNote[]> {
    return this.database.manager().find(CallNote, { where: { userId, callId }, order: { id: 'DESC' } });
  }

  findNote(userId: number, callId: number, id: number, tx: Tx): Promise<CallNote | null> {
    return this.database.manager(tx).findOneBy(CallNote, { userId, callId, id });
  }

  countNotes(callId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(CallNote, { callId });
  }

  addNote(note: NewCallNote, tx: Tx): Promise<CallNote> {
    const manager = this.database.manager(tx);
    return manager.save(manager.create(CallNote, note));
  }

  deleteNote(userId: number, callId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), CallNote, { userId, callId, id });
  }

  async replaceTags(userId: number, callId: number, tags: readonly string[], tx: Tx): Promise<void> {
    const manager = this.database.manager(tx);
    await manager.delete(CallTag, { userId, callId });
    if (tags.length > 0)
      await manager.insert(
        CallTag,
        tags.map((tag) => ({ userId, callId, tag })),
      );
  }
}
