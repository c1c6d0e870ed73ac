import { LRUCache } from 'lru-cache';
import { SecretUnreadableError } from '../../../common/crypto/secret-box.js';
import type { ChatModel } from '../chat-model.js';
import type { AccountChatKey, AccountChatKeys } from './account-chat-keys.js';

/** A key that another process has changed or removed is used in this one for so long at most. */
const KEY_LIFETIME_MS = 10_000;
/** Room for 10,000 accounts without a key, or 1,000 with one. */
const CACHE_ROOM = 10_000;
const SIZE = { none: 1, model: 10 } as const;

/** A key with the model that is asked with it. */
export interface AccountModel {
  readonly key: AccountChatKey;
  readonly model: ChatModel;
}

/** What is known of an account: its model, that its key cannot be opened, or that it has none. */
type Known = AccountModel | SecretUnreadableError | null;

interface Entry {
  readonly known: Known;
  readonly endsAtMs: number;
}

/**
 * The models of accounts that have brought a key. What is known of an account is kept for ten seconds, so that a turn costs
 * no look-up; a change made in this process is followed at once. The connections are not kept here: models hold none of
 * their own, so one may be dropped while it still answers.
 */
export class AccountChatModels {
  private readonly entries = new LRUCache<number, Entry>({
    maxSize: CACHE_ROOM,
    sizeCalculation: ({ known }) => (known === null ? SIZE.none : SIZE.model),
  });
  /** Look-ups under way; what is forgotten meanwhile is not kept. */
  private readonly lookUps = new Map<number, Promise<Known>>();
  /** Versions of keys of which was told how they turned out, since they were read. */
  private readonly told = new LRUCache<string, 'refused' | 'accepted'>({ max: CACHE_ROOM / SIZE.model });
  private keys: AccountChatKeys | null = null;

  /**
   * @param makeModel without connections of its own
   * @param nowMs of a clock that never goes back
   */
  constructor(
    private readonly makeModel: (key: AccountChatKey) => ChatModel,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** To be called before the first question. */
  readFrom(keys: AccountChatKeys): void {
    this.keys = keys;
  }

  /** What is known of an account is looked up anew. */
  forget(userId: number): void {
    this.entries.delete(userId);
    this.lookUps.delete(userId);
  }

  /**
   * Null for an account without a key. While keys cannot be looked up, what was known last stays true.
   *
   * @returns the error for a key that cannot be opened
   * @throws whatever kept the key from being looked up, where nothing is known of the account
   */
  async find(userId: number): Promise<Known> {
    if (!this.keys) return null;
    const entry = this.entries.get(userId);
    if (entry && entry.endsAtMs > this.nowMs()) return entry.known;
    const running = this.lookUps.get(userId);
    if (running) return running;
    const lookUp = this.lookUp(userId, this.keys, entry, () => this.lookUps.get(userId) === lookUp);
    this.lookUps.set(userId, lookUp);
    try {
      return await lookUp;
    } finally {
      if (this.lookUps.get(userId) === lookUp) this.lookUps.delete(userId);
    }
  }

  /** The server has taken the key, or refused it: told once, where it was known otherwise. */
  turnedOut({ key }: AccountModel, how: 'refused' | 'accepted'): void {
    const known = this.told.get(key.version) ?? (key.isRefused ? 'refused' : 'accepted');
    if (known === how) return;
    this.told.set(key.version, how);
    this.keys?.chatKeyTurnedOut(key, how);
  }

  /** @param isCurrent whether nothing was changed since it began */
  private async lookUp(
    userId: number,
    keys: AccountChatKeys,
    before: Entry | undefined,
    isCurrent: () => boolean,
  ): Promise<Known> {
    const endsAtMs = this.nowMs() + KEY_LIFETIME_MS;
    const known = await this.read(userId, keys, before);
    if (isCurrent()) this.entries.set(userId, { known, endsAtMs });
    return known;
  }

  private async read(userId: number, keys: AccountChatKeys, before: Entry | undefined): Promise<Known> {
    let key: AccountChatKey | null;
    try {
      key = await keys.findChatKey(userId);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return error;
      if (before) return before.known;
      throw error;
    }
    if (!key) return null;
    this.told.delete(key.version);
    const last = before?.known;
    const isSame = last && !(last instanceof Error) && last.key.version === key.version;
    // It knows which models the server has.
    return { key, model: isSame ? last.model : this.makeModel(key) };
  }
}
