import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../../database/advisory-locks.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import {
  CALLS_OF_PROCESS,
  VISITOR_CALLS_OF_PROCESS,
  visitorCapacityOfProcess,
} from '../voice-process-conditions.js';

/** Lines that opened web calls reserve until their browser connects. */
@Injectable()
export class ReservedLinesRepository {
  constructor(private readonly database: Database) {}

  async reserve(callId: number, seconds: number, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE active_calls SET line_until = now() + make_interval(secs => $2) WHERE call_id = $1',
      [callId, seconds],
      tx,
    );
  }

  /** Begins the time of a reservation anew, unless it is over. */
  async extend(callId: number, seconds: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE active_calls SET line_until = now() + make_interval(secs => $2)
       WHERE call_id = $1 AND line_until > now()`,
      [callId, seconds],
      tx,
    );
  }

  /** False when the reservation is over, or another process has the call. */
  keep(callId: number, processId: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `UPDATE active_calls SET line_until = NULL
       WHERE call_id = $1 AND voice_process_id = $2 AND (line_until IS NULL OR line_until > now()) RETURNING call_id`,
      [callId, processId],
      tx,
    );
  }

  isByVisitor(callId: number, tx: Tx): Promise<boolean> {
    return this.database.matches('SELECT FROM active_calls WHERE call_id = $1 AND by_visitor', [callId], tx);
  }

  /**
   * Whether the voice process has the call and room for it. Until the transaction ends no other call is given to a process.
   *
   * @param visitorShare the part of the process's lines that visitors' calls may take
   */
  async hasRoom(callId: number, processId: string, visitorShare: number, tx: Tx): Promise<boolean> {
    await this.database.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.voiceProcesses], tx);
    return this.database.matches(
      `SELECT FROM voice_processes process JOIN active_calls mine ON mine.voice_process_id = process.id
       WHERE process.id = $2 AND mine.call_id = $1 AND ${CALLS_OF_PROCESS} < process.capacity
         AND (NOT mine.by_visitor OR ${VISITOR_CALLS_OF_PROCESS} < ${visitorCapacityOfProcess('$3')})`,
      [callId, processId, visitorShare],
      tx,
    );
  }

  async takeAgain(callId: number, line: number, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE active_calls SET line = $2, line_until = NULL WHERE call_id = $1',
      [callId, line],
      tx,
    );
  }
}
