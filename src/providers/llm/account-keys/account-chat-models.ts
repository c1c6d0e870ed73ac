import { LRUCache } from 'lru-cache';
import { SecretUnreadableError } from '../../../common/crypto/secret-box.js';
import { AccountKeyCache } from '../../account-keys/account-key-cache.js';
import type { ChatModel } from '../chat-model.js';
import type { AccountChatKey, AccountChatKeys } from './account-chat-keys.js';

/** In the cache: room for 10,000 accounts without a key, or 1,000 with one. */
const SIZE = { none: 1, model: 10 } as const;
const KEYS_TOLD = 1_000;

/** A key with the model that is asked with it. */
export interface AccountModel {
  readonly key: AccountChatKey;
  readonly model: ChatModel;
}

/** What is known of an account: its model, that its key cannot be opened, or that it has none. */
type Known = AccountModel | SecretUnreadableError | null;

/**
 * The models of accounts that have brought a key. The connections are not kept here: models hold none of their own, so one
 * may be dropped while it still answers.
 */
export class AccountChatModels {
  private readonly cache: AccountKeyCache<Known>;
  /** Versions of keys whose check was reported since they were read. */
  private readonly reported = new LRUCache<string, 'refused' | 'accepted'>({ max: KEYS_TOLD });
  private keys: AccountChatKeys | null = null;

  /**
   * @param makeModel without connections of its own
   * @param nowMs of a clock that never goes back
   */
  constructor(
    private readonly makeModel: (key: AccountChatKey) => ChatModel,
    nowMs?: () => number,
  ) {
    const read = (userId: number, before?: Known) => this.read(userId, before);
    const sizeOf = (known: Known) => (known === null ? SIZE.none : SIZE.model);
    this.cache = new AccountKeyCache({ read, sizeOf }, nowMs);
  }

  /** To be called before the first question. */
  readFrom(keys: AccountChatKeys): void {
    this.keys = keys;
  }

  /** What is known of an account is looked up anew. */
  forget(userId: number): void {
    this.cache.forget(userId);
  }

  /**
   * Null for an account without a key. While keys cannot be looked up, what was known last stays true.
   *
   * @returns the error for a key that cannot be opened
   * @throws the error of the failed look-up, where nothing is known of the account
   */
  async find(userId: number): Promise<Known> {
    return this.keys && this.cache.find(userId);
  }

  /** The server has taken the key, or refused it: reported once, where it was known otherwise. */
  turnedOut({ key }: AccountModel, how: 'refused' | 'accepted'): void {
    const known = this.reported.get(key.version) ?? (key.isRefused ? 'refused' : 'accepted');
    if (known === how) return;
    this.reported.set(key.version, how);
    this.keys?.chatKeyTurnedOut(key, how);
  }

  private async read(userId: number, before: Known | undefined): Promise<Known> {
    let key: AccountChatKey | null;
    try {
      key = (await this.keys?.findChatKey(userId)) ?? null;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return error;
      if (before !== undefined) return before;
      throw error;
    }
    if (!key) return null;
    this.reported.delete(key.version);
    const isSame = before && !(before instanceof Error) && before.key.version === key.version;
    // It knows which models the server has.
    return { key, model: isSame ? before.model : this.makeModel(key) };
  }
}
