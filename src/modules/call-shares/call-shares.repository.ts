import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Database } from '../../database/database.js';
import { deleteOne } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { CallShare } from './call-share.entity.js';

export type NewCallShare = Pick<CallShare, 'userId' | 'callId' | 'tokenHash' | 'expiresAt'>;

@Injectable()
export class CallSharesRepository {
  constructor(private readonly database: Database) {}

  add(share: NewCallShare, tx: Tx): Promise<CallShare> {
    const manager = this.database.manager(tx);
    return manager.save(manager.create(CallShare, share));
  }

  /** Links of a call that are valid, newest first. */
  list(userId: number, callId: number, tx?: Tx): Promise<CallShare[]> {
    return this.database.manager(tx).find(CallShare, {
      where: { userId, callId, expiresAt: MoreThan(new Date()) },
      order: { id: 'DESC' },
    });
  }

  async deleteExpired(callId: number, tx: Tx): Promise<void> {
    await this.database.query(
      'DELETE FROM call_shares WHERE call_id = $1 AND expires_at <= now()',
      [callId],
      tx,
    );
  }

  /** Null when it has expired or was revoked. */
  findByToken(tokenHash: Buffer): Promise<CallShare | null> {
    return this.database.manager().findOneBy(CallShare, { tokenHash, expiresAt: MoreThan(new Date()) });
  }

  /** The same by its id. */
  findValid(id: number): Promise<CallShare | null> {
    return this.database.manager().findOneBy(CallShare, { id, expiresAt: MoreThan(new Date()) });
  }

  delete(userId: number, callId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), CallShare, { userId, callId, id });
  }
}
