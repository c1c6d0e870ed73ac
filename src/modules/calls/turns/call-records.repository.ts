import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { DeskEntry } from '../desk/desk-entry.js';
import type { CallFunctionCall } from './call-function-call.js';

/** What was recorded of a call in addition to its turns. */
export interface CallRecords {
  /** In the order of the answers. */
  readonly functionCalls: readonly CallFunctionCall[];
  /** In their order. */
  readonly desk: readonly DeskEntry[];
  /** Sorted. */
  readonly tags: readonly string[];
}

/** Reads the columns of calls that lists leave out. */
@Injectable()
export class CallRecordsRepository {
  constructor(private readonly database: Database) {}

  async find(userId: number, callId: number): Promise<CallRecords> {
    const [row] = await this.database.query<CallRecords>(
      `SELECT function_calls AS "functionCalls", desk,
         ARRAY(SELECT tag FROM call_tags WHERE call_id = calls.id ORDER BY tag COLLATE "C") AS tags
       FROM calls WHERE user_id = $1 AND id = $2`,
      [userId, callId],
    );
    return row ?? { functionCalls: [], desk: [], tags: [] };
  }
}
