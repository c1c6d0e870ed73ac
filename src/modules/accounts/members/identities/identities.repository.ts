import { Injectable } from '@nestjs/common';
import { Database } from '#src/database/database.js';
import type { Tx } from '#src/database/transactions.js';
import { Identity } from './identity.entity.js';

export type NewIdentity = Pick<Identity, 'userId' | 'memberId' | 'issuer' | 'subject'>;

@Injectable()
export class IdentitiesRepository {
  constructor(private readonly database: Database) {}

  find(issuer: string, subject: string): Promise<Identity | null> {
    return this.database.manager().findOneBy(Identity, { issuer, subject });
  }

  /** Nothing happens where the identity is known already. */
  async add({ userId, memberId, issuer, subject }: NewIdentity, tx: Tx): Promise<void> {
    await this.database.query(
      `INSERT INTO identities (user_id, member_id, issuer, subject) VALUES ($1, $2, $3, $4)
       ON CONFLICT (issuer, subject) DO NOTHING`,
      [userId, memberId, issuer, subject],
      tx,
    );
  }
}
