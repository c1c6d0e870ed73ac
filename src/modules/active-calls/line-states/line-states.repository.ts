import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { ForeignLine } from './foreign-line.js';

/** What is kept of the lines of calls, so that they outlive their processes; of all accounts. */
@Injectable()
export class LineStatesRepository {
  constructor(private readonly database: Database) {}

  /** False when the call is not (or not any more) the token's. */
  save(callId: number, token: string, state: string | null): Promise<boolean> {
    return this.database.matches(
      `UPDATE active_calls SET line_state = $3
       WHERE call_id = $1 AND stage = 'open' AND lease_token = $2 RETURNING call_id`,
      [callId, token, state],
    );
  }

  find(callId: number): Promise<string | null> {
    return this.database.value<string>('SELECT line_state AS state FROM active_calls WHERE call_id = $1', [
      callId,
    ]);
  }

  /** Open calls of a carrier that another process has, or had. */
  listForeign(carrier: string, ownProcessId: string, limit: number): Promise<ForeignLine[]> {
    return this.database.query<ForeignLine>(
      `SELECT active.call_id AS "callId", active.user_id AS "userId", carrier_call_id AS "carrierCallId",
         without_line AS "isWithoutAssistant",
         lease_token AS "leaseToken", lease_until < now() AS "isLapsed",
         voice_process_id AS "voiceProcessId", process.address,
         coalesce(process.draining, false) AS "isDraining"
       FROM active_calls active LEFT JOIN voice_processes process ON process.id = active.voice_process_id
       WHERE active.carrier = $1 AND carrier_call_id IS NOT NULL AND stage = 'open' AND lease_token IS NOT NULL
         AND voice_process_id IS DISTINCT FROM $2
       ORDER BY active.call_id LIMIT $3`,
      [carrier, ownProcessId, limit],
    );
  }

  /**
   * Takes a call from a process that is gone, and whose second legs are no longer bridged. False when another process
   * was quicker, or it is over.
   */
  takeFrom(
    { callId, leaseToken }: Pick<ForeignLine, 'callId' | 'leaseToken'>,
    token: string,
    ownProcessId: string,
    leaseMs: number,
  ): Promise<boolean> {
    return this.database.matches(
      `UPDATE active_calls SET lease_token = $3, voice_process_id = $4, second_leg_number_id = NULL,
         lease_until = now() + make_interval(secs => $5)
       WHERE call_id = $1 AND stage = 'open' AND lease_token = $2 RETURNING call_id`,
      [callId, leaseToken, token, ownProcessId, leaseMs / 1_000],
    );
  }

  /** Whether another process has the call now, or had it at its end. */
  isElsewhere(callId: number, ownProcessId: string): Promise<boolean> {
    return this.database.matches(
      `SELECT FROM active_calls
       WHERE call_id = $1 AND voice_process_id IS NOT NULL AND voice_process_id <> $2`,
      [callId, ownProcessId],
    );
  }
}
