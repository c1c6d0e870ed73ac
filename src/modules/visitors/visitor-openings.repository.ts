import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

const HOUR = "date_trunc('hour', now(), 'UTC')";

/** What a conversation may be the last one of. */
export interface OpeningQuotas {
  readonly perHour: number;
  readonly perAddressPerHour: number;
}

export interface CountedOpening {
  readonly isWithinAddressQuota: boolean;
  readonly isWithinQuota: boolean;
  readonly secondsToNextHour: number;
}

/** The statement of one counter; what is over its quota is not counted. The window never goes back. */
const count = (subject: string, quota: string, from: string) => `
  INSERT INTO visitor_openings AS counter (assistant_id, subject, hour, opened)
  SELECT $1, ${subject}, ${HOUR}, 1 FROM ${from} WHERE ${quota} >= 1
  ON CONFLICT (assistant_id, subject) DO UPDATE SET
    hour = greatest(counter.hour, excluded.hour),
    opened = CASE WHEN counter.hour >= excluded.hour THEN counter.opened ELSE 0 END + 1
  WHERE CASE WHEN counter.hour >= excluded.hour THEN counter.opened ELSE 0 END + 1 <= ${quota}
  RETURNING 1`;

const COUNT_SQL = `
  WITH of_address AS (${count('$2::text', '$3::integer', '(VALUES (1)) AS one')}),
  of_all AS (${count("''", '$4::integer', 'of_address')})
  SELECT EXISTS (SELECT FROM of_address) AS "isWithinAddressQuota", EXISTS (SELECT FROM of_all) AS "isWithinQuota",
    ceil(extract(epoch FROM ${HOUR} + interval '1 hour' - now()))::integer AS "secondsToNextHour"`;

/** How many conversations visitors have opened: exact however many processes count. */
@Injectable()
export class VisitorOpeningsRepository {
  constructor(private readonly database: Database) {}

  /** Counts an opening. The transaction must not be committed when a quota is exceeded. */
  async count(
    assistantId: number,
    addressHash: string,
    { perHour, perAddressPerHour }: OpeningQuotas,
    tx: Tx,
  ): Promise<CountedOpening> {
    const [counted] = await this.database.query<CountedOpening>(
      COUNT_SQL,
      [assistantId, addressHash, perAddressPerHour, perHour],
      tx,
    );
    if (!counted) throw new Error('the statement answers one row');
    return counted;
  }

  /** Deletes counters of hours that are over. */
  async removeOld(): Promise<void> {
    await this.database.query(`DELETE FROM visitor_openings WHERE hour < ${HOUR}`);
  }
}
