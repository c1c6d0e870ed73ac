import type { SealedColumn } from '../../common/crypto/sealed-column.js';
import { type SecretBox, SecretUnreadableError } from '../../common/crypto/secret-box.js';
import { EncryptionKeyError } from './encryption-key.error.js';
import type { EncryptionKeysRepository } from './encryption-keys.repository.js';
import { RECORD_EVERY_MS } from './key-use.service.js';
import type { SealedValue } from './sealed-value-sql.js';
import type { SealedValuesRepository } from './sealed-values.repository.js';

const BATCH = 200;
/** A process that seals with a key records it at least every {@link RECORD_EVERY_MS}. */
const IDLE_MS = 2 * RECORD_EVERY_MS;

/** A key that the database needs. */
export interface KeyStatus {
  readonly id: string;
  /** Whether this process has it. */
  readonly isKnown: boolean;
  /** Whether this process seals with it. */
  readonly isCurrent: boolean;
  /** How many values are sealed with it, by place. */
  readonly values: Readonly<Record<string, number>>;
}

export interface Resealed {
  readonly resealed: number;
  /** Values that no key of this process opens. They stay as they are. */
  readonly unreadable: number;
  /** Keys that no value needs any more. */
  readonly removed: readonly string[];
  /** Keys without values, with which another process still seals. */
  readonly inUse: readonly string[];
}

/** Compares the keys of a process with those that the database needs, and seals values with the current one. */
export class EncryptionKeysService {
  constructor(
    private readonly keys: EncryptionKeysRepository,
    private readonly values: SealedValuesRepository,
    private readonly box: SecretBox,
    private readonly columns: readonly SealedColumn[],
  ) {}

  /**
   * Every key that the database needs must be one of this process. A database that has no ids yet gets those of its
   * values, once the newest value of each kind could be opened.
   *
   * @throws EncryptionKeyError
   */
  async check(): Promise<void> {
    const ids = await this.keys.list();
    if (ids.length === 0) return this.recordFirst();
    const missing = this.missingOf(ids);
    if (missing.length > 0) throw keysMissing(missing.join(', '));
  }

  /** Ids of recorded keys that this process does not have. Changes nothing. */
  async listMissing(): Promise<string[]> {
    return this.missingOf(await this.keys.list());
  }

  /** Keys in the order in which they came, those of values that are not recorded last. */
  async status(): Promise<KeyStatus[]> {
    const values = new Map<string, Record<string, number>>();
    for (const id of await this.keys.list()) values.set(id, {});
    for (const column of this.columns) {
      for (const [id, count] of await this.values.countByKey(column)) {
        const ofKey = values.get(id) ?? {};
        ofKey[column.place] = (ofKey[column.place] ?? 0) + count;
        values.set(id, ofKey);
      }
    }
    return [...values].map(([id, ofKey]) => ({
      id,
      isKnown: this.box.keyIds.includes(id),
      isCurrent: this.box.currentId === id,
      values: ofKey,
    }));
  }

  /** Seals every value with the current key, in batches and while processes run. */
  async reseal(): Promise<Resealed> {
    let resealed = 0;
    let unreadable = 0;
    for (const column of this.columns) {
      const done = await this.resealColumn(column);
      resealed += done.resealed;
      unreadable += done.unreadable;
    }
    if (resealed > 0) await this.keys.recordUse(this.box.currentId);
    const unused = (await this.status()).filter(
      ({ isCurrent, values }) => !isCurrent && Object.keys(values).length === 0,
    );
    const removed: string[] = [];
    for (const { id } of unused) if (await this.keys.removeIdle(id, IDLE_MS)) removed.push(id);
    const inUse = unused.map(({ id }) => id).filter((id) => !removed.includes(id));
    return { resealed, unreadable, removed, inUse };
  }

  private async resealColumn(column: SealedColumn): Promise<{ resealed: number; unreadable: number }> {
    let resealed = 0;
    let unreadable = 0;
    for (let after: readonly string[] | null = null; ;) {
      const page: SealedValue[] = await this.values.listOfOtherKeys(column, this.box.currentId, after, BATCH);
      for (const value of page) {
        const opened = this.open(column, value);
        if (opened === null) unreadable++;
        else if (await this.values.replace(column, value, this.seal(column, value, opened))) resealed++;
      }
      const last = page.at(-1);
      if (!last || page.length < BATCH) return { resealed, unreadable };
      after = last.key;
    }
  }

  private missingOf(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.box.keyIds.includes(id));
  }

  private async recordFirst(): Promise<void> {
    for (const column of this.columns) {
      const newest = await this.values.findNewest(column);
      if (newest && this.open(column, newest) === null) throw keysMissing(keyIdIn(newest.sealed));
    }
    const known = (await this.status()).filter(({ isKnown }) => isKnown);
    await this.keys.add(known.map(({ id }) => id));
  }

  private seal(column: SealedColumn, { userId, rowId }: SealedValue, plaintext: string): string {
    return this.box.seal(plaintext, { userId, column: column.place, rowId });
  }

  /** Null for a value that no key opens. */
  private open(column: SealedColumn, { userId, rowId, sealed }: SealedValue): string | null {
    try {
      return this.box.open(sealed, { userId, column: column.place, rowId });
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}

function keyIdIn(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

function keysMissing(ids: string): EncryptionKeyError {
  return new EncryptionKeyError(
    `The secrets in this database need the encryption key ${ids} (its id), which this process does not have: set ` +
      'ENCRYPTION_KEY as it was, with older keys after a comma, or copy the file encryption.key of that installation to ' +
      'DATA_DIR. npm run keys -- status lists the ids.',
  );
}
