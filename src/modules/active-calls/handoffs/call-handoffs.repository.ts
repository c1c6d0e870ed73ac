import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';

/** Who has a call, and how often it was handed over. */
export interface CallHandoffState {
  /** Null: the call's own assistant. */
  readonly speakerId: number | null;
  readonly handoffs: number;
}

/** Hand-overs of open calls; work of the platform itself, on calls by their id. */
@Injectable()
export class CallHandoffsRepository {
  constructor(private readonly database: Database) {}

  find(callId: number): Promise<CallHandoffState | null> {
    return this.database.first<CallHandoffState>(
      'SELECT speaker_id AS "speakerId", handoffs FROM active_calls WHERE call_id = $1',
      [callId],
    );
  }

  /** False when the call is not the token's any more. */
  write(callId: number, token: string, { speakerId, handoffs }: CallHandoffState): Promise<boolean> {
    return this.database.matches(
      `UPDATE active_calls SET speaker_id = $3, handoffs = $4
       WHERE call_id = $1 AND lease_token = $2 AND stage = 'open' RETURNING call_id`,
      [callId, token, speakerId, handoffs],
    );
  }
}
