import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import { TooManyRequestsError } from '../../../common/errors/errors.js';
import { LimitsConfig } from '../../../config/config.js';
import type { Tx } from '../../../database/transactions.js';
import { type BackoffRule, LoginBackoffRepository } from './login-backoff.repository.js';

const RULE: BackoffRule = { freeFailures: 10, longestSeconds: 900, forgottenAfterSeconds: 86_400 };

/** Whose password is given: a member's, or that of the account. */
type Person = Pick<Principal, 'userId' | 'memberId'>;

/** An admitted login attempt, whose result is still to be recorded. */
export interface Admission {
  readonly subject: Buffer;
  /** From an address that has logged in to this account before. */
  readonly isKnown: boolean;
  readonly origin: Buffer;
}

/**
 * Slows guessing at one account, from however many addresses and at however many processes. An address that has logged
 * in before is counted by itself, so that strangers who guess cannot lock the owner out. An e-mail without an account is
 * treated as one with. With RATE_LIMITS=off nothing is slowed.
 */
@Injectable()
export class LoginBackoffService {
  constructor(
    private readonly backoffs: LoginBackoffRepository,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * Lets a login through, which counts as failed until it has succeeded.
   *
   * @param address what {@link ClientOrigin} says the request came from
   * @throws TooManyRequestsError while the account, or the known address, has to wait
   */
  async admitLogin(email: string, address: string): Promise<Admission> {
    const account = email.trim().toLowerCase();
    const origin = hashOf('login', account, address);
    const isKnown = this.limits.enabled && (await this.backoffs.isKnown(origin));
    const subject = isKnown ? origin : hashOf('login', account);
    await this.admit(subject);
    return { subject, isKnown, origin };
  }

  async loginSucceeded({ subject, isKnown, origin }: Admission, userId: number): Promise<void> {
    if (!this.limits.enabled) return;
    if (isKnown) await this.backoffs.forget(subject);
    else await this.backoffs.takeBack(subject);
    await this.backoffs.rememberAddress(origin, userId);
  }

  /** Of an account that was opened from there. */
  async rememberAddress({ id, email }: { id: number; email: string }, address: string): Promise<void> {
    if (this.limits.enabled) await this.backoffs.rememberAddress(hashOf('login', email, address), id);
  }

  /** For a person who has just set a new password: wrong guesses at the old one no longer delay logins. */
  async passwordReset(account: { id: number; email: string }, address: string): Promise<void> {
    if (!this.limits.enabled) return;
    await this.backoffs.forget(hashOf('login', account.email));
    await this.backoffs.forget(hashOf('login', account.email, address));
    await this.rememberAddress(account, address);
  }

  /**
   * The same for who is logged in and gives the current password. Each person of an account has a count of their own: the
   * passwords are different ones.
   *
   * @throws TooManyRequestsError
   */
  admitPasswordCheck(person: Person): Promise<void> {
    return this.admit(passwordSubjectOf(person));
  }

  async passwordCheckSucceeded(person: Person): Promise<void> {
    if (this.limits.enabled) await this.backoffs.forget(passwordSubjectOf(person));
  }

  /** A person who knew the old password may have logged in from any of them. */
  forgetAddresses(userId: number, tx: Tx): Promise<void> {
    return this.backoffs.forgetAddresses(userId, tx);
  }

  private async admit(subject: Buffer): Promise<void> {
    if (!this.limits.enabled || (await this.backoffs.admit(subject, RULE))) return;
    throw new TooManyRequestsError(await this.backoffs.waitSeconds(subject));
  }
}

function passwordSubjectOf({ userId, memberId }: Person): Buffer {
  return hashOf('password', String(userId), ...(memberId === undefined ? [] : [String(memberId)]));
}

function hashOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
