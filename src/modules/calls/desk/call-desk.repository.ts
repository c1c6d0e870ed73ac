import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { DeskEntry } from './desk-entry.js';

/** What is kept of one call: each may have 1,000 characters. */
const MAX_KEPT = 200;

@Injectable()
export class CallDeskRepository {
  constructor(private readonly database: Database) {}

  /** Nothing is added to a call that was erased. Nothing that is announced changes, so `updated_at` stays. */
  async add(userId: number, callId: number, entry: Omit<DeskEntry, 'at_ms'>): Promise<void> {
    await this.database.query(
      `UPDATE calls SET desk = desk || jsonb_build_array($3::jsonb || jsonb_build_object(
         'at_ms', greatest(round(extract(epoch FROM now() - coalesce(answered_at, now())) * 1000), 0)))
       WHERE user_id = $1 AND id = $2 AND erased_at IS NULL AND jsonb_array_length(desk) < ${MAX_KEPT}`,
      [userId, callId, JSON.stringify(entry)],
    );
  }
}
