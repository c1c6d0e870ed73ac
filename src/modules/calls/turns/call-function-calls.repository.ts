import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { CallFunctionCall } from './call-function-call.js';

/** What is kept of one call: each may have 24 KiB. */
const MAX_KEPT = 100;

/** What the tools of calls have answered. */
@Injectable()
export class CallFunctionCallsRepository {
  constructor(private readonly database: Database) {}

  /** Nothing is added to a call that was erased. Nothing that is announced changes, so `updated_at` stays. */
  async add(userId: number, callId: number, called: CallFunctionCall): Promise<void> {
    await this.database.query(
      `UPDATE calls SET function_calls = function_calls || $3::jsonb
       WHERE user_id = $1 AND id = $2 AND erased_at IS NULL AND jsonb_array_length(function_calls) < ${MAX_KEPT}`,
      [userId, callId, JSON.stringify([called])],
    );
  }

  /** In the order of the answers. */
  async list(userId: number, callId: number): Promise<readonly CallFunctionCall[]> {
    const [row] = await this.database.query<{ called: readonly CallFunctionCall[] }>(
      'SELECT function_calls AS called FROM calls WHERE user_id = $1 AND id = $2',
      [userId, callId],
    );
    return row?.called ?? [];
  }
}
