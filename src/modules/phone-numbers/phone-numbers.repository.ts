import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { Database } from '../../database/database.js';
import { deleteOne, findLocked } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { PhoneNumberGrant } from './phone-number-grant.entity.js';
import { PhoneNumber } from './phone-number.entity.js';

export type NewPhoneNumber = Pick<PhoneNumber, 'userId' | 'phoneNumber' | 'countryCode' | 'type'> &
  Partial<
    Pick<PhoneNumber, 'nickname' | 'region' | 'smsCapable' | 'carrierAccountId' | 'verifiedAt' | 'verifiedBy'>
  >;

/** Two index scans; an OR over both would read the numbers of all accounts. */
const VISIBLE = `number.id IN (
  SELECT id FROM phone_numbers WHERE user_id = :userId
  UNION ALL SELECT phone_number_id FROM phone_number_grants WHERE user_id = :userId)`;

/** A month of a rented number that is to be paid. */
export interface RentDue {
  readonly id: number;
  readonly userId: number;
  readonly phoneNumber: string;
  readonly priceMicros: number;
  /** The day it begins, in UTC: YYYY-MM-DD. */
  readonly from: string;
}

/** When so many months are over since the number was rented. */
const dueAfter = (months: string) =>
  `(created_at AT TIME ZONE 'UTC' + make_interval(months => ${months})) AT TIME ZONE 'UTC'`;

@Injectable()
export class PhoneNumbersRepository {
  constructor(private readonly database: Database) {}

  find(userId: number, id: number, tx?: Tx): Promise<PhoneNumber | null> {
    return this.database.manager(tx).findOneBy(PhoneNumber, { userId, id });
  }

  /** Of any account. */
  findNamed(id: number): Promise<PhoneNumber | null> {
    return this.database.manager().findOneBy(PhoneNumber, { id });
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<PhoneNumber | null> {
    return findLocked(this.database.manager(tx), PhoneNumber, { userId, id });
  }

  listOf(userId: number): Promise<PhoneNumber[]> {
    return this.database.manager().find(PhoneNumber, { where: { userId }, order: { id: 'ASC' } });
  }

  /** Numbers that can be called, of all accounts; the rented one first, then the one proven last, then the oldest. */
  findDialled(phoneNumber: string): Promise<PhoneNumber[]> {
    return this.database.manager().find(PhoneNumber, {
      where: { phoneNumber, type: In(['normal', 'sip']) },
      order: { type: 'ASC', verifiedAt: { direction: 'DESC', nulls: 'LAST' }, id: 'ASC' },
    });
  }

  findOwned(userId: number, ids: readonly number[], tx: Tx): Promise<PhoneNumber[]> {
    return this.database.findPrepared(PhoneNumber, 'user_id = $1 AND id = ANY($2::int[])', [userId, ids], tx);
  }

  owns(userId: number, phoneNumber: string, tx: Tx): Promise<boolean> {
    return this.database.manager(tx).existsBy(PhoneNumber, { userId, phoneNumber });
  }

  /** The account's own numbers and those granted to it. */
  listVisible(userId: number): Promise<PhoneNumber[]> {
    return this.visible(userId).getMany();
  }

  /** Those of the visible numbers that are rented and can send text messages. */
  listVisibleSmsCapable(userId: number): Promise<PhoneNumber[]> {
    return this.visible(userId).andWhere("number.type = 'normal' AND number.sms_capable").getMany();
  }

  /** Those of the numbers that an account rents or is about to rent or give back. */
  async findTaken(phoneNumbers: readonly string[], tx?: Tx): Promise<string[]> {
    const rows = await this.database.query<{ phone_number: string }>(
      `SELECT phone_number FROM phone_numbers WHERE type = 'normal' AND phone_number = ANY($1)
       UNION SELECT phone_number FROM carrier_orders WHERE phone_number = ANY($1)`,
      [phoneNumbers],
      tx,
    );
    return rows.map(({ phone_number: phoneNumber }) => phoneNumber);
  }

  async isRented(phoneNumber: string, tx: Tx): Promise<boolean> {
    return this.database.manager(tx).existsBy(PhoneNumber, { phoneNumber, type: 'normal' });
  }

  /** Of any account. */
  findRented(phoneNumber: string): Promise<PhoneNumber | null> {
    return this.database.manager().findOneBy(PhoneNumber, { phoneNumber, type: 'normal' });
  }

  add(number: NewPhoneNumber, tx: Tx): Promise<PhoneNumber> {
    const manager = this.database.manager(tx);
    return manager.save(manager.create(PhoneNumber, number));
  }

  /** The first month is paid with the purchase; the others are due on its day. */
  async beginRent(id: number, monthlyPriceMicros: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE phone_numbers SET monthly_price_micros = $2, rent_months_paid = 1, rent_due_at = ${dueAfter('1')}
       WHERE id = $1`,
      [id, monthlyPriceMicros],
      tx,
    );
  }

  /** The next number behind `afterId` with a month to be paid, locked; those that another process has are left out. */
  lockRentDue(afterId: number, tx: Tx): Promise<RentDue | null> {
    return this.database.first<RentDue>(
      `SELECT id, user_id AS "userId", phone_number AS "phoneNumber", monthly_price_micros::float8 AS "priceMicros",
         to_char(rent_due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "from"
       FROM phone_numbers WHERE rent_due_at <= now() AND monthly_price_micros IS NOT NULL AND id > $1
       ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
      [afterId],
      tx,
    );
  }

  /** The account has proven the number by a call of that carrier: all its rows of it. @returns them, the oldest first */
  async markVerified(userId: number, phoneNumber: string, carrier: string, tx: Tx): Promise<PhoneNumber[]> {
    await this.database.query(
      `UPDATE phone_numbers SET verified_at = now(), verified_by = $3, updated_at = now()
       WHERE user_id = $1 AND phone_number = $2`,
      [userId, phoneNumber, carrier],
      tx,
    );
    return this.database
      .manager(tx)
      .find(PhoneNumber, { where: { userId, phoneNumber }, order: { id: 'ASC' } });
  }

  /** Another month is paid. Counted from the first day, so that the 31st comes back after a short month. */
  async extendRent(id: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE phone_numbers SET rent_months_paid = rent_months_paid + 1, rent_unpaid_since = NULL,
         rent_due_at = ${dueAfter('rent_months_paid + 1')}
       WHERE id = $1`,
      [id],
      tx,
    );
  }

  /** The month that is due cannot be paid. @returns since when, where that was not known before */
  markRentUnpaid(id: number, tx: Tx): Promise<Date | null> {
    return this.database.value<Date>(
      `UPDATE phone_numbers SET rent_unpaid_since = now() WHERE id = $1 AND rent_unpaid_since IS NULL
       RETURNING rent_unpaid_since AS since`,
      [id],
      tx,
    );
  }

  /** Those that the account pays for by the month, the oldest first. */
  listRentedByMonth(userId: number): Promise<PhoneNumber[]> {
    return this.database
      .manager()
      .find(PhoneNumber, { where: { userId, rentDueAt: Not(IsNull()) }, order: { id: 'ASC' } });
  }

  save(number: PhoneNumber, tx: Tx): Promise<PhoneNumber> {
    return this.database.manager(tx).save(number);
  }

  delete(userId: number, id: number, tx?: Tx): Promise<boolean> {
    return deleteOne(this.database.manager(tx), PhoneNumber, { userId, id });
  }

  /** Lets `granteeId` see the owner's number; false when the owner has no such number. */
  grant(userId: number, id: number, granteeId: number): Promise<boolean> {
    return this.database.matches(
      `WITH own AS (SELECT id FROM phone_numbers WHERE user_id = $1 AND id = $2),
       granted AS (
         INSERT INTO phone_number_grants (phone_number_id, user_id) SELECT id, $3 FROM own
         ON CONFLICT DO NOTHING)
       SELECT id FROM own`,
      [userId, id, granteeId],
    );
  }

  async revoke(userId: number, id: number, granteeId: number): Promise<boolean> {
    const number = await this.find(userId, id);
    if (!number) return false;
    await this.database.manager().delete(PhoneNumberGrant, { phoneNumberId: id, userId: granteeId });
    return true;
  }

  private visible(userId: number) {
    return this.database
      .manager()
      .createQueryBuilder(PhoneNumber, 'number')
      .where(VISIBLE, { userId })
      .orderBy('number.id');
  }
}
