import { Injectable } from '@nestjs/common';
import { hashToken, makeToken } from '../../common/auth/opaque-token.js';
import type { Principal } from '../../common/auth/principal.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeyLimitError, ApiKeyNotFoundError } from './api-keys.errors.js';
import { ApiKeysRepository, type KeyLimits } from './api-keys.repository.js';
import { RecentKeys } from './recent-keys.js';

/** "Last used" is kept to this grain, so that a busy key does not write on each request. */
const LAST_USED_GRAIN_MS = 60_000;

export interface CreatedApiKey {
  readonly key: ApiKey;
  /** Shown once; only its hash is stored. */
  readonly token: string;
}

@Injectable()
export class ApiKeysService {
  private readonly recent = new RecentKeys();

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly accounts: AccountsService,
    private readonly transactions: Transactions,
  ) {}

  list(userId: number): Promise<ApiKey[]> {
    return this.keys.listOf(userId);
  }

  /** A key with all rights. @throws ApiKeyLimitError */
  create(userId: number, name: string, token = makeToken('prosa_')): Promise<CreatedApiKey> {
    return this.transactions.run((tx) => this.createIn(tx, userId, name, token));
  }

  /** @throws ApiKeyLimitError */
  createLimited(userId: number, name: string, limits: KeyLimits): Promise<CreatedApiKey> {
    const token = makeToken(limits.isPublishable ? 'prosa_pub_' : 'prosa_');
    return this.transactions.run((tx) => this.createIn(tx, userId, name, token, limits));
  }

  /** The same within a transaction. @throws ApiKeyLimitError */
  async createIn(
    tx: Tx,
    userId: number,
    name: string,
    token = makeToken('prosa_'),
    limits: Partial<KeyLimits> = {},
  ): Promise<CreatedApiKey> {
    const { maxApiKeys } = await this.accounts.lockLimits(userId, tx);
    if ((await this.keys.countOf(userId, tx)) >= maxApiKeys) throw new ApiKeyLimitError(maxApiKeys);
    return { key: await this.keys.add({ userId, name, tokenHash: hashToken(token), ...limits }, tx), token };
  }

  /** Whose key this is; null when there is no such key. It does not count as a use. */
  async findOwner(token: string): Promise<number | null> {
    const key = await this.keys.findByHash(hashToken(token));
    return key?.userId ?? null;
  }

  /** Whether the key is still there; if so, it stays until the transaction ends. */
  isStillValid({ userId, tokenId }: Principal, tx: Tx): Promise<boolean> {
    return this.keys.lock(userId, tokenId, tx);
  }

  /** @throws ApiKeyNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    const isDeleted = await this.keys.delete(userId, id);
    this.recent.forgetAll();
    if (!isDeleted) throw new ApiKeyNotFoundError();
  }

  /** Ends all keys of an account that is being deleted, here at once and in other processes within a second. */
  async deleteAll(userId: number, tx: Tx): Promise<void> {
    await this.keys.deleteAll(userId, tx);
    this.recent.forgetAll();
  }

  /** Who those of the keys speak for that are still valid. It does not count as a use. */
  async findValidAmong(ids: readonly number[]): Promise<readonly Principal[]> {
    const keys = ids.length === 0 ? [] : await this.keys.findAmong(ids);
    return keys.filter((key) => !hasExpired(key)).map(principalOf);
  }

  /** Who a key speaks for; null when there is no such key. The token's form has been checked before. */
  authenticate(token: string): Promise<Principal | null> {
    const tokenHash = hashToken(token);
    return this.recent.get(tokenHash, () => this.lookUp(tokenHash));
  }

  private async lookUp(tokenHash: Buffer): Promise<Principal | null> {
    const key = await this.keys.findByHash(tokenHash);
    if (!key || hasExpired(key)) return null;
    if (Date.now() - (key.lastUsedAt?.getTime() ?? 0) > LAST_USED_GRAIN_MS) await this.keys.touch(key.id);
    return principalOf(key);
  }
}

function hasExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now();
}

function principalOf({ id, userId, scopes, isPublishable, allowedOrigins }: ApiKey): Principal {
  return {
    userId,
    via: 'api-key',
    tokenId: id,
    ...(scopes ? { scopes } : {}),
    ...(isPublishable ? { isPublishable } : {}),
    ...(allowedOrigins ? { origins: allowedOrigins } : {}),
  };
}
