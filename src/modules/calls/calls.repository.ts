import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import type { CallRouting } from '../../common/phone/call-routing.js';
import { formsOf } from '../../common/phone/e164.js';
import { Database } from '../../database/database.js';
import { nextId } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { NO_TOKENS, type TokenSum } from '../../common/figures/token-sum.js';
import { Call } from './call.entity.js';
import type { CallAnswerer, CallFacts, CallOrigin, NewCall } from './call-facts.js';
import type { CallMove, CallStatus } from './call-states.js';
import type { CallVoice } from './turns/call-voice.js';

const now = () => 'now()';
const end = { endedAt: now };
const endOfTalk = {
  ...end,
  durationSeconds: () => 'greatest(0, round(coalesce(extract(epoch FROM now() - answered_at), 0)))::integer',
};

/** The times that a call gets when it enters a state. */
const STAMPS = {
  initiated: {},
  ringing: { startedAt: now },
  'in-progress': { answeredAt: now },
  busy: end,
  'no-answer': end,
  failed: end,
  ended: endOfTalk,
  ended_by_customer: endOfTalk,
  ended_by_assistant: endOfTalk,
  completed: {},
} as const satisfies Record<CallStatus, object>;

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const ORIGIN_SQL = `
  SELECT
    (SELECT jsonb_build_object(
       'id', id, 'phone_number', phone_number, 'variables', variables, 'status', status,
       'created_at', ${iso('created_at')}, 'updated_at', ${iso('updated_at')})
     FROM leads WHERE user_id = $1 AND id = $2) AS lead,
    (SELECT jsonb_build_object(
       'id', id, 'name', name, 'status', status,
       'allowed_hours_start_time', allowed_hours_start_time, 'allowed_hours_end_time', allowed_hours_end_time,
       'allowed_days', allowed_days, 'max_calls_in_parallel', max_calls_in_parallel, 'max_retries', max_retries,
       'retry_interval', retry_interval_minutes,
       'created_at', ${iso('created_at')}, 'updated_at', ${iso('updated_at')})
     FROM campaigns WHERE user_id = $1 AND id = $3) AS campaign`;

/** SQL by column: what is on record and what was reported besides; unknown stays null. */
function added(tokens: TokenSum): object {
  const columns = {
    inputTokens: 'input_tokens',
    cachedInputTokens: 'cached_input_tokens',
    outputTokens: 'output_tokens',
  } as const;
  return Object.fromEntries(
    (Object.keys(columns) as (keyof TokenSum)[]).flatMap((kind) => {
      const count = tokens[kind];
      return count === null ? [] : [[kind, () => `coalesce(${columns[kind]}, 0) + ${BigInt(count)}`]];
    }),
  );
}

@Injectable()
export class CallsRepository {
  constructor(private readonly database: Database) {}

  add(call: NewCall, tx?: Tx): Promise<Call> {
    const manager = this.database.manager(tx);
    return manager.save(manager.create(Call, call));
  }

  /** An id that no other call gets. */
  reserveId(): Promise<number> {
    return nextId(this.database, 'calls');
  }

  addAll(calls: readonly NewCall[], tx: Tx): Promise<Call[]> {
    return this.database.insertPrepared(Call, calls, tx);
  }

  find(userId: number, id: number, tx?: Tx): Promise<Call | null> {
    return this.database.manager(tx).findOneBy(Call, { userId, id });
  }

  findById(id: number): Promise<Call | null> {
    return this.database.manager().findOneBy(Call, { id });
  }

  /** Whether the account calls the number without an answer yet. Reads its open lines alone, which are few. */
  isBeingPlaced(userId: number, phoneNumber: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `SELECT 1 FROM active_calls active JOIN calls call ON call.id = active.call_id
       WHERE active.user_id = $1 AND active.stage <> 'evaluating' AND call.type = 'outbound'
         AND call.client_phone_number = ANY($2::text[]) AND call.status IN ('initiated', 'ringing') LIMIT 1`,
      [userId, formsOf(phoneNumber)],
      tx,
    );
  }

  /** Moves a call on, if it still is where the move begins. */
  async transition(
    userId: number,
    id: number,
    { from, to }: CallMove,
    { tokens = NO_TOKENS, ...facts }: CallFacts,
    tx?: Tx,
  ): Promise<boolean> {
    // The ORM's own type does not take free objects, such as variables, for column values.
    const change = { ...STAMPS[to], ...facts, ...added(tokens), status: to } as QueryDeepPartialEntity<Call>;
    const result = await this.database.manager(tx).update(Call, { userId, id, status: from }, change);
    return result.affected === 1;
  }

  /** Of a call that has not begun. Variables that are null stay as they are. */
  async setLookup(
    userId: number,
    id: number,
    routing: CallRouting,
    variables: object | null,
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `UPDATE calls
       SET routing = $3, input_variables = coalesce($4, input_variables), variables = coalesce($4, variables)
       WHERE user_id = $1 AND id = $2 AND status = 'initiated' AND erased_at IS NULL`,
      [userId, id, JSON.stringify(routing), variables && JSON.stringify(variables)],
      tx,
    );
  }

  /** Who answers a call that has been answered before, and why. False when it is over. */
  async setAnswerer(userId: number, id: number, answerer: CallAnswerer, tx: Tx): Promise<boolean> {
    // The ORM's own type does not take free objects for column values.
    const change = answerer as QueryDeepPartialEntity<Call>;
    const result = await this.database
      .manager(tx)
      .update(Call, { userId, id, status: 'in-progress' }, change);
    return result.affected === 1;
  }

  /** Adds tokens to a call in any state. Nothing that is announced changes, so `updated_at` stays. */
  async addTokens(userId: number, id: number, tokens: TokenSum): Promise<void> {
    await this.database.query(
      `UPDATE calls SET
         input_tokens = coalesce(input_tokens + $3::bigint, $3, input_tokens),
         cached_input_tokens = coalesce(cached_input_tokens + $4::bigint, $4, cached_input_tokens),
         output_tokens = coalesce(output_tokens + $5::bigint, $5, output_tokens)
       WHERE user_id = $1 AND id = $2`,
      [userId, id, tokens.inputTokens, tokens.cachedInputTokens, tokens.outputTokens],
    );
  }

  /** Keeps which voice was heard on a call. Nothing that is announced changes, so `updated_at` stays. */
  async noteVoice(userId: number, id: number, voice: CallVoice): Promise<void> {
    await this.database.query('UPDATE calls SET voice = $3 WHERE user_id = $1 AND id = $2', [
      userId,
      id,
      JSON.stringify(voice),
    ]);
  }

  /**
   * What a webhook says of the lead and the campaign of a call. Read here, because those modules know calls and not the
   * other way round.
   */
  async originOf(call: Call, tx: Tx): Promise<CallOrigin> {
    const [row] = await this.database.query<CallOrigin>(
      ORIGIN_SQL,
      [call.userId, call.leadId, call.campaignId],
      tx,
    );
    return row ?? { lead: null, campaign: null };
  }

  /**
   * Of several answers about one call the last counts. Nothing that is announced changes, so `updated_at` stays. A call whose
   * person was erased takes none.
   */
  async keepWebhookResponses(
    responses: readonly { readonly user_id: number; readonly id: number; readonly response: object }[],
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `UPDATE calls SET webhook_response = kept.response
       FROM (SELECT DISTINCT ON (id) user_id, id, response
             FROM jsonb_to_recordset($1) AS answers (user_id integer, id integer, response jsonb)
             ORDER BY id, response->>'received_at' DESC) AS kept
       WHERE calls.user_id = kept.user_id AND calls.id = kept.id AND calls.erased_at IS NULL
         AND coalesce(calls.webhook_response->>'received_at', '') < kept.response->>'received_at'`,
      [JSON.stringify(responses)],
      tx,
    );
  }

  /**
   * Parts calls from a campaign that is about to be deleted, and from its leads, up to a limit; says whether there may be
   * more.
   */
  async detachSomeOfCampaign(userId: number, campaignId: number, limit: number): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE calls SET campaign_id = NULL, lead_id = NULL
       WHERE id IN (SELECT id FROM calls WHERE campaign_id = $2 AND user_id = $1 LIMIT $3) RETURNING 1`,
      [userId, campaignId, limit],
    );
    return rows.length === limit;
  }

  /** The same for an assistant. */
  async detachSomeOfAssistant(userId: number, assistantId: number, limit: number): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE calls SET assistant_id = NULL
       WHERE id IN (SELECT id FROM calls WHERE assistant_id = $2 AND user_id = $1 LIMIT $3) RETURNING 1`,
      [userId, assistantId, limit],
    );
    return rows.length === limit;
  }

  /** Deletes a call that was never made. */
  async deleteUnmade(id: number, tx: Tx): Promise<void> {
    await this.database.query("DELETE FROM calls WHERE id = $1 AND status = 'initiated'", [id], tx);
  }

  /** Deletes a call unless its line is open, or about to be, or its lead's next step waits for its outcome; then null. */
  delete(userId: number, id: number, tx: Tx): Promise<Pick<Call, 'recordingKey'> | null> {
    return this.database.first<Pick<Call, 'recordingKey'>>(
      `DELETE FROM calls WHERE user_id = $1 AND id = $2
         AND NOT EXISTS (SELECT 1 FROM active_calls WHERE call_id = $2 AND stage <> 'evaluating')
         AND NOT EXISTS (SELECT 1 FROM dial_attempts WHERE call_id = $2 AND state <> 'settled')
       RETURNING recording_key AS "recordingKey"`,
      [userId, id],
      tx,
    );
  }
}
