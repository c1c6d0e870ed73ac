import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { LIVE_STATUSES } from '../call-states.js';
import type { CallTurn } from '../turns/call-turn.entity.js';
import { IS_LISTENING } from '../monitors/is-listening.js';
import type { LiveState } from './live-state.js';
import { QUEUE_POSITION } from './waits-for-line.js';

interface LiveRow extends Pick<LiveState, 'callId' | 'since' | 'holder' | 'memberName' | 'listeners'> {
  readonly role: CallTurn['role'] | null;
  readonly text: string;
  readonly saidAt: Date;
  readonly queuedAt: Date | null;
  readonly position: number;
}

const SQL = `
  SELECT calls.id AS "callId", coalesce(answered_at, started_at, created_at) AS since,
    CASE WHEN mine.queued_at IS NOT NULL THEN 'queue'
         WHEN mine.second_leg_number_id IS NOT NULL OR routing->>'action' = 'forward' THEN 'transfer'
         WHEN mine.taken_over_by IS NOT NULL THEN 'agent'
         ELSE 'assistant' END AS holder,
    mine.taken_over_by->>'memberName' AS "memberName",
    turn.role, turn.text,
    coalesce(answered_at, started_at, created_at) + turn.start_ms * interval '1 millisecond' AS "saidAt",
    mine.queued_at AS "queuedAt",
    (SELECT count(*)::integer FROM call_monitors WHERE call_id = calls.id AND ${IS_LISTENING}) AS listeners,
    ${QUEUE_POSITION} AS position
  FROM calls
  LEFT JOIN active_calls mine ON mine.call_id = calls.id
  LEFT JOIN LATERAL (
    SELECT role, text, start_ms FROM call_turns WHERE call_id = calls.id ORDER BY position DESC LIMIT 1) AS turn ON true
  WHERE calls.user_id = $1 AND calls.id = ANY($2::int[]) AND calls.status = ANY($3::text[])`;

@Injectable()
export class LiveStatesRepository {
  constructor(private readonly database: Database) {}

  /** Of those of these calls that are not over. */
  async list(userId: number, callIds: readonly number[]): Promise<LiveState[]> {
    if (callIds.length === 0) return [];
    const rows = await this.database.readPrepared<LiveRow>(SQL, [userId, callIds, LIVE_STATUSES]);
    return rows.map(({ role, text, saidAt, queuedAt, position, memberName, ...row }) => ({
      ...row,
      memberName: row.holder === 'agent' ? memberName : null,
      lastTurn: role && { role, text, at: saidAt },
      waiting: queuedAt && { position, since: queuedAt },
    }));
  }
}
