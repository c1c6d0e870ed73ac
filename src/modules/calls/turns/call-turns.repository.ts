import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { CallTurn } from './call-turn.entity.js';
import type { TurnsFrom } from './recorded-turns.js';

@Injectable()
export class CallTurnsRepository {
  constructor(private readonly database: Database) {}

  /** In their order. */
  list(userId: number, callId: number): Promise<CallTurn[]> {
    return this.database.manager().find(CallTurn, { where: { userId, callId }, order: { position: 'ASC' } });
  }

  /**
   * Adds turns to an open call, or writes over those that have changed; nothing when the call is not the token's any more.
   */
  async write(callId: number, token: string, { position, turns }: TurnsFrom, tx?: Tx): Promise<void> {
    if (turns.length === 0) return;
    await this.database.query(
      `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted,
         assistant_id, assistant_name, member_name)
       SELECT active.call_id, active.user_id, $3 + given.at - 1, given.role, given.text, given.start_ms, given.end_ms,
         given.interrupted, given.assistant_id, given.assistant_name, given.member_name
       FROM active_calls active
       CROSS JOIN unnest($4::text[], $5::text[], $6::int[], $7::int[], $8::boolean[], $9::int[], $10::text[],
           $11::text[])
         WITH ORDINALITY AS given (role, text, start_ms, end_ms, interrupted, assistant_id, assistant_name, member_name, at)
       WHERE active.call_id = $1 AND active.lease_token = $2 AND active.stage = 'open'
       ON CONFLICT (call_id, position) DO UPDATE
         SET role = excluded.role, text = excluded.text, start_ms = excluded.start_ms, end_ms = excluded.end_ms,
           interrupted = excluded.interrupted, assistant_id = excluded.assistant_id,
           assistant_name = excluded.assistant_name, member_name = excluded.member_name`,
      [
        callId,
        token,
        position,
        turns.map(({ role }) => role),
        turns.map(({ text }) => text),
        turns.map(({ startMs }) => startMs),
        turns.map(({ endMs }) => endMs),
        turns.map(({ interrupted }) => interrupted),
        turns.map(({ assistantId }) => assistantId),
        turns.map(({ assistantName }) => assistantName),
        turns.map(({ memberName }) => memberName),
      ],
      tx,
    );
  }
}
