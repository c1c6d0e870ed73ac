import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database } from '../../database/database.js';
import { deleteOne } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { ApiKey } from './api-key.entity.js';

export type NewApiKey = Pick<ApiKey, 'userId' | 'name' | 'tokenHash'> & Partial<KeyLimits>;

/** What a key may do, where, and for how long. */
export type KeyLimits = Pick<ApiKey, 'scopes' | 'isPublishable' | 'allowedOrigins' | 'expiresAt'>;

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  findByHash(tokenHash: Buffer): Promise<ApiKey | null> {
    return this.database.manager().findOneBy(ApiKey, { tokenHash });
  }

  findAmong(ids: readonly number[]): Promise<ApiKey[]> {
    return this.database.manager().findBy(ApiKey, { id: In([...ids]) });
  }

  listOf(userId: number): Promise<ApiKey[]> {
    return this.database.manager().find(ApiKey, { where: { userId }, order: { id: 'ASC' } });
  }

  countOf(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(ApiKey, { userId });
  }

  add(key: NewApiKey, tx: Tx): Promise<ApiKey> {
    const manager = this.database.manager(tx);
    return manager.save(manager.create(ApiKey, key));
  }

  delete(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), ApiKey, { userId, id });
  }

  async deleteAll(userId: number, tx: Tx): Promise<void> {
    await this.database.manager(tx).delete(ApiKey, { userId });
  }

  /** Whether the key is there; if so, it stays until the transaction ends. */
  lock(userId: number, id: number, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'SELECT FROM api_keys WHERE user_id = $1 AND id = $2 FOR KEY SHARE',
      [userId, id],
      tx,
    );
  }

  async touch(id: number): Promise<void> {
    await this.database.manager().update(ApiKey, { id }, { lastUsedAt: () => 'now()' });
  }
}
