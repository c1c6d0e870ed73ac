import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { Database } from '../../../database/database.js';
import { deleteOne } from '../../../database/entity-statements.js';
import type { Tx } from '../../../database/transactions.js';
import type { Scope } from '../../../common/auth/scope.js';
import type { Role } from '../../accounts/members/role.js';
import { Session } from './session.entity.js';

export type NewSession = Omit<Session, 'id' | 'createdAt'>;

/** A session, and what the key it was begun with is limited to. */
export interface LiveSession extends Pick<Session, 'id' | 'userId'> {
  readonly scopes: readonly Scope[] | null;
  readonly origins: readonly string[] | null;
  readonly memberId: number | null;
  /** Of the member. */
  readonly role: Role | null;
}

/** Whose sessions: those of one member of an account, or of its owner. */
export interface SessionHolder {
  readonly userId: number;
  readonly memberId: number | null;
}

const LIVE_SESSIONS = `
  SELECT sessions.id, sessions.user_id AS "userId", api_keys.scopes, api_keys.allowed_origins AS origins,
    members.id AS "memberId", members.role
  FROM sessions LEFT JOIN api_keys ON api_keys.id = sessions.api_key_id
    LEFT JOIN members ON members.id = sessions.member_id
  WHERE sessions.expires_at > now() AND (api_keys.expires_at IS NULL OR api_keys.expires_at > now())`;

@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /** Returns its id. */
  async add(session: NewSession, tx: Tx): Promise<number> {
    const { identifiers } = await this.database.manager(tx).insert(Session, session);
    return identifiers[0]?.id as number;
  }

  /** It reads key and member, which are of other modules, because a session is asked for with each request of a browser. */
  async findLive(tokenHash: Buffer): Promise<LiveSession | null> {
    const [session] = await this.database.readPrepared<LiveSession>(
      `${LIVE_SESSIONS} AND sessions.token_hash = $1`,
      [tokenHash],
    );
    return session ?? null;
  }

  findLiveAmong(ids: readonly number[]): Promise<LiveSession[]> {
    return this.database.readPrepared<LiveSession>(`${LIVE_SESSIONS} AND sessions.id = ANY($1::int[])`, [
      ids,
    ]);
  }

  /** The newest first. */
  listLive({ userId, memberId }: SessionHolder, limit: number): Promise<Session[]> {
    return this.database.manager().find(Session, {
      where: { userId, memberId: memberId ?? IsNull(), expiresAt: MoreThan(new Date()) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  delete({ userId, memberId }: SessionHolder, id: number): Promise<boolean> {
    const where = { userId, memberId: memberId ?? IsNull(), id };
    return deleteOne(this.database.manager(), Session, where);
  }

  /** All but one; all for null. */
  async deleteOthers({ userId, memberId }: SessionHolder, exceptId: number | null, tx?: Tx): Promise<void> {
    await this.database.query(
      `DELETE FROM sessions
       WHERE user_id = $1 AND member_id IS NOT DISTINCT FROM $3::integer AND id IS DISTINCT FROM $2::integer`,
      [userId, exceptId, memberId],
      tx,
    );
  }

  async deleteAll(userId: number, tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM sessions WHERE user_id = $1', [userId], tx);
  }

  /** All but the newest so many: of a person, or of the key that began them, which ends no session of a person. */
  async deleteExcess(
    { userId, memberId, apiKeyId }: Pick<Session, 'userId' | 'memberId' | 'apiKeyId'>,
    keep: number,
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `DELETE FROM sessions
       WHERE user_id = $1 AND member_id IS NOT DISTINCT FROM $3::integer AND api_key_id IS NOT DISTINCT FROM $4::integer
         AND id <= (SELECT id FROM sessions
                    WHERE user_id = $1 AND member_id IS NOT DISTINCT FROM $3::integer
                      AND api_key_id IS NOT DISTINCT FROM $4::integer
                    ORDER BY id DESC OFFSET $2 LIMIT 1)`,
      [userId, keep, memberId, apiKeyId],
      tx,
    );
  }

  /** Deletes up to `limit` sessions whose time is over, of whomever; returns how many. */
  removeExpired(limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit],
    );
  }
}
