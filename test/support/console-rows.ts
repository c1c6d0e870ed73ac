import type { TestAccount, TestApp } from './app.js';
import { createAssistant, createTool } from './builders.js';
import { createCampaign } from './campaign-builders.js';

/** Where the rows of an account are shown in the console. */
export interface ConsoleRows {
  readonly campaign: number;
  readonly lead: number;
  readonly knowledgebase: number;
  readonly tool: number;
  readonly delivery: number;
  readonly mcpServer: number;
}

/**
 * Rows for each screen of the console that others than the operator write into: one row a text, in every field that
 * takes any text. They are written by SQL, because no request may make as many.
 *
 * @param campaignNames of the campaigns, each of which asks for its own progress
 */
export async function addConsoleRows(
  app: TestApp,
  account: TestAccount,
  texts: readonly string[],
  campaignNames = texts,
): Promise<ConsoleRows> {
  const assistant = await createAssistant(app, account, { type: 'outbound', name: texts[0] ?? '' });
  const campaign = await createCampaign(app, account, { assistant_id: assistant.id });
  const tool = await createTool(app, account);
  const firstId = async (sql: string, parameters: readonly unknown[]) => {
    const [row] = await app.query<{ id: number }>(sql, [account.userId, texts, ...parameters]);
    return row!.id;
  };
  const lead = await firstId(
    `INSERT INTO leads (user_id, campaign_id, phone_number, variables)
     SELECT $1, $3, '+55119' || (80000000 + at), jsonb_build_object('name', text, text, text)
     FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at) RETURNING id`,
    [campaign],
  );
  await app.query(
    `INSERT INTO campaigns (user_id, name, assistant_id, timezone, max_calls_in_parallel, allowed_hours_start_time,
       allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail,
       retry_on_goal_incomplete, mark_complete_when_no_leads)
     SELECT user_id, text, assistant_id, timezone, max_calls_in_parallel, allowed_hours_start_time,
       allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail,
       retry_on_goal_incomplete, mark_complete_when_no_leads
     FROM campaigns, unnest($1::text[]) AS text WHERE id = $2`,
    [campaignNames, campaign],
  );
  await addEndpoint();
  await addAuditLog();
  return {
    campaign,
    lead,
    tool,
    ...(await addKnowledge()),
    delivery: await addDeliveries(),
    mcpServer: await addMcpServer(),
  };

  /** One that the account has registered, with all of the texts. */
  async function addEndpoint() {
    const body = { url: 'https://hooks.example.com/eventos', events: ['call.ended', 'limit.reached'] };
    await app.as(account).post('/api/user/webhook-endpoints').send(body).expect(201);
    await app.query('UPDATE webhook_subscriptions SET description = $2 WHERE user_id = $1', [
      account.userId,
      texts.join('\n'),
    ]);
  }

  async function addAuditLog() {
    await app.query(
      `INSERT INTO audit_log_entries (id, user_id, via, token_id, network, action, resource_id, status)
       SELECT gen_random_uuid(), $1, 'session', 1, '192.0.2.0', text, text,
              (ARRAY[200, 422, NULL])[1 + at % 3]
       FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at)`,
      [account.userId, texts],
    );
  }

  /** A server that failed at last, with a tool a text in each state. */
  async function addMcpServer() {
    const server = await firstId(
      `INSERT INTO mcp_servers (user_id, name, url, sealed_headers, refreshed_at, last_error, left_out)
       SELECT $1, 'crm', 'https://mcp.example.com/mcp', '', now(), array_to_string($2::text[], ' '),
              (SELECT jsonb_agg(jsonb_build_object('name', text, 'reason', text)) FROM unnest($2::text[]) AS text)
       RETURNING id`,
      [],
    );
    await app.query(
      `INSERT INTO mcp_tools (user_id, server_id, name, description, input_schema, definition_hash, allowed_hash, is_listed)
       SELECT $1, $3, text, text, jsonb_build_object('type', 'object', 'description', text), 'now',
              (ARRAY[NULL, 'now', 'before'])[1 + at % 3], at % 4 > 0
       FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at)`,
      [account.userId, texts, server],
    );
    return server;
  }

  async function addKnowledge() {
    const knowledgebase = await firstId(
      `INSERT INTO knowledgebases (user_id, name, description, status)
       SELECT $1, text, text, 'failed' FROM unnest($2::text[]) AS text RETURNING id`,
      [],
    );
    await app.query(
      `INSERT INTO documents (user_id, knowledgebase_id, name, description, type, status, failure)
       SELECT $1, $3, text, text, 'pdf', (ARRAY['active', 'failed'])[1 + at % 2],
              CASE WHEN at % 2 = 1 THEN '{"key": "ingestion.empty"}'::jsonb END
       FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at)`,
      [account.userId, texts, knowledgebase],
    );
    return { knowledgebase };
  }

  async function addDeliveries() {
    const endpoint = await firstId(
      `INSERT INTO webhook_endpoints (user_id, url, url_hash, host)
       SELECT $1, 'https://hooks.example.com/' || coalesce(($2::text[])[1], ''), 'hash', 'hooks.example.com'
       RETURNING id`,
      [],
    );
    const delivery = await firstId(
      `INSERT INTO webhook_deliveries (user_id, endpoint_id, event_id, kind, subject_id, body, status, failed_because)
       SELECT $1, $3, 'evt_1', 'post-call', '1', jsonb_build_object('texts', to_jsonb($2::text[]))::text, 'failed', 'tries_exhausted'
       RETURNING id`,
      [endpoint],
    );
    await app.query(
      `INSERT INTO webhook_attempts (delivery_id, number, finished_at, duration_ms, status_code, error, response_body)
       SELECT $1, at, now(), 12, CASE WHEN at % 2 = 0 THEN 500 END, CASE WHEN at % 2 = 1 THEN text END, text
       FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at)`,
      [delivery, texts],
    );
    return delivery;
  }
}

/** Calls of the last days with all that figures are of; each day has one more of them than the day before. */
export async function addMeasuredCalls(
  app: TestApp,
  { userId }: TestAccount,
  assistantId: number,
): Promise<void> {
  await app.query(
    `INSERT INTO calls (user_id, assistant_id, assistant_name, type, status, client_phone_number, duration_seconds,
       carrier_cost_micros, ai_cost_micros, input_tokens, output_tokens, quality, created_at)
     SELECT $1, $2, 'Recepção', 'inbound', (ARRAY['completed', 'completed', 'no-answer', 'busy'])[1 + n % 4], '+5511987654321',
       CASE WHEN n % 4 < 2 THEN 90 ELSE 0 END, 20000, 100000, 900, 120,
       CASE WHEN n % 4 < 2 THEN jsonb_build_object(
         'response_ms', '{"p50": 640, "p95": 900, "max": 900}'::jsonb, 'turns', '[{"at_ms": 4000, "response_ms": 640}]'::jsonb) END,
       now() - make_interval(days => 6 - day)
     FROM generate_series(0, 6) AS day, generate_series(0, day) AS n`,
    [userId, assistantId],
  );
}
