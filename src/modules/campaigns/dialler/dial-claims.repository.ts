import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { DiallingCampaign } from './fair-turns.js';

/** A claim holds its campaign's row; a process that freezes within it must not hold it for long. */
const MAX_IDLE_MS = 5_000;

/** Whether campaign `c` may call at the moment `at`, by the calendar and clock of its own zone. */
const inWindow = (at: string) => `
  (ARRAY['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
    [extract(isodow FROM ${at}::timestamptz AT TIME ZONE c.timezone)::int] = ANY(c.allowed_days)
  AND (${at}::timestamptz AT TIME ZONE c.timezone)::time >= c.allowed_hours_start_time
  AND (${at}::timestamptz AT TIME ZONE c.timezone)::time < c.allowed_hours_end_time`;

const LIVE_ATTEMPTS = "SELECT count(*) FROM dial_attempts WHERE campaign_id = c.id AND state <> 'settled'";

/** A campaign that may dial, locked against other claims. */
export interface OpenCampaign {
  readonly id: number;
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
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface NewAttempt {
  readonly id: string;
  readonly userId: number;
  readonly campaignId: number;
  readonly leadId: number;
  readonly callId: number;
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly leaseMs: number;
}

/**
 * The dialler's side of the gate. It reads leads, numbers and assistants straight from their tables: claims are the
 * product's most frequent writes, and each statement more is felt.
 */
@Injectable()
export class DialClaimsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The running campaigns, of all tenants, that have somebody due and room to call. Looks at `perCampaign` leads of each
   * at most, so that its cost does not grow with them.
   */
  async dialling(at: Date, perCampaign: number): Promise<DiallingCampaign[]> {
    const rows = await this.database.query<{ id: number; user_id: number; live: string; due: string }>(
      `SELECT c.id, c.user_id, live.count AS live, due.count AS due
       FROM campaigns c
       JOIN assistants a ON a.id = c.assistant_id AND a.status = 'active'
       CROSS JOIN LATERAL (${LIVE_ATTEMPTS}) AS live
       CROSS JOIN LATERAL (SELECT count(*) FROM (
         SELECT FROM lead_dials d WHERE d.campaign_id = c.id AND d.state = 'waiting' AND d.due_at <= $1
         LIMIT least($2, greatest(0, c.max_calls_in_parallel - live.count))) AS first) AS due
       WHERE c.status = 'in-progress' AND ${inWindow('$1')}
       ORDER BY random()`,
      [at, perCampaign],
    );
    return rows.map((row) => ({
      campaignId: row.id,
      userId: row.user_id,
      live: Number(row.live),
      free: Number(row.due),
    }));
  }

  /** The campaign if it may dial at this moment. Claims of one campaign follow one another by this lock; so does a stop. */
  async lockOpen(campaignId: number, at: Date, tx: Tx): Promise<OpenCampaign | null> {
    const [campaign] = await this.database.query<OpenCampaign>(
      `SELECT c.id, c.user_id AS "userId", c.assistant_id AS "assistantId", c.max_retries AS "maxRetries",
         c.max_calls_in_parallel AS "maxCallsInParallel",
         set_config('idle_in_transaction_session_timeout', '${MAX_IDLE_MS}', true)
       FROM campaigns c
       JOIN assistants a ON a.id = c.assistant_id AND a.status = 'active'
       WHERE c.id = $1 AND c.status = 'in-progress' AND ${inWindow('$2')}
       FOR NO KEY UPDATE OF c`,
      [campaignId, at],
      tx,
    );
    return campaign ?? null;
  }

  /**
   * The lead that has been due longest, locked, if the campaign has room for one more call. Apart from `lockOpen`, so
   * that it sees what was committed while that waited. Numbers of the pool take turns, with each lead and each attempt.
   */
  async pickDue(
    { id, userId, maxCallsInParallel }: OpenCampaign,
    at: Date,
    except: readonly number[],
    tx: Tx,
  ): Promise<DueLead | null> {
    const [lead] = await this.database.query<DueLead>(
      `SELECT d.lead_id AS "leadId", d.attempts, l.phone_number AS "to", l.variables,
         coalesce(
           (SELECT p.phone_number FROM campaign_phone_numbers n JOIN phone_numbers p ON p.id = n.phone_number_id
            WHERE n.user_id = $2 AND n.campaign_id = $1 ORDER BY n.position
            OFFSET (d.lead_id + d.attempts) % greatest(1, (
              SELECT count(*) FROM campaign_phone_numbers WHERE user_id = $2 AND campaign_id = $1)) LIMIT 1),
           (SELECT p.phone_number FROM phone_numbers p JOIN assistants a ON a.phone_number_id = p.id WHERE a.id = c.assistant_id)
         ) AS "from"
       FROM lead_dials d JOIN leads l ON l.id = d.lead_id JOIN campaigns c ON c.id = d.campaign_id
       WHERE d.campaign_id = $1 AND d.user_id = $2 AND d.state = 'waiting' AND d.due_at <= $3
         AND d.lead_id <> ALL($4::int[]) AND (${LIVE_ATTEMPTS}) < $5
       ORDER BY d.due_at, d.lead_id LIMIT 1
       FOR UPDATE OF d SKIP LOCKED`,
      [id, userId, at, except, maxCallsInParallel],
      tx,
    );
    return lead ?? null;
  }

  /** Records that the lead is about to be dialled; false when an attempt of it is live already. */
  async addAttempt(attempt: NewAttempt, tx: Tx): Promise<boolean> {
    const { id, userId, campaignId, leadId, callId, number, from, to, leaseMs } = attempt;
    const rows = await this.database.query(
      `WITH added AS (
         INSERT INTO dial_attempts
           (id, user_id, campaign_id, lead_id, call_id, number, from_phone_number, to_phone_number, lease_until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 millisecond')
         ON CONFLICT DO NOTHING RETURNING lead_id)
       UPDATE lead_dials SET state = 'calling', attempts = $6
       WHERE lead_id IN (SELECT lead_id FROM added) RETURNING lead_id`,
      [id, userId, campaignId, leadId, callId, number, from, to, leaseMs],
      tx,
    );
    return rows.length === 1;
  }
}
