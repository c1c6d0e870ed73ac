import { Client } from 'pg';
import { hashToken, makeToken } from '../../src/common/auth/opaque-token.js';
import type { Database } from '../../src/database/database.js';
import type { Tx } from '../../src/database/transactions.js';
import { fromDist } from '../support/dist.js';

export interface Tenant {
  readonly userId: number;
  readonly token: string;
  readonly calls: number;
}

export interface Seeded {
  readonly big: Tenant;
  readonly small: Tenant;
  readonly seconds: number;
  /** Of the table of calls. */
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** What filters are measured with: values both tenants have. Ids of assistants and campaigns differ by tenant. */
export const assistantOf = (userId: number) => userId * 100 + 1;
export const campaignOf = (userId: number) => userId * 100 + 1;

const SMALL_TENANT_CALLS = 900;
const BATCH = 50_000;
const SETTLE_BATCH = 1_000_000;
export const FIRST_DAY = '2025-01-01';
export const DAYS = 365;

/**
 * A year of calls in the order of time, of one tenant with a tenth of them and many with 900, mixed as they would be.
 * Secondary indexes and references are made at the end, as a restore does; counts go through the product's triggers.
 */
export async function seed(url: string, total: number): Promise<Seeded> {
  const startedAt = Date.now();
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET work_mem = '256MB'; SET maintenance_work_mem = '512MB'");
    const bigCalls = total / 10;
    const tenants = 1 + Math.ceil((total - bigCalls) / SMALL_TENANT_CALLS);
    const firstUserId = await addTenants(client, tenants);
    await addAssistants(client, firstUserId, tenants);
    await addCampaigns(client, firstUserId, tenants);
    const restore = await dropIndexesAndReferences(client);
    for (let from = 0; from < total; from += BATCH) {
      await addCalls(client, { firstUserId, total, bigCalls, from, to: Math.min(from + BATCH, total) - 1 });
    }
    for (const statement of restore) await client.query(statement);
    await client.query('VACUUM (ANALYZE) calls, call_words');
    const { rows: sizes } = await client.query<Pick<Seeded, 'tableBytes' | 'indexBytes'>>(
      `SELECT pg_table_size('calls')::float8 AS "tableBytes", pg_indexes_size('calls')::float8 AS "indexBytes"`,
    );
    return {
      ...(sizes[0] ?? { tableBytes: Number.NaN, indexBytes: Number.NaN }),
      big: { userId: firstUserId, calls: bigCalls, token: await addKey(client, firstUserId) },
      small: {
        userId: firstUserId + 1,
        calls: SMALL_TENANT_CALLS,
        token: await addKey(client, firstUserId + 1),
      },
      seconds: (Date.now() - startedAt) / 1_000,
    };
  } finally {
    await client.end();
  }
}

/**
 * Settles the counts of the new calls by the product's own statement, in batches that are larger than those of a running
 * product: each batch adds up its changes before it writes. Returns how long that took.
 */
export async function settleCounts(url: string): Promise<number> {
  const startedAt = Date.now();
  const { CallCountsRepository } = await fromDist<
    typeof import('../../src/modules/calls/listing/call-counts.repository.js')
  >('modules/calls/listing/call-counts.repository.js');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET work_mem = '1GB'");
    // Without the time limit of a statement that the product's connections have.
    const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows;
    const counts = new CallCountsRepository({ query } as unknown as Database);
    while ((await counts.settle(SETTLE_BATCH, null as unknown as Tx)) === SETTLE_BATCH);
    await client.query(
      'VACUUM (ANALYZE) call_counts, call_totals, call_dimension_totals, call_count_changes',
    );
    return (Date.now() - startedAt) / 1_000;
  } finally {
    await client.end();
  }
}

async function addTenants(client: Client, count: number): Promise<number> {
  const { rows } = await client.query(
    `INSERT INTO users (plan_id, name, email, timezone)
     SELECT (SELECT min(id) FROM plans), 'Bench', 'bench' || n || '@example.com', 'UTC' FROM generate_series(1, $1::int) AS n
     RETURNING id`,
    [count],
  );
  return Math.min(...rows.map(({ id }: { id: number }) => id));
}

/** Eight a tenant, with ids that tell whose they are. */
async function addAssistants(client: Client, firstUserId: number, tenants: number): Promise<void> {
  await client.query(
    `INSERT INTO assistants (id, uuid, user_id, name, type, mode, language_id, voice_id, config)
     SELECT user_id * 100 + n, gen_random_uuid(), user_id, 'Assistente ' || n, 'outbound', 'pipeline', 1, 1, '{}'
     FROM generate_series($1::int, $1::int + $2::int - 1) AS user_id, generate_series(1, 8) AS n`,
    [firstUserId, tenants],
  );
}

/** Twelve a tenant, in the same way. */
async function addCampaigns(client: Client, firstUserId: number, tenants: number): Promise<void> {
  await client.query(
    `INSERT INTO campaigns (id, user_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
       allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail,
       retry_on_goal_incomplete, mark_complete_when_no_leads)
     SELECT user_id * 100 + n, user_id, 'Campanha ' || n, 'UTC', 1, '09:00', '18:00', '{monday}', 1, 10, false, false,
       true
     FROM generate_series($1::int, $1::int + $2::int - 1) AS user_id, generate_series(1, 12) AS n`,
    [firstUserId, tenants],
  );
}

async function addKey(client: Client, userId: number): Promise<string> {
  const token = makeToken('prosa_');
  await client.query("INSERT INTO api_keys (user_id, name, token_hash) VALUES ($1, 'bench', $2)", [
    userId,
    hashToken(token),
  ]);
  return token;
}

/** Returns the statements that bring them back. */
async function dropIndexesAndReferences(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ removal: string; restoral: string }>(
    `SELECT format('DROP INDEX %I', indexname) AS removal, indexdef AS restoral
     FROM pg_indexes WHERE indexname = 'call_words_words_idx' OR tablename = 'calls' AND indexname <> 'calls_pkey'
     UNION ALL
     SELECT format('ALTER TABLE calls DROP CONSTRAINT %I', conname),
       format('ALTER TABLE calls ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE conrelid = 'calls'::regclass AND contype = 'f'`,
  );
  for (const { removal } of rows) await client.query(removal);
  return rows.map(({ restoral }) => restoral);
}

interface Slice {
  readonly firstUserId: number;
  readonly total: number;
  readonly bigCalls: number;
  readonly from: number;
  readonly to: number;
}

/** Eight assistants and twelve campaigns for the big tenant, three and two for a small one; a campaign has one assistant. */
async function addCalls(client: Client, { firstUserId, total, bigCalls, from, to }: Slice): Promise<void> {
  await client.query(
    `INSERT INTO calls (user_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status,
       assistant_phone_number, client_phone_number, duration_seconds, answered_by, transcript, variables, evaluation,
       webhook_response, carrier_cost_micros, ai_cost_micros, routing, started_at, ended_at, created_at, updated_at)
     SELECT user_id, user_id * 100 + CASE WHEN campaign = 0 THEN 1 + floor(r3 * assistants)::int
                                          ELSE 1 + campaign % assistants END,
       'Assistente ' || campaign, user_id * 100 + nullif(campaign, 0), 'Campanha ' || nullif(campaign, 0), type, status,
       '+551130000000', CASE WHEN type <> 'web' THEN '+5511' || (900000000 + floor(r4 * user_calls / 3)::int) END,
       talk, CASE WHEN talk > 0 THEN 'human' ELSE 'unknown' END,
       CASE WHEN talk > 0 THEN repeat('Assistente: posso ajudar? Cliente: sim, quero saber. ', 3 + talk / 12)
            ELSE '' END,
       jsonb_build_object('name', 'Cliente ' || n, 'source', 'bench'),
       CASE WHEN talk > 0 THEN '{"status": true, "summary": "O cliente pediu uma segunda via do boleto."}'::jsonb
            ELSE '{}' END,
       '{}', talk * 200, talk * 1500,
       CASE WHEN type <> 'inbound' THEN NULL
            WHEN status = 'busy' THEN '{"branch": "unavailable", "action": "busy", "reason": "account_full"}'::jsonb
            WHEN r5 < 0.2 THEN '{"branch": "closed", "action": "assistant", "reason": "hours"}'
            ELSE '{"branch": "open", "action": "assistant", "reason": null}' END,
       at, at + make_interval(secs => talk + 20), at, at
     FROM (
       SELECT *, CASE WHEN type = 'outbound' AND r5 < 0.85 THEN 1 + floor(r6 * campaigns)::int ELSE 0 END AS campaign,
         CASE WHEN status IN ('completed', 'ended', 'ended_by_customer', 'ended_by_assistant')
              THEN 20 + floor(r7 * 160)::int ELSE 0 END AS talk
       FROM (
         SELECT *, CASE WHEN slot < $3 THEN $1 ELSE $1 + 1 + (slot - $3) / ${SMALL_TENANT_CALLS} END AS user_id,
           CASE WHEN slot < $3 THEN 8 ELSE 3 END AS assistants, CASE WHEN slot < $3 THEN 12 ELSE 2 END AS campaigns,
           CASE WHEN slot < $3 THEN $3 ELSE ${SMALL_TENANT_CALLS} END AS user_calls,
           CASE WHEN r1 < 0.70 THEN 'outbound' WHEN r1 < 0.94 THEN 'inbound' ELSE 'web' END AS type,
           CASE WHEN r2 < 0.55 THEN 'completed' WHEN r2 < 0.73 THEN 'no-answer' WHEN r2 < 0.81 THEN 'busy'
                WHEN r2 < 0.87 THEN 'failed' WHEN r2 < 0.93 THEN 'ended_by_customer'
                WHEN r2 < 0.97 THEN 'ended_by_assistant' WHEN r2 < 0.99 THEN 'ended'
                WHEN r2 < 0.994 THEN 'in-progress' WHEN r2 < 0.997 THEN 'ringing' ELSE 'initiated' END AS status
         FROM (
           SELECT n, (n::bigint * 611953 % $2)::int AS slot,
             timestamptz '${FIRST_DAY} 00:00:00Z' + make_interval(secs => n * ${DAYS * 86_400}::float / $2) AS at,
             random() AS r1, random() AS r2, random() AS r3, random() AS r4, random() AS r5, random() AS r6,
             random() AS r7
           FROM generate_series($4::int, $5::int) AS n) AS drawn) AS mixed) AS made
     ORDER BY n`,
    [firstUserId, total, bigCalls, from, to],
  );
}
