// The accounts and conversations that the chat benchmark uses, Prosa's through its API and the bare server's own.
import type { Client } from 'pg';
import { hashToken, makeToken } from '../../src/common/auth/opaque-token.js';

const BALANCE_MICROS = 1_000_000_000_000;

/** Paths of one conversation for each lane, on both servers. */
export interface Lanes {
  readonly prosa: readonly string[];
  readonly bare: readonly string[];
}

export async function createBareTables(database: Client): Promise<void> {
  await database.query(`
    CREATE SCHEMA bare;
    CREATE TABLE bare.wallets (user_id integer PRIMARY KEY, balance_micros bigint NOT NULL CHECK (balance_micros >= 0));
    CREATE TABLE bare.conversations (
      id uuid PRIMARY KEY, user_id integer NOT NULL, message_count integer NOT NULL DEFAULT 0, updated_at timestamptz);
    CREATE TABLE bare.messages (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, conversation_id uuid NOT NULL, user_id integer NOT NULL,
      role text NOT NULL, content text NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
    CREATE INDEX ON bare.messages (conversation_id, id);
    CREATE TABLE bare.transactions (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id integer NOT NULL, message_id bigint NOT NULL UNIQUE,
      amount_micros bigint NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
    CREATE INDEX ON bare.transactions (user_id, id);
  `);
}

/** New accounts with money and an assistant each, and new conversations shared among them. */
export async function openLanes(
  database: Client,
  origin: string,
  { lanes, accounts }: { lanes: number; accounts: number },
): Promise<Lanes> {
  const assistants: { userId: number; uuid: string }[] = [];
  for (let index = 0; index < accounts; index++) assistants.push(await openAccount(database, origin));
  const prosa: string[] = [];
  const bare: string[] = [];
  for (let lane = 0; lane < lanes; lane++) {
    const { userId, uuid } = assistants[lane % accounts] ?? { userId: 0, uuid: '' };
    const { conversation_id: id } = (await post(`${origin}/api/conversations`, { assistant_id: uuid })) as {
      conversation_id: string;
    };
    prosa.push(`/api/conversations/${id}/messages`);
    await database.query('INSERT INTO bare.conversations (id, user_id) VALUES ($1, $2)', [id, userId]);
    bare.push(`/${id}`);
  }
  return { prosa, bare };
}

async function openAccount(database: Client, origin: string): Promise<{ userId: number; uuid: string }> {
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO users (plan_id, name, email)
     SELECT id, 'Bench', gen_random_uuid() || '@example.com' FROM plans WHERE code = 'unlimited' RETURNING id`,
  );
  const userId = rows[0]?.id ?? 0;
  for (const table of ['wallets', 'bare.wallets'])
    await database.query(`INSERT INTO ${table} (user_id, balance_micros) VALUES ($1, ${BALANCE_MICROS})`, [
      userId,
    ]);
  const token = makeToken('prosa_');
  await database.query("INSERT INTO api_keys (user_id, name, token_hash) VALUES ($1, 'bench', $2)", [
    userId,
    hashToken(token),
  ]);
  const assistant = {
    name: 'Loja',
    type: 'inbound',
    mode: 'pipeline',
    language_id: 1,
    voice_id: 1,
    llm_model_id: 1,
    timezone: 'America/Sao_Paulo',
    initial_message: 'Olá!',
    system_prompt: 'Você atende os clientes de uma loja. '.repeat(10),
  };
  const headers = { Authorization: `Bearer ${token}` };
  const { data } = (await post(`${origin}/api/user/assistant`, assistant, headers)) as {
    data: { id: number };
  };
  const { rows: made } = await database.query<{ uuid: string }>('SELECT uuid FROM assistants WHERE id = $1', [
    data.id,
  ]);
  return { userId, uuid: made[0]?.uuid ?? '' };
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
