import { CALL_STATUSES, CALL_TYPES } from '../../src/modules/calls/call-states.js';
import { Database } from '../../src/database/database.js';
import { type TestAccount, TestApp } from './app.js';

export const PHONES = ['+5511998765432', '+5521987654321', '+493012345678'] as const;

export interface StoredCall {
  readonly id: number;
  readonly status: string;
  readonly type: string;
  readonly assistantId: number | null;
  readonly campaignId: number | null;
  readonly phone: string | null;
  readonly branch: string | null;
  readonly reason: string | null;
  readonly createdAt: string;
}

export type CallQuery = Readonly<Record<string, string | number>>;

/** Where accounts are unless they say otherwise. */
export const HOME = 'America/Sao_Paulo';

/** An application whose accounts have three assistants, two campaigns and a history of calls. */
export class CallAccounts {
  /** Ids by account. */
  private readonly assistants = new Map<number, readonly number[]>();
  private readonly campaigns = new Map<number, readonly number[]>();

  private constructor(readonly app: TestApp) {}

  static async start(): Promise<CallAccounts> {
    return new CallAccounts(await TestApp.start());
  }

  async open(): Promise<TestAccount> {
    const account = await this.app.account();
    this.assistants.set(account.userId, await this.addAssistants(account.userId));
    this.campaigns.set(account.userId, await this.addCampaigns(account.userId));
    return account;
  }

  /** The n-th assistant of the account, from 1. */
  assistantOf(account: TestAccount, n: number): number {
    return this.assistants.get(account.userId)?.[n - 1] ?? 0;
  }

  /** The n-th campaign of the account, from 1. */
  campaignOf(account: TestAccount, n: number): number {
    return this.campaigns.get(account.userId)?.[n - 1] ?? 0;
  }

  /** Calls spread over days, assistants, campaigns and the rest, by a rule that mixes them all. */
  async addCalls(userId: number, count: number, days: number): Promise<StoredCall[]> {
    return this.database.query<StoredCall>(
      `INSERT INTO calls (user_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status,
         client_phone_number, transcript, routing, created_at)
       SELECT $1, ($7::int[])[n * 7 % 4], 'Bia', ($8::int[])[n * 11 % 3], CASE WHEN n * 11 % 3 <> 0 THEN 'Spring' END,
         ($2::text[])[n * 13 % 3 + 1], ($3::text[])[n * 17 % 10 + 1], ($4::text[])[n * 19 % 4 + 1], 'Hello ' || n,
         CASE n % 7 WHEN 0 THEN '{"branch": "open", "action": "busy", "reason": null}'::jsonb
           WHEN 1 THEN '{"branch": "closed", "action": "busy", "reason": "hours"}' WHEN 2 THEN '{"branch": "closed", "action": "busy", "reason": "closed_date"}'
           WHEN 3 THEN '{"branch": "unavailable", "action": "busy", "reason": "hours"}' END,
         -- The first and the last moment of a day among them, and moments that several calls share.
         timestamptz '2025-11-20 00:00:00Z' + make_interval(days => n * 31 % $5::int)
           + CASE n % 5 WHEN 0 THEN interval '0' WHEN 1 THEN interval '23:59:59.999999'
                        ELSE make_interval(secs => n * 37 % 86400) END
       FROM generate_series(1, $6::int) AS n
       RETURNING id, status, type, assistant_id AS "assistantId", campaign_id AS "campaignId",
         client_phone_number AS phone, routing->>'branch' AS branch, routing->>'reason' AS reason,
         to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS "createdAt"`,
      [
        userId,
        CALL_TYPES,
        CALL_STATUSES,
        PHONES,
        days,
        count,
        this.assistants.get(userId),
        this.campaigns.get(userId),
      ],
    );
  }

  /** Three assistants of an account, made by SQL: what they do is of no interest here. */
  private async addAssistants(userId: number): Promise<readonly number[]> {
    const rows = await this.database.query<{ id: number }>(
      `INSERT INTO assistants (uuid, user_id, name, type, mode, language_id, voice_id, config)
       SELECT gen_random_uuid(), $1, 'Bia', 'outbound', 'pipeline', 1, 1, '{}' FROM generate_series(1, 3)
       RETURNING id`,
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  private async addCampaigns(userId: number): Promise<readonly number[]> {
    const rows = await this.database.query<{ id: number }>(
      `INSERT INTO campaigns (user_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
         allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail,
         retry_on_goal_incomplete, mark_complete_when_no_leads)
       SELECT $1, 'Spring', 'UTC', 1, '09:00', '18:00', '{monday}', 1, 10, false, false, true
       FROM generate_series(1, 2) RETURNING id`,
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  private get database(): Database {
    return this.app.app.get(Database);
  }
}

/** A day as the clocks of a zone show it. */
function dayIn(zone: string): (call: StoredCall) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  return ({ createdAt }) => format.format(new Date(`${createdAt.replace(' ', 'T').slice(0, 23)}Z`));
}

/** What the list should hold, newest first, found out without the database. */
export function matching(stored: readonly StoredCall[], query: CallQuery, zone = HOME): number[] {
  const dayOf = dayIn(zone);
  return stored
    .filter(
      (call) =>
        (query.status === undefined || call.status === query.status) &&
        (query.type === undefined || call.type === query.type) &&
        (query.phone_number === undefined || call.phone === query.phone_number) &&
        (query.assistant_id === undefined || call.assistantId === query.assistant_id) &&
        (query.campaign_id === undefined || call.campaignId === query.campaign_id) &&
        (query.branch === undefined || call.branch === query.branch) &&
        (query.reason === undefined || call.reason === query.reason) &&
        (query.date_from === undefined || dayOf(call) >= query.date_from) &&
        (query.date_to === undefined || dayOf(call) <= query.date_to),
    )
    .toSorted((a, b) => (a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1))
    .map(({ id }) => id);
}
