import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/transactions.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { BillingService } from '../billing/billing.service.js';
import { EmailTakenError } from './accounts.errors.js';
import { LRUCache } from 'lru-cache';
import { type AccountSettings, AccountsRepository, type AccountWithBalance } from './accounts.repository.js';
import { hashPassword, verifyPassword } from './password.js';
import type { Plan } from './plan.entity.js';
import type { User } from './user.entity.js';

const DEFAULT_PLAN = 'standard';

/** A changed time zone is followed by every process within a second. */
const ZONE_LIFETIME_MS = 900;
const KNOWN_ZONES = 10_000;

/** An account as other modules know it. */
export type Account = Pick<
  User,
  'id' | 'name' | 'email' | 'timezone' | 'defaultCountry' | 'isCallSharingOn' | 'isSetUp'
>;

/** An account with the hash of its password, which its owner has to know still when the session begins. */
export type AccountWithPassword = Account & Pick<User, 'passwordHash'>;

/** A change of password that has been worked out and not been made. */
export interface PasswordReplacement {
  readonly userId: number;
  readonly oldHash: string;
  readonly newHash: string;
}

export type PlanLimits = Readonly<Omit<Plan, 'id' | 'code' | 'name'>>;

export interface AccountDetails {
  readonly name: string;
  readonly email: string;
  /** Without one, the account can use API keys only. */
  readonly password?: string;
  readonly timezone?: string;
  readonly defaultCountry?: string;
  /** False for one that is made in several steps; see {@link AccountsService.markSetUp}. */
  readonly isSetUp?: boolean;
}

@Injectable()
export class AccountsService {
  private readonly timeZones = new LRUCache<number, string>({ max: KNOWN_ZONES, ttl: ZONE_LIFETIME_MS });
  /** Of the database, which knows the same ones for as long as this process runs. */
  private zoneNames: ReadonlySet<string> | null = null;

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Makes an account and its wallet, together with what else belongs to it.
   *
   * @param withIt what is done in the same transaction, given the account
   * @throws EmailTakenError
   * @throws ValidationFailedError for a time zone that the database does not know
   */
  async create(
    { password, ...details }: AccountDetails,
    withIt: (account: Account, tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<AccountWithPassword> {
    await this.assertZoneKnown(details.timezone);
    const passwordHash = password === undefined ? null : await hashPassword(password);
    return this.transactions.run(async (tx) => {
      const email = details.email.toLowerCase();
      if (await this.accounts.isMemberEmail(email, tx)) throw new EmailTakenError();
      const user = await this.accounts.add({ ...details, email, passwordHash }, DEFAULT_PLAN, tx);
      if (!user) throw new EmailTakenError();
      await this.billing.openWallet(user.id, tx);
      await withIt(user, tx);
      return user;
    });
  }

  /** Says that nothing of a first start is missing any more. */
  markSetUp(userId: number): Promise<void> {
    return this.accounts.markSetUp(userId);
  }

  find(userId: number): Promise<Account | null> {
    return this.accounts.findById(userId);
  }

  /** The account behind a valid token; a missing one is a fault, not a user's mistake. */
  async get(userId: number, tx?: Tx): Promise<Account> {
    return rowOrFault(await this.accounts.findById(userId, tx), userId);
  }

  /** The same with the balance of its wallet, in the name of the member who asks. */
  async getWithBalance(userId: number, memberId?: number): Promise<AccountWithBalance> {
    return rowOrFault(await this.accounts.findWithBalance(userId, memberId ?? null), userId);
  }

  /** By which zone the account's days and plain times go, as it was within the last second. */
  async timeZoneOf(userId: number): Promise<string> {
    const known = this.timeZones.get(userId);
    if (known !== undefined) return known;
    const { timezone } = await this.get(userId);
    this.timeZones.set(userId, timezone);
    return timezone;
  }

  /** The time zones that the database knows, in small letters: it does not tell them from capitals. */
  async knownTimeZones(): Promise<ReadonlySet<string>> {
    this.zoneNames ??= new Set((await this.accounts.timeZoneNames()).map((name) => name.toLowerCase()));
    return this.zoneNames;
  }

  /**
   * Changes what is given, and says how it is then.
   *
   * @throws ValidationFailedError for a time zone that the database does not know
   */
  async changeSettings(userId: number, changes: Partial<AccountSettings>): Promise<AccountSettings> {
    await this.assertZoneKnown(changes.timezone);
    const settings = rowOrFault(await this.accounts.updateSettings(userId, changes), userId);
    this.timeZones.set(userId, settings.timezone);
    return settings;
  }

  findByEmail(email: string): Promise<Account | null> {
    return this.accounts.findByEmail(email.toLowerCase());
  }

  /** For a login, which compares the password. */
  findWithPassword(email: string): Promise<AccountWithPassword | null> {
    return this.accounts.findByEmail(email.toLowerCase());
  }

  /** Whether a login gave the right password. Null, for an unknown e-mail, takes the same work as a wrong password. */
  isLogin(person: { readonly passwordHash: string | null } | null, password: string): Promise<boolean> {
    return verifyPassword(password, person?.passwordHash ?? null);
  }

  /** Whether the password that was given is the account's still; if so, it stays so until the transaction ends. */
  isStillVerified({ id, passwordHash }: AccountWithPassword, tx: Tx): Promise<boolean> {
    return this.accounts.lockPassword(id, passwordHash, tx);
  }

  /** Works a change of password out, which takes long, ahead of the transaction; null when `current` is wrong. */
  async prepareNewPassword(
    userId: number,
    current: string,
    next: string,
  ): Promise<PasswordReplacement | null> {
    const user = await this.accounts.findById(userId);
    const matches = await verifyPassword(current, user?.passwordHash ?? null);
    if (!user?.passwordHash || !matches) return null;
    return { userId, oldHash: user.passwordHash, newHash: await hashPassword(next) };
  }

  /** False when the password was changed in the meantime. */
  replacePassword({ userId, oldHash, newHash }: PasswordReplacement, tx: Tx): Promise<boolean> {
    return this.accounts.replacePassword(userId, oldHash, newHash, tx);
  }

  /** Works a new password out, which takes long, ahead of the transaction that sets it. */
  hashNewPassword(password: string): Promise<string> {
    return hashPassword(password);
  }

  /** Sets what {@link hashNewPassword} has made, without a check of the old password. */
  setPassword(userId: number, passwordHash: string, tx: Tx): Promise<void> {
    return this.accounts.setPassword(userId, passwordHash, tx);
  }

  /** Whether the password is the account's; true for one that has none. */
  async isPasswordOf(userId: number, password: string): Promise<boolean> {
    const { passwordHash } = rowOrFault(await this.accounts.findById(userId), userId);
    return passwordHash === null || verifyPassword(password, passwordHash);
  }

  /** Removes name, e-mail and password from an account that is being deleted: no login and no link to a call works any more. */
  anonymise(userId: number, tx: Tx): Promise<void> {
    return this.accounts.anonymise(userId, tx);
  }

  /** Deletes the account itself, of which nothing else is left. Its wallet is closed before. */
  remove(userId: number, tx: Tx): Promise<void> {
    return this.accounts.delete(userId, tx);
  }

  /** Moves an account to the plan of that code; false when there is none. */
  moveToPlan(userId: number, planCode: string): Promise<boolean> {
    return this.accounts.setPlan(userId, planCode);
  }

  async limitsOf(userId: number): Promise<PlanLimits> {
    return planOrFault(await this.accounts.findPlan(userId), userId);
  }

  /**
   * The plan's limits, with the account locked until the transaction ends: who counts and then adds under this lock
   * cannot be overtaken by another who does the same.
   */
  async lockLimits(userId: number, tx: Tx): Promise<PlanLimits> {
    return planOrFault(await this.accounts.lockPlan(userId, tx), userId);
  }

  /** Campaigns of the account begin with its zone, and their hours are reckoned by the database. */
  private async assertZoneKnown(zone: string | undefined): Promise<void> {
    if (zone === undefined || (await this.knownTimeZones()).has(zone.toLowerCase())) return;
    throw ValidationFailedError.of('timezone', 'validation.timezone_unknown');
  }
}

function rowOrFault<Row>(row: Row | null, userId: number): Row {
  if (!row) throw new Error(`account ${userId} has a token but no row`);
  return row;
}

function planOrFault(plan: Plan | null, userId: number): PlanLimits {
  if (!plan) throw new Error(`account ${userId} has no plan`);
  return plan;
}
