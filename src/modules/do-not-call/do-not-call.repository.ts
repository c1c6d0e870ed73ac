import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import type { Person } from '../../common/personal-data/person.js';
import { currentForm, formsOf } from '../../common/phone/e164.js';
import { Database } from '../../database/database.js';
import { deleteOne, findPage } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { DoNotCallEntry } from './do-not-call-entry.entity.js';
import type { DoNotCallSort } from './dto/do-not-call.request.js';

export interface DoNotCallPageRequest extends PageRequest {
  /** The newest come first by default. */
  readonly sort?: DoNotCallSort | undefined;
}

const ORDER_OF = {
  newest: { id: 'DESC' },
  oldest: { id: 'ASC' },
  number: { phoneNumber: 'ASC' },
} as const satisfies Readonly<Record<DoNotCallSort, object>>;

@Injectable()
export class DoNotCallRepository {
  constructor(private readonly database: Database) {}

  /** Adds a number; one that is listed already gets the new reason, unless none is given. */
  async put(
    userId: number,
    phoneNumber: string,
    reason: string | null,
    tx?: Tx,
  ): Promise<DoNotCallEntry | null> {
    await this.renew(userId, phoneNumber, tx);
    await this.database.query(
      `INSERT INTO do_not_call_entries (user_id, phone_number, reason) VALUES ($1, $2, $3)
       ON CONFLICT (user_id, phone_number)
       DO UPDATE SET reason = coalesce(excluded.reason, do_not_call_entries.reason)`,
      [userId, phoneNumber, reason],
      tx,
    );
    return this.database.manager(tx).findOneBy(DoNotCallEntry, { userId, phoneNumber });
  }

  find(userId: number, id: number, tx: Tx): Promise<DoNotCallEntry | null> {
    return this.database.manager(tx).findOneBy(DoNotCallEntry, { userId, id });
  }

  page(
    userId: number,
    phoneNumber: string | undefined,
    { sort = 'newest', ...page }: DoNotCallPageRequest,
  ): Promise<PageOf<DoNotCallEntry>> {
    return findPage(this.database.manager(), DoNotCallEntry, page, {
      where: { userId, ...(phoneNumber === undefined ? {} : { phoneNumber: In([...formsOf(phoneNumber)]) }) },
      order: ORDER_OF[sort],
    });
  }

  /** Those of the numbers that are listed, in whichever of its forms a number is given or listed. */
  async listedAmong(userId: number, phoneNumbers: readonly string[], tx?: Tx): Promise<Set<string>> {
    const rows = await this.database.readPrepared<{ phone_number: string }>(
      'SELECT phone_number FROM do_not_call_entries WHERE user_id = $1 AND phone_number = ANY($2::text[])',
      [userId, phoneNumbers.flatMap(formsOf)],
      tx,
    );
    const listed = new Set(rows.map(({ phone_number: phoneNumber }) => currentForm(phoneNumber)));
    return new Set(phoneNumbers.filter((phoneNumber) => listed.has(currentForm(phoneNumber))));
  }

  /** The entry of a person, and those whose reason names them. */
  namingPerson({ userId, phoneNumber, pattern }: Person, tx?: Tx): Promise<DoNotCallEntry[]> {
    return this.database.query(
      `SELECT id, phone_number AS "phoneNumber", reason, created_at AS "createdAt" FROM do_not_call_entries
       WHERE user_id = $1 AND (phone_number = ANY($2::text[]) OR reason ~ $3) ORDER BY id LIMIT 1000`,
      [userId, formsOf(phoneNumber), pattern],
      tx,
    );
  }

  async setReason(userId: number, id: number, reason: string | null, tx: Tx): Promise<void> {
    await this.database.manager(tx).update(DoNotCallEntry, { userId, id }, { reason });
  }

  delete(userId: number, id: number, tx?: Tx): Promise<boolean> {
    return deleteOne(this.database.manager(tx), DoNotCallEntry, { userId, id });
  }

  /** An entry with an earlier form of the number becomes one with this form, so that deleting one entry is enough. */
  private async renew(userId: number, phoneNumber: string, tx?: Tx): Promise<void> {
    const [, earlier] = formsOf(phoneNumber);
    if (earlier === undefined) return;
    await this.database.query(
      `UPDATE do_not_call_entries AS entry SET phone_number = $2 WHERE user_id = $1 AND phone_number = $3
         AND NOT EXISTS (SELECT FROM do_not_call_entries WHERE user_id = $1 AND phone_number = $2)`,
      [userId, phoneNumber, earlier],
      tx,
    );
  }
}
