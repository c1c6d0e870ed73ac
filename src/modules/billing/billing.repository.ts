import { Injectable } from '@nestjs/common';
import { toSafeInteger } from '../../database/columns.js';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import type { HoldTerms } from './holds/hold-terms.js';
import { LedgerEntry, type LedgerKind } from './ledger-entry.entity.js';
import { UTC_DAY } from '../../database/utc-windows.js';
import { Wallet } from './wallet.entity.js';

export interface NewHold {
  readonly id: string;
  readonly userId: number;
  readonly kind: LedgerKind;
  readonly amountMicros: number;
  readonly reference: string;
}

interface Movement {
  readonly userId: number;
  readonly kind: LedgerKind;
  readonly amountMicros: number;
  readonly reference: string;
}

export type MovementOfLedger = Pick<LedgerEntry, 'id' | 'kind' | 'amountMicros'>;

export interface WalletState {
  readonly freeMicros: number;
  /** Held now or spent today for the owner's own work. */
  readonly ownMicros: number;
}

/** What counts against the daily cap of the owner's own work: visitors cannot use it up. */
const OWN_MICROS = `held_micros
  + CASE WHEN spent_on = ${UTC_DAY} THEN spent_micros ELSE 0 END
  - CASE WHEN visitors_on >= ${UTC_DAY} THEN visitors_micros ELSE 0 END`;

/** One guarded statement decides each movement: there is no read before it that could be out of date. */
@Injectable()
export class BillingRepository {
  constructor(private readonly database: Database) {}

  async closeWallet(userId: number, tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM holds WHERE user_id = $1', [userId], tx);
    await this.database.query(
      `WITH closed AS (DELETE FROM wallets WHERE user_id = $1 RETURNING user_id, balance_micros)
       INSERT INTO ledger_entries (user_id, kind, amount_micros, balance_after_micros, reference)
       SELECT user_id, 'account_closed', -balance_micros, 0, 'account_closed' FROM closed WHERE balance_micros > 0`,
      [userId],
      tx,
    );
  }

  countEntries(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(LedgerEntry, { userId });
  }

  async createWallet(userId: number, tx: Tx): Promise<void> {
    await this.database.query(
      'INSERT INTO wallets (user_id) VALUES ($1) ON CONFLICT DO NOTHING',
      [userId],
      tx,
    );
  }

  findWallet(userId: number, tx?: Tx): Promise<Wallet | null> {
    return this.database.manager(tx).findOneBy(Wallet, { userId });
  }

  /** Sets money aside; false, and nothing is, when the free balance or a limit does not allow it. */
  async hold(userId: number, reference: string, terms: HoldTerms, tx: Tx): Promise<boolean> {
    const [row] = await this.database.writePrepared<{ held: boolean }>(
      'SELECT hold_money($1, $2, $3) AS held',
      [userId, reference, JSON.stringify(terms)],
      tx,
    );
    return row?.held ?? false;
  }

  /** Sets more aside in an open hold of the owner's work; false, and nothing is, as in {@link hold}. */
  async raise(holdId: string, amountMicros: number, dailyCapMicros: number | null, tx: Tx): Promise<boolean> {
    const rows = await this.database.writePrepared(
      `WITH raised AS (
         UPDATE wallets SET held_micros = held_micros + $2
         WHERE user_id = (SELECT user_id FROM holds WHERE id = $1 AND state = 'held')
           AND balance_micros - held_micros >= $2 AND ($3::bigint IS NULL OR ${OWN_MICROS} + $2 <= $3)
         RETURNING user_id)
       UPDATE holds SET amount_micros = amount_micros + $2 FROM raised WHERE id = $1 RETURNING id`,
      [holdId, amountMicros, dailyCapMicros],
      tx,
    );
    return rows.length > 0;
  }

  /** What the wallet has left, and what the owner's work has used today; locked, so that it stays true for the transaction. */
  lockWallet(userId: number, tx: Tx): Promise<WalletState> {
    return this.readState(userId, 'FOR NO KEY UPDATE', tx);
  }

  /** The same at this moment: nothing is locked. */
  walletState(userId: number): Promise<WalletState> {
    return this.readState(userId, '');
  }

  private async readState(userId: number, lock: '' | 'FOR NO KEY UPDATE', tx?: Tx): Promise<WalletState> {
    const [row] = await this.database.readPrepared<{ free: string; own: string }>(
      `SELECT balance_micros - held_micros AS free, ${OWN_MICROS} AS own FROM wallets WHERE user_id = $1 ${lock}`,
      [userId],
      tx,
    );
    return {
      freeMicros: toSafeInteger(row?.free ?? 0),
      ownMicros: toSafeInteger(row?.own ?? 0),
    };
  }

  /** Sets the money of all holds aside; false, and nothing is, when the free balance is too small. */
  async holdAll(userId: number, holds: readonly NewHold[], tx: Tx): Promise<boolean> {
    const rows = await this.database.writePrepared(
      `WITH new AS (
         SELECT * FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::text[]) AS n (id, kind, amount, reference)),
       funded AS (
         UPDATE wallets SET held_micros = held_micros + (SELECT sum(amount) FROM new)
         WHERE user_id = $1 AND balance_micros - held_micros >= (SELECT sum(amount) FROM new)
         RETURNING user_id)
       INSERT INTO holds (id, user_id, kind, amount_micros, reference)
       SELECT new.id, funded.user_id, new.kind, new.amount, new.reference FROM funded, new
       RETURNING id`,
      [
        userId,
        holds.map(({ id }) => id),
        holds.map(({ kind }) => kind),
        holds.map(({ amountMicros }) => amountMicros),
        holds.map(({ reference }) => reference),
      ],
      tx,
    );
    return rows.length === holds.length;
  }

  /**
   * Turns a hold into a charge of all that was held, or of less. False when it is not open any more, or holds less
   * than the charge.
   */
  async capture(holdId: string, amountMicros: number | null, tx: Tx): Promise<boolean> {
    const [row] = await this.database.writePrepared<{ charge: string | null }>(
      'SELECT capture_hold($1, $2) AS charge',
      [holdId, amountMicros],
      tx,
    );
    return typeof row?.charge === 'string';
  }

  /** The wallet has the money back with the commit: the trigger `holds_voided` sees to it. */
  async void(holdId: string, tx?: Tx): Promise<void> {
    await this.database.writePrepared('SELECT void_hold($1)', [holdId], tx);
  }

  /** Open holds older than `olderThanMs`: work that died. Those of calls live as long as their calls, and are theirs. */
  findStaleHolds(olderThanMs: number, limit: number): Promise<string[]> {
    return this.database.values<string>(
      `SELECT id FROM holds WHERE state = 'held' AND kind <> 'call' AND created_at < now() - make_interval(secs => $1)
       ORDER BY created_at LIMIT $2`,
      [olderThanMs / 1000, limit],
    );
  }

  /**
   * Deletes up to `limit` holds that were captured or voided and are older than this; returns how many. One that the run
   * of a call still refers to stays.
   */
  removeSettledHolds(ageMs: number, limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM holds WHERE id IN (
         SELECT id FROM holds WHERE state <> 'held' AND created_at < now() - $1 * interval '1 ms'
           AND NOT EXISTS (SELECT FROM active_calls WHERE hold_id = holds.id)
         ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [ageMs, limit],
    );
  }

  /** Adds money. The same reference adds it once. */
  async credit(movement: Movement, tx: Tx): Promise<void> {
    await this.database.query(
      `WITH fresh AS (
         SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ledger_entries WHERE user_id = $1 AND reference = $4)),
       paid AS (
         UPDATE wallets SET balance_micros = balance_micros + $3 FROM fresh WHERE user_id = $1
         RETURNING balance_micros)
       INSERT INTO ledger_entries (user_id, kind, amount_micros, balance_after_micros, reference)
       SELECT $1, $2, $3, paid.balance_micros, $4 FROM paid`,
      [movement.userId, movement.kind, movement.amountMicros, movement.reference],
      tx,
    );
  }

  /** Id of the newest movement of all accounts; `0` without any. */
  async newestEntryId(): Promise<string> {
    const [row] = await this.database.query<{ id: string }>(
      'SELECT id FROM ledger_entries ORDER BY id DESC LIMIT 1',
    );
    return row?.id ?? '0';
  }

  /** Movements of all accounts after that id, the oldest first. */
  async entriesAfter(id: string, limit: number): Promise<MovementOfLedger[]> {
    const rows = await this.database.query<{ id: string; kind: LedgerKind; amount: string }>(
      `SELECT id, kind, amount_micros AS amount FROM ledger_entries WHERE id > $1 ORDER BY id LIMIT $2`,
      [id, limit],
    );
    return rows.map((row) => ({ id: row.id, kind: row.kind, amountMicros: toSafeInteger(row.amount) }));
  }

  async pageOfEntries(userId: number, { page, perPage }: PageRequest): Promise<PageOf<LedgerEntry>> {
    const manager = this.database.manager();
    const [rows, counted] = await Promise.all([
      manager.find(LedgerEntry, {
        where: { userId },
        order: { id: 'DESC' },
        skip: (page - 1) * perPage,
        take: perPage,
      }),
      this.database.query<{ total: string }>(
        'SELECT count(*) AS total FROM ledger_entries WHERE user_id = $1',
        [userId],
      ),
    ]);
    return { rows, total: toSafeInteger(counted[0]?.total ?? 0) };
  }
}
