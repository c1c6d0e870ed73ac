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
}

/**
 * Rows for each screen of the console that others than the operator write into: one row a text, which stands in every
 * field that takes any text. They are written by SQL, as no request may make as many.
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
  return { campaign, lead, tool, ...(await addKnowledge()), delivery: await addDeliveries() };

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
