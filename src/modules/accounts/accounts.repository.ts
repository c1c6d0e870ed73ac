import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { saveUnlessTaken } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { Plan } from './plan.entity.js';
import { User } from './user.entity.js';

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly timezone?: string;
  readonly defaultCountry?: string;
  readonly isSetUp?: boolean;
}

/** What an account's times and numbers are read by. */
export interface AccountSettings {
  readonly timezone: string;
  readonly defaultCountry: string;
  readonly isCallSharingOn: boolean;
}

export interface AccountWithBalance {
  readonly name: string;
  readonly email: string;
  readonly balanceMicros: number;
}

@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  async findById(userId: number, tx?: Tx): Promise<User | null> {
    const [user] = await this.database.readPrepared<User>(
      `SELECT ${this.database.columnsOf(User, 'users')} FROM users WHERE id = $1`,
      [userId],
      tx,
    );
    return user ?? null;
  }

  /**
   * What an account is shown of itself, in one statement because it is asked for all the time. It reads the wallet, which
   * is billing's table, for nothing but its balance.
   */
  async findWithBalance(userId: number, memberId: number | null): Promise<AccountWithBalance | null> {
    const [row] = await this.database.readPrepared<{ name: string; email: string; balance: string }>(
      `SELECT coalesce(members.name, users.name) AS name, coalesce(members.email, users.email) AS email,
         coalesce(wallets.balance_micros, 0) AS balance
       FROM users LEFT JOIN wallets ON wallets.user_id = users.id
         LEFT JOIN members ON members.user_id = users.id AND members.id = $2
       WHERE users.id = $1`,
      [userId, memberId],
    );
    return row ? { name: row.name, email: row.email, balanceMicros: Number(row.balance) } : null;
  }

  /** Whether a member of some account signs in with it. */
  isMemberEmail(email: string, tx: Tx): Promise<boolean> {
    return this.database.matches('SELECT FROM members WHERE email = $1', [email], tx);
  }

  findByEmail(email: string): Promise<User | null> {
    return this.database.manager().findOneBy(User, { email });
  }

  /** Adds an account on the plan of that code; null when the e-mail is taken. */
  async add(user: NewUser, planCode: string, tx: Tx): Promise<User | null> {
    const manager = this.database.manager(tx);
    const plan = await manager.findOneByOrFail(Plan, { code: planCode });
    return saveUnlessTaken(manager, manager.create(User, { ...user, planId: plan.id }), 'users_email_key');
  }

  /** Whether this is the account's password still; if so, it stays so until the transaction ends. */
  lockPassword(userId: number, passwordHash: string | null, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'SELECT FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE',
      [userId, passwordHash],
      tx,
    );
  }

  /** False when the password is not the old one any more. */
  replacePassword(userId: number, oldHash: string, newHash: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `UPDATE users SET password_hash = $3, updated_at = now() WHERE id = $1 AND password_hash = $2 RETURNING id`,
      [userId, oldHash, newHash],
      tx,
    );
  }

  async setPassword(userId: number, passwordHash: string, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE users SET password_hash = $2, updated_at = now() WHERE id = $1',
      [userId, passwordHash],
      tx,
    );
  }

  /** The address is one that cannot exist, of a domain that is reserved for that. Links to calls stop working. */
  async anonymise(userId: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE users SET name = '', email = 'deleted-' || id || '@prosa.invalid', password_hash = NULL,
         is_call_sharing_on = false, updated_at = now()
       WHERE id = $1`,
      [userId],
      tx,
    );
  }

  /** With its own plan, if it has one, and with what is still left of its rows. */
  async delete(userId: number, tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM users WHERE id = $1', [userId], tx);
    await this.database.query("DELETE FROM plans WHERE code = 'own-' || $1::integer", [userId], tx);
  }

  /** False when there is no such plan. */
  setPlan(userId: number, planCode: string): Promise<boolean> {
    return this.database.matches(
      'UPDATE users SET plan_id = plans.id FROM plans WHERE users.id = $1 AND plans.code = $2 RETURNING users.id',
      [userId, planCode],
    );
  }

  updateSettings(userId: number, changes: Partial<AccountSettings>): Promise<AccountSettings | null> {
    return this.database.first<AccountSettings>(
      `UPDATE users SET timezone = coalesce($2, timezone), default_country = coalesce($3, default_country),
         is_call_sharing_on = coalesce($4, is_call_sharing_on), updated_at = now()
       WHERE id = $1
       RETURNING timezone, default_country AS "defaultCountry", is_call_sharing_on AS "isCallSharingOn"`,
      [userId, changes.timezone ?? null, changes.defaultCountry ?? null, changes.isCallSharingOn ?? null],
    );
  }

  /** The time zones that the database knows. It reads all their files for this. */
  timeZoneNames(): Promise<string[]> {
    return this.database.values<string>('SELECT name FROM pg_timezone_names');
  }

  async markSetUp(userId: number): Promise<void> {
    await this.database.query('UPDATE users SET is_set_up = true WHERE id = $1', [userId]);
  }

  async findPlan(userId: number): Promise<Plan | null> {
    return this.database
      .manager()
      .createQueryBuilder(Plan, 'plan')
      .innerJoin(User, 'account', 'account.plan_id = plan.id')
      .where('account.id = :userId', { userId })
      .getOne();
  }

  /**
   * Reads the plan and keeps the account's row locked until the transaction ends. Rows that refer to the account may
   * be written in the meantime. A transaction that has written one can therefore still ask for this lock without a
   * deadlock.
   */
  async lockPlan(userId: number, tx: Tx): Promise<Plan | null> {
    const [plan] = await this.database.readPrepared<Plan>(
      `SELECT ${this.database.columnsOf(Plan, 'plan')} FROM users account JOIN plans plan ON plan.id = account.plan_id
       WHERE account.id = $1 FOR NO KEY UPDATE OF account`,
      [userId],
      tx,
    );
    return plan ?? null;
  }
}
