import type { TestAccount, TestApp } from './app.js';
import { createAssistant, createTool, openConversation } from './builders.js';
import { addConsoleRows, type ConsoleRows } from './console-rows.js';

const GROUP = 10;

/** Where the rows of `addHostileRows` are shown. */
export interface HostileRows extends ConsoleRows {
  /** Has each text as its prompt of before, a line each. */
  readonly assistant: number;
  /** Whose own texts are harmless. */
  readonly plainTool: number;
  readonly call: number;
  /** Each text is a message of each author in it. */
  readonly conversation: string;
  /** The conversation of a customer of whom each text is known. */
  readonly customer: string;
}

/** `addConsoleRows`, and the rows of all other screens: one row a text, in every field that takes any text. */
export async function addHostileRows(
  app: TestApp,
  account: TestAccount,
  texts: readonly string[],
): Promise<HostileRows> {
  const { userId } = account;
  const assistant = await createAssistant(app, account, { widget_enabled: true });
  const conversation = await openConversation(app, assistant, {}, account);
  const customer = await openConversation(app, assistant, {}, account);
  const plainTool = await createTool(app, account);
  const rows = await addConsoleRows(app, account, texts, inGroups(texts));
  const write = (sql: string, ...more: readonly unknown[]) => app.query(sql, [userId, texts, ...more]);
  const pairs = `(SELECT jsonb_object_agg('k ' || text, text) FROM unnest($2::text[]) AS text)`;

  await write(
    `INSERT INTO assistants (uuid, user_id, name, type, mode, language_id, voice_id, llm_model_id, config)
     SELECT gen_random_uuid(), user_id, text, type, mode, language_id, voice_id, llm_model_id, config - 'system_prompt'
     FROM assistants, unnest($2::text[]) AS text WHERE id = $3 AND user_id = $1`,
    assistant.id,
  );
  await write(
    `UPDATE assistants SET name = texts[1], config = config || jsonb_build_object('system_prompt', array_to_string(texts, E'\\n'),
       'initial_message', texts[2], 'widget_title', texts[3], 'widget_consent', texts[4])
     FROM (SELECT $2::text[] AS texts) AS given WHERE id = $3 AND user_id = $1`,
    assistant.id,
  );
  await write('INSERT INTO folders (user_id, name) SELECT $1, text FROM unnest($2::text[]) AS text');
  await write(
    `INSERT INTO tools (user_id, name, description, endpoint, method, sealed_headers, schema, static_fields)
     SELECT user_id, text, text, 'https://api.example.com/' || text, method, sealed_headers, schema, static_fields
     FROM tools, unnest($2::text[]) AS text WHERE id = $3 AND user_id = $1`,
    rows.tool,
  );
  await write(
    // Ten texts a parameter: each has a form of its own.
    `UPDATE tools SET schema = (
       SELECT jsonb_agg(jsonb_build_object('name', name, 'description', description, 'type', 'string', 'required', false))
       FROM (SELECT min(text) AS name, string_agg(text, ' | ') AS description
             FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at) GROUP BY at / 10) AS parameters)
     WHERE id = $3 AND user_id = $1`,
    rows.tool,
  );
  await write(
    `INSERT INTO phone_numbers (user_id, phone_number, nickname, country_code, type)
     SELECT $1, '+55118' || (80000000 + at), text, 'BR', 'normal'
     FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at)`,
  );
  await write(
    `INSERT INTO api_keys (user_id, name, token_hash)
     SELECT $1, text, convert_to(text, 'UTF8') FROM unnest($2::text[]) AS text`,
  );
  await write(
    `INSERT INTO sessions (user_id, token_hash, user_agent, ip_address, expires_at)
     SELECT $1, convert_to(text, 'UTF8'), text, text, now() + interval '1 day' FROM unnest($2::text[]) AS text`,
  );
  await write(
    `INSERT INTO lead_imports (user_id, campaign_id, status, file_name)
     SELECT $1, $3, 'completed', text FROM unnest($2::text[]) AS text`,
    rows.campaign,
  );
  await write(`UPDATE leads SET variables = ${pairs} WHERE id = $3 AND user_id = $1`, rows.lead);
  const [call] = await app.query<{ id: number }>(
    `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, campaign_id, campaign_name, transcript,
       variables, input_variables, evaluation, webhook_response)
     SELECT $1, text, 'outbound', 'completed', phone_number, $3, text, array_to_string($2::text[], E'\\n'),
       CASE WHEN at = 1 THEN ${pairs} ELSE '{}' END, '{}', CASE WHEN at = 1 THEN ${pairs} ELSE '{}' END,
       jsonb_build_object('body', text)
     FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at), leads WHERE leads.id = $4
     ORDER BY at RETURNING id`,
    [userId, texts, rows.campaign, rows.lead],
  );
  await write(
    `INSERT INTO call_turns (call_id, position, user_id, role, text, start_ms, end_ms, interrupted)
     SELECT $3, at, $1, (ARRAY['assistant', 'customer'])[1 + at % 2], text, at, at, false
     FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at)`,
    call!.id,
  );
  // A call that runs. Other lists do not show its variables.
  await write(
    `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, variables, input_variables, evaluation)
     VALUES ($1, '', 'inbound', 'in-progress', '+5511987654321',
       jsonb_build_object('name', array_to_string($2::text[], ' | ')), '{}', '{}')`,
  );
  await write(
    `INSERT INTO conversations (id, user_id, assistant_id, type, variables, last_message, last_author, last_message_at,
       unread_count, message_count, waiting_since)
     SELECT gen_random_uuid(), $1, $3, 'widget', jsonb_build_object('name', text), text, 'customer', now(), 1, 1, now()
     FROM unnest($2::text[]) AS text`,
    assistant.id,
  );
  await write(`UPDATE conversations SET variables = ${pairs} WHERE id = $3 AND user_id = $1`, customer);
  await write(
    `INSERT INTO messages (conversation_id, user_id, role, author, content, function_calls)
     SELECT $3, $1, CASE author WHEN 'customer' THEN 'user' ELSE 'assistant' END, author, text,
       CASE author WHEN 'ai' THEN jsonb_build_array(jsonb_build_object(
         'name', text, 'arguments', jsonb_build_object(text, text), 'result', jsonb_build_object(text, text))) END
     FROM unnest($2::text[]) WITH ORDINALITY AS texts (text, at), unnest(ARRAY['customer', 'ai', 'agent']) AS author
     ORDER BY at, author`,
    conversation,
  );
  return { ...rows, assistant: assistant.id, plainTool, call: call!.id, conversation, customer };
}

/** Several texts a row, for screens that show few rows at a time. */
export function inGroups(texts: readonly string[]): string[] {
  const groups = Math.ceil(texts.length / GROUP);
  return Array.from({ length: groups }, (_, at) => texts.slice(at * GROUP, (at + 1) * GROUP).join(' | '));
}
