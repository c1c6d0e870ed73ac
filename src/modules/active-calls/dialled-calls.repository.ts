import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** What carriers have reported of calls that are being placed; of all accounts. */
@Injectable()
export class DialledCallsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records that the carrier has the call of a key. The process that placed it may have died before the answer. The
   * record is then the only trace.
   *
   * @param key UUID
   */
  async note(key: string, carrier: string, carrierCallId: string): Promise<void> {
    await this.database.query(
      `UPDATE active_calls active SET carrier_call_id = $3 FROM calls call
       WHERE call.attempt_id = $1 AND active.call_id = call.id AND active.carrier = $2
         AND active.stage = 'placing' AND active.carrier_call_id IS NULL`,
      [key, carrier, carrierCallId],
    );
  }
}
