import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { Database } from '../../../database/database.js';
import { deleteOne, saveUnlessTaken } from '../../../database/entity-statements.js';
import type { Tx } from '../../../database/transactions.js';
import { Identity } from './identities/identity.entity.js';
import { Invitation } from './invitation.entity.js';
import { Member } from './member.entity.js';
import type { Role } from './role.js';

export type NewInvitation = Pick<Invitation, 'userId' | 'email' | 'role' | 'tokenHash' | 'expiresAt'>;
export type NewMember = Pick<Member, 'userId' | 'name' | 'email' | 'passwordHash' | 'role'>;

@Injectable()
export class MembersRepository {
  constructor(private readonly database: Database) {}

  list(userId: number, tx?: Tx): Promise<Member[]> {
    return this.database.manager(tx).find(Member, { where: { userId }, order: { id: 'ASC' } });
  }

  /** Those that can still be accepted. */
  invitations(userId: number): Promise<Invitation[]> {
    const where = { userId, expiresAt: MoreThan(new Date()) };
    return this.database.manager().find(Invitation, { where, order: { id: 'ASC' } });
  }

  findByEmail(email: string): Promise<Member | null> {
    return this.database.manager().findOneBy(Member, { email });
  }

  findById(userId: number, id: number): Promise<Member | null> {
    return this.database.manager().findOneBy(Member, { userId, id });
  }

  withIds(userId: number, ids: readonly number[]): Promise<Member[]> {
    return this.database.manager().find(Member, { where: { userId, id: In(ids) } });
  }

  /** Members and invitations that are open, which become members. */
  countOf(userId: number, tx: Tx): Promise<number> {
    return this.database.count(
      `SELECT (SELECT count(*) FROM members WHERE user_id = $1)::integer
         + (SELECT count(*) FROM invitations WHERE user_id = $1 AND expires_at > now())::integer AS count`,
      [userId],
      tx,
    );
  }

  /** Whether the e-mail opens this account, or is that of a member of it. */
  isPersonOf(userId: number, email: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `SELECT FROM users WHERE id = $1 AND email = $2
       UNION ALL SELECT FROM members WHERE user_id = $1 AND email = $2`,
      [userId, email],
      tx,
    );
  }

  /** In place of one that was sent to the same address before, whose link ends with it. */
  async invite(invitation: NewInvitation, tx: Tx): Promise<Invitation> {
    const manager = this.database.manager(tx);
    await manager.delete(Invitation, { userId: invitation.userId, email: invitation.email });
    return manager.save(manager.create(Invitation, invitation));
  }

  findInvitation(tokenHash: Buffer): Promise<Invitation | null> {
    return this.database.manager().findOneBy(Invitation, { tokenHash, expiresAt: MoreThan(new Date()) });
  }

  /** Accepts an invitation, once; false when it was accepted, revoked or has expired. */
  takeInvitation(id: number, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'DELETE FROM invitations WHERE id = $1 AND expires_at > now() RETURNING id',
      [id],
      tx,
    );
  }

  /** Of a person who becomes a member without it. */
  async endInvitation(userId: number, email: string, tx: Tx): Promise<void> {
    await this.database.manager(tx).delete(Invitation, { userId, email });
  }

  deleteInvitation(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), Invitation, { userId, id });
  }

  /** Null when the e-mail is that of an account or of a member. */
  async add(member: NewMember, tx: Tx): Promise<Member | null> {
    if (await this.isTaken(member.email, tx)) return null;
    const manager = this.database.manager(tx);
    return saveUnlessTaken(manager, manager.create(Member, member), 'members_email_key');
  }

  async setRole(userId: number, id: number, role: Role, tx?: Tx): Promise<boolean> {
    const { affected } = await this.database.manager(tx).update(Member, { userId, id }, { role });
    return affected === 1;
  }

  /** Sessions end with the member. */
  delete(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), Member, { userId, id });
  }

  /** With the invitations and the identities of the account. */
  async deleteAll(userId: number, tx: Tx): Promise<void> {
    await this.database.manager(tx).delete(Identity, { userId });
    await this.database.manager(tx).delete(Invitation, { userId });
    await this.database.manager(tx).delete(Member, { userId });
  }

  /** False when the member is not there; a member that is stays until the transaction ends. */
  lock(userId: number, id: number, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'SELECT FROM members WHERE user_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [userId, id],
      tx,
    );
  }

  /** False when the member is not there. */
  setPassword(userId: number, id: number, passwordHash: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'UPDATE members SET password_hash = $3, updated_at = now() WHERE user_id = $1 AND id = $2 RETURNING id',
      [userId, id, passwordHash],
      tx,
    );
  }

  /** Whether this is the member's password still; if so, it stays so until the transaction ends. */
  lockPassword(id: number, passwordHash: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'SELECT FROM members WHERE id = $1 AND password_hash = $2 FOR SHARE',
      [id, passwordHash],
      tx,
    );
  }

  /** False when the password is not the old one any more. */
  replacePassword(id: number, oldHash: string, newHash: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'UPDATE members SET password_hash = $3, updated_at = now() WHERE id = $1 AND password_hash = $2 RETURNING id',
      [id, oldHash, newHash],
      tx,
    );
  }

  /** Whether the e-mail opens an account, or is that of a member of any. */
  private async isTaken(email: string, tx: Tx): Promise<boolean> {
    const [row] = await this.database.query<{ taken: boolean }>(
      `SELECT EXISTS (SELECT FROM users WHERE email = $1) OR EXISTS (SELECT FROM members WHERE email = $1) AS taken`,
      [email],
      tx,
    );
    return row?.taken ?? false;
  }
}
