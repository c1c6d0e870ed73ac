import type { Tx } from '../../database/transactions.js';
import type { Person } from './person.js';

/** Something that is held about a person. */
export interface PersonalRecord {
  /** What it is, such as `lead`. */
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What was found among some rows, and where to go on. */
export interface RecordPage {
  readonly records: readonly PersonalRecord[];
  /** Null after the last rows. */
  readonly next: string | null;
}

/** What was erased among some rows, and where to go on. */
export interface ErasedPage {
  /** Rows that held something. */
  readonly erased: number;
  /** Rows that cannot be erased yet, because a call or an answer in which they are used is under way. */
  readonly busy: number;
  /** Null after the last rows. */
  readonly next: string | null;
}

/**
 * One place where a module holds data about people. Rows are walked in short pages, so that no statement lasts long
 * however many an account has. Money stays: rows that explain it are emptied, others are deleted.
 */
export interface PersonalDataSource {
  /** What is counted under this name in the report of an erasure. */
  readonly name: string;
  /** @param after where the page before ended; null for the first */
  read(person: Person, after: string | null): Promise<RecordPage>;
  /** Can be repeated: what is erased is not found again. */
  erase(person: Person, after: string | null, tx: Tx): Promise<ErasedPage>;
}
