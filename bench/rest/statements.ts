// What the servers that Prosa is measured against do: one prepared statement a request, no token, no validation.
import { Pool } from 'pg';

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

export type Body = Record<string, unknown>;

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: (userId: number, id: number, body: Body) => unknown[];
}

const STATEMENTS: Readonly<Record<string, Statement>> = {
  'GET me': {
    name: 'me',
    text: 'SELECT name, email, balance_micros FROM users JOIN wallets ON user_id = id WHERE id = $1',
    values: (userId) => [userId],
  },
  'POST assistant': {
    name: 'add_assistant',
    text: `INSERT INTO assistants (uuid, user_id, name, type, mode, language_id, voice_id, llm_model_id, config)
           VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8) RETURNING id, name, status, type, mode`,
    values: (userId, _id, { name, type, mode, language_id, voice_id, llm_model_id, ...config }) => [
      userId,
      name,
      type,
      mode,
      language_id,
      voice_id,
      llm_model_id,
      JSON.stringify(config),
    ],
  },
  'PUT assistant': {
    name: 'change_assistant',
    text: `UPDATE assistants SET name = $3, config = config || $4::jsonb, revision = revision + 1, updated_at = now()
           WHERE user_id = $1 AND id = $2 RETURNING id, name, status, type, mode`,
    values: (userId, id, { name, ...config }) => [userId, id, name, JSON.stringify(config)],
  },
  'GET assistant': {
    name: 'assistant',
    text: 'SELECT * FROM assistants WHERE user_id = $1 AND id = $2',
    values: (userId, id) => [userId, id],
  },
  'POST tool': {
    name: 'add_tool',
    text: `INSERT INTO tools (user_id, name, description, endpoint, method, sealed_headers, schema)
           VALUES ($1, $2, $3, $4, $5, '', $6) RETURNING *`,
    values: (userId, _id, { name, description, endpoint, method, schema }) => [
      userId,
      name,
      description,
      endpoint,
      method,
      JSON.stringify(schema),
    ],
  },
  'PUT tool': {
    name: 'change_tool',
    text: 'UPDATE tools SET description = $3, updated_at = now() WHERE user_id = $1 AND id = $2 RETURNING *',
    values: (userId, id, { description }) => [userId, id, description],
  },
  'GET tool': {
    name: 'tool',
    text: 'SELECT * FROM tools WHERE user_id = $1 AND id = $2',
    values: (userId, id) => [userId, id],
  },
  'POST lead': {
    name: 'add_lead',
    text: `WITH lead AS (
             INSERT INTO leads (user_id, campaign_id, phone_number, variables) VALUES ($1, $2, $3, $4) RETURNING *),
           dial AS (
             INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() FROM lead)
           SELECT * FROM lead`,
    values: (userId, _id, { campaign_id, phone_number, variables }) => [
      userId,
      campaign_id,
      phone_number,
      JSON.stringify(variables),
    ],
  },
  'PUT lead': {
    name: 'change_lead',
    text: `UPDATE leads SET variables = variables || $3::jsonb, updated_at = now()
           WHERE user_id = $1 AND id = $2 RETURNING id`,
    values: (userId, id, { variables }) => [userId, id, JSON.stringify(variables)],
  },
  'GET lead': {
    name: 'lead',
    text: 'SELECT * FROM leads WHERE user_id = $1 AND id = $2',
    values: (userId, id) => [userId, id],
  },
};

/** Runs the statement of a request to `/<account>/<kind>/<id>`. */
export async function answer(method: string, path: string, body: Body): Promise<unknown> {
  const [, userId, kind, id] = path.split('/');
  const statement = STATEMENTS[`${method} ${kind}`];
  if (!statement) throw new Error(`no statement for ${method} ${path}`);
  const values = statement.values(Number(userId), Number(id), body);
  const { rows } = await pool.query({ name: statement.name, text: statement.text, values });
  if (rows.length !== 1) throw new Error(`${statement.name} answered ${rows.length} rows`);
  return rows[0];
}
