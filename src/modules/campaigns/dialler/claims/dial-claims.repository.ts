import { Injectable } from '@nestjs/common';
import { Database } from '#src/database/database.js';
import type { Tx } from '#src/database/transactions.js';
import { inWindow, moment } from './calling-window.js';
import type { DiallingCampaign } from './fair-shares.js';
import { rateSlotsLeft } from './rate-slots-left.js';

/** A claim holds its campaign's row; a process that freezes within it must not hold it for long. */
const MAX_IDLE_MS = 5_000;
/** A claim that cannot have the rows of its tenant for so long makes room for those of others. */
const MAX_LOCK_WAIT_MS = 500;

/** Attempts whose line is open, or about to be: the work after a call takes no line. */
const openLines = (campaignId: string) => `
  SELECT count(*) FROM dial_attempts a JOIN active_calls r ON r.call_id = a.call_id AND r.stage <> 'evaluating'
  WHERE a.campaign_id = ${campaignId} AND a.state <> 'settled'`;

const DIALLING = `
  SELECT c.id, c.user_id, live.count AS live, due.count AS due
  FROM campaigns c
  JOIN assistants a ON a.id = c.assistant_id AND a.status = 'active'
  CROSS JOIN LATERAL (${openLines('c.id')}) AS live
  CROSS JOIN LATERAL (SELECT count(*) FROM (
    SELECT FROM lead_dials d WHERE d.campaign_id = c.id AND d.state = 'waiting' AND d.due_at <= ${moment('$1')}
    LIMIT least($2, greatest(0, c.max_calls_in_parallel - live.count), (
      SELECT ${rateSlotsLeft('pace', moment('$1'))} FROM account_paces pace WHERE pace.user_id = c.user_id))) AS first) AS due
  WHERE c.status = 'in-progress' AND ${inWindow(moment('$1'))}`;
const DIALLING_AMONG = `${DIALLING} AND c.id = ANY($3::int[])`;

/** A campaign that may dial, locked against other claims. */
export interface OpenCampaign {
  readonly id: number;
  readonly name: string;
  readonly userId: number;
  readonly assistantId: number;
  readonly maxCallsInParallel: number;
  readonly maxRetries: number;
}

export interface DueLead {
  readonly leadId: number;
  /** Those made so far. */
  readonly attempts: number;
  readonly to: string;
  /** Null when neither campaign nor assistant has a number. */
  readonly from: string | null;
  /** Its id: an account may have the same number on several trunks. */
  readonly phoneNumberId: number | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface NewAttempt {
  readonly id: string;
  readonly leadId: number;
  readonly callId: number;
  readonly number: number;
  readonly from: string;
  readonly to: string;
}

export interface AttemptOwner {
  readonly userId: number;
  readonly campaignId: number;
  readonly leaseMs: number;
}

/** Who is registered is there, whether or not the operator's server answers OPTIONS as well. */
const IS_AWAY = "(s.registration = 'failed' OR s.registration IS NULL AND NOT s.reachable)";

/**
 * What the dialler claims. It reads leads, numbers and assistants straight from their tables: claims are the
 * product's most frequent writes, and each statement more is felt.
 */
@Injectable()
export class DialClaimsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The running campaigns, of all tenants, that have due leads and room to call. Looks at `perCampaign` leads of each
   * at most, so that its cost does not grow with them.
   *
   * @param at for tests, as in the other methods: null is now
   */
  dialling(at: Date | null, perCampaign: number): Promise<DiallingCampaign[]> {
    return this.readDialling(DIALLING, [at, perCampaign]);
  }

  /** The same, of these campaigns alone. */
  diallingAmong(campaignIds: readonly number[], perCampaign: number): Promise<DiallingCampaign[]> {
    return this.readDialling(DIALLING_AMONG, [null, perCampaign, campaignIds]);
  }

  async isAnyCampaignRunning(): Promise<boolean> {
    const [row] = await this.database.readPrepared<{ running: boolean }>(
      "SELECT EXISTS (SELECT FROM campaigns WHERE status = 'in-progress') AS running",
      [],
    );
    return row?.running ?? false;
  }

  /**
   * The campaign if it may dial at this moment. Claims of one campaign follow one another by this lock; so does a stop.
   * Null also when another transaction has the lock: waiting would occupy a connection that other campaigns need. The
   * claim's commit does not wait for the disk, which keeps the tenant's row locks short. The later mark that a call
   * is about to be placed does wait. It brings the claim to the disk before the carrier is asked.
   */
  async lockOpen(campaignId: number, at: Date | null, tx: Tx): Promise<OpenCampaign | null> {
    const [campaign] = await this.database.readPrepared<OpenCampaign>(
      `SELECT c.id, c.name, c.user_id AS "userId", c.assistant_id AS "assistantId", c.max_retries AS "maxRetries",
         c.max_calls_in_parallel AS "maxCallsInParallel",
         set_config('idle_in_transaction_session_timeout', '${MAX_IDLE_MS}', true),
         set_config('lock_timeout', '${MAX_LOCK_WAIT_MS}', true), set_config('synchronous_commit', 'off', true)
       FROM campaigns c
       JOIN assistants a ON a.id = c.assistant_id AND a.status = 'active'
       WHERE c.id = $1 AND c.status = 'in-progress' AND ${inWindow(moment('$2'))}
       FOR NO KEY UPDATE OF c SKIP LOCKED`,
      [campaignId, at],
      tx,
    );
    return campaign ?? null;
  }

  /**
   * The leads that have been due longest, locked, as many as the campaign has room to call. Apart from `lockOpen`, so
   * that it sees what was committed while that waited. Numbers of the pool take turns, with each lead and each
   * attempt. Numbers are skipped as long as others can call: those whose SIP trunk is full, or has no rate slot soon.
   * Numbers whose trunk is known to be away are skipped while others are there, even full ones: those are waited for.
   */
  pickDue(
    { id, userId, maxCallsInParallel }: OpenCampaign,
    at: Date | null,
    limit: number,
    except: readonly number[],
    tx: Tx,
  ): Promise<DueLead[]> {
    return this.database.readPrepared<DueLead>(
      `WITH pool AS MATERIALIZED (
         SELECT p.id, p.phone_number, n.position, pace.turns, CASE
           WHEN EXISTS (SELECT FROM sip_trunk_states s WHERE s.trunk_id = p.id AND ${IS_AWAY}) THEN 3
           WHEN pace.turns = 0 THEN 2
           WHEN EXISTS (SELECT FROM sip_trunks t WHERE t.id = p.id
             AND t.max_parallel_calls <= (SELECT count(*) FROM active_calls r,
                 unnest(ARRAY[r.phone_number_id, r.second_leg_number_id]) AS leg (id)
               WHERE r.user_id = $2 AND leg.id = t.id AND r.stage <> 'evaluating')) THEN 1
           ELSE 0 END AS hindrance
         FROM campaign_phone_numbers n JOIN phone_numbers p ON p.id = n.phone_number_id
         LEFT JOIN LATERAL (
           SELECT ${rateSlotsLeft('of_trunk', moment('$3'))} AS turns FROM trunk_paces of_trunk
           WHERE of_trunk.trunk_id = p.id) AS pace ON true
         WHERE n.user_id = $2 AND n.campaign_id = $1),
       usable AS MATERIALIZED (
         SELECT id, phone_number, turns, row_number() OVER (ORDER BY position) - 1 AS at, count(*) OVER () AS size FROM pool
         WHERE hindrance = (SELECT min(hindrance) FROM pool)),
       of_assistant AS MATERIALIZED (
         SELECT p.id, p.phone_number FROM phone_numbers p JOIN assistants a ON a.phone_number_id = p.id
         JOIN campaigns c ON c.assistant_id = a.id WHERE c.id = $1)
       SELECT d.lead_id AS "leadId", d.attempts, l.phone_number AS "to", l.variables,
         coalesce(u.id, a.id) AS "phoneNumberId", coalesce(u.phone_number, a.phone_number) AS "from"
       FROM lead_dials d JOIN leads l ON l.id = d.lead_id
       LEFT JOIN usable u ON u.at = (d.lead_id + d.attempts) % u.size LEFT JOIN of_assistant a ON true
       WHERE d.campaign_id = $1 AND d.user_id = $2 AND d.state = 'waiting' AND d.due_at <= ${moment('$3')}
         AND d.lead_id <> ALL($4::int[])
       ORDER BY d.due_at, d.lead_id LIMIT least($6, greatest(0, $5 - (${openLines('$1')})), coalesce(
         (SELECT sum(coalesce(turns, $6)) FROM usable)::bigint,
         (SELECT ${rateSlotsLeft('pace', moment('$3'))} FROM trunk_paces pace
          JOIN assistants a ON a.phone_number_id = pace.trunk_id JOIN campaigns c ON c.assistant_id = a.id
          WHERE c.id = $1)))
       FOR UPDATE OF d SKIP LOCKED`,
      [id, userId, at, except, maxCallsInParallel, limit],
      tx,
    );
  }

  /** Records that the leads are about to be dialled. Returns for how many; a lead with a live attempt is left alone. */
  async addAttempts(
    attempts: readonly NewAttempt[],
    { userId, campaignId, leaseMs }: AttemptOwner,
    tx: Tx,
  ): Promise<number> {
    const [row] = await this.database.writePrepared<{ moved: number }>(
      `WITH added AS (
         INSERT INTO dial_attempts
           (id, user_id, campaign_id, lead_id, call_id, number, from_phone_number, to_phone_number, lease_until)
         SELECT n.id, $1, $2, n.lead_id, n.call_id, n.number, n.caller, n.callee, now() + $3 * interval '1 millisecond'
         FROM unnest($4::uuid[], $5::int[], $6::int[], $7::smallint[], $8::text[], $9::text[])
           AS n (id, lead_id, call_id, number, caller, callee)
         ON CONFLICT DO NOTHING RETURNING lead_id, number)
       SELECT move_lead_dials('calling', array_agg(lead_id), array_agg(number)) AS moved FROM added`,
      [
        userId,
        campaignId,
        leaseMs,
        attempts.map(({ id }) => id),
        attempts.map(({ leadId }) => leadId),
        attempts.map(({ callId }) => callId),
        attempts.map(({ number }) => number),
        attempts.map(({ from }) => from),
        attempts.map(({ to }) => to),
      ],
      tx,
    );
    return row?.moved ?? 0;
  }

  private async readDialling(sql: string, parameters: readonly unknown[]): Promise<DiallingCampaign[]> {
    const rows = await this.database.readPrepared<{ id: number; user_id: number; live: string; due: string }>(
      `${sql} ORDER BY random()`,
      parameters,
    );
    return rows.map((row) => ({
      campaignId: row.id,
      userId: row.user_id,
      live: Number(row.live),
      free: Number(row.due),
    }));
  }
}
