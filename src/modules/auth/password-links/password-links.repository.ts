import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { SessionHolder } from '../sessions/sessions.repository.js';
import { type LinkPurpose, PasswordLink } from './password-link.entity.js';

export type NewPasswordLink = Pick<
  PasswordLink,
  'userId' | 'memberId' | 'tokenHash' | 'purpose' | 'expiresAt'
>;

/** The links of a person within the last day. */
export interface LinksOfDay {
  readonly count: number;
  /** Until the first of them is a day old; at least 1. */
  readonly secondsToNext: number;
}

@Injectable()
export class PasswordLinksRepository {
  constructor(private readonly database: Database) {}

  async add(link: NewPasswordLink, tx: Tx): Promise<void> {
    await this.database.manager(tx).insert(PasswordLink, link);
  }

  async ofDay({ userId, memberId }: SessionHolder, tx: Tx): Promise<LinksOfDay> {
    const [row] = await this.database.query<LinksOfDay>(
      `SELECT count(*)::integer AS count,
         coalesce(greatest(ceil(extract(epoch FROM min(created_at) + interval '1 day' - now())), 1), 1)::integer AS "secondsToNext"
       FROM password_links
       WHERE user_id = $1 AND member_id IS NOT DISTINCT FROM $2::integer AND created_at > now() - interval '1 day'`,
      [userId, memberId],
      tx,
    );
    return row ?? { count: 0, secondsToNext: 1 };
  }

  /** One that can still be used. */
  find(tokenHash: Buffer, purpose: LinkPurpose): Promise<PasswordLink | null> {
    const where = { tokenHash, purpose, expiresAt: MoreThan(new Date()) };
    return this.database.manager().findOneBy(PasswordLink, where);
  }

  /** Uses a link, once; false when it was used, is void or has expired since. */
  take(id: number, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `UPDATE password_links SET token_hash = NULL
       WHERE id = $1 AND token_hash IS NOT NULL AND expires_at > now() RETURNING id`,
      [id],
      tx,
    );
  }

  /** Makes the person's links void. */
  async voidOf({ userId, memberId }: SessionHolder, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE password_links SET token_hash = NULL
       WHERE user_id = $1 AND member_id IS NOT DISTINCT FROM $2::integer AND token_hash IS NOT NULL`,
      [userId, memberId],
      tx,
    );
  }

  /** Of everybody in the account. */
  async deleteAll(userId: number, tx: Tx): Promise<void> {
    await this.database.manager(tx).delete(PasswordLink, { userId });
  }

  /** Deletes up to `limit` links that have ended and count for no day any more; returns how many. */
  removeOld(limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM password_links WHERE id IN (
         SELECT id FROM password_links WHERE created_at <= now() - interval '1 day' AND expires_at <= now()
         ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit],
    );
  }
}
