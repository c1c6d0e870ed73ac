import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';

/** All moments are the database's own. */
@Injectable()
export class CarrierPaceRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the next turn to ask a carrier for a call. Turns are `stepMs` apart, whoever takes them.
   *
   * @param maxWaitMs null: the turn is taken however far it is away
   * @returns how long the turn is away, in milliseconds; null when that is more than `maxWaitMs`, and no turn is taken
   */
  async takeTurn(carrier: string, stepMs: number, maxWaitMs: number | null): Promise<number | null> {
    const [turn] = await this.database.query<{ waitMs: number }>(
      `INSERT INTO carrier_paces AS pace (carrier, next_at)
       VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
       ON CONFLICT (carrier) DO UPDATE
         SET next_at = greatest(pace.next_at, clock_timestamp()) + $2 * interval '1 millisecond'
         WHERE $3::float8 IS NULL OR pace.next_at <= clock_timestamp() + $3 * interval '1 millisecond'
       RETURNING greatest(0, extract(epoch FROM next_at - clock_timestamp()) * 1000 - $2)::float8 AS "waitMs"`,
      [carrier, stepMs, maxWaitMs],
    );
    return turn?.waitMs ?? null;
  }
}
