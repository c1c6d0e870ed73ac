import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { Session } from './session.entity.js';

export type NewSession = Omit<Session, 'id' | 'createdAt'>;

@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  async add(session: NewSession, tx: Tx): Promise<void> {
    await this.database.manager(tx).insert(Session, session);
  }

  findLive(tokenHash: Buffer): Promise<Session | null> {
    return this.database.manager().findOneBy(Session, { tokenHash, expiresAt: MoreThan(new Date()) });
  }

  /** The newest first. */
  listLive(userId: number, limit: number): Promise<Session[]> {
    return this.database.manager().find(Session, {
      where: { userId, expiresAt: MoreThan(new Date()) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  async delete(userId: number, id: number): Promise<boolean> {
    const { affected } = await this.database.manager().delete(Session, { userId, id });
    return affected === 1;
  }

  /** All but one; all for null. */
  async deleteOthers(userId: number, exceptId: number | null, tx?: Tx): Promise<void> {
    await this.database.query(
      'DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2::integer',
      [userId, exceptId],
      tx,
    );
  }

  /** All but the newest so many. */
  async deleteExcess(userId: number, keep: number, tx: Tx): Promise<void> {
    await this.database.query(
      `DELETE FROM sessions WHERE user_id = $1
         AND id <= (SELECT id FROM sessions WHERE user_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
      [userId, keep],
      tx,
    );
  }

  /** Deletes up to `limit` sessions whose time is over, of whomever; returns how many. */
  async removeExpired(limit: number): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit],
    );
    return rows.length;
  }
}
