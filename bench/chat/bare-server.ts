// What Prosa's chat is measured against: node:http and pg, no validation, two prepared statements a turn. The first
// stores the message, holds its price and reads what came before; the second stores the answer and charges the hold.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { Agent, request as ask } from 'undici';
import { announce } from '../support/child-server.js';

const PRICE_MICROS = 10_000;

const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});
const model = new Agent({ connections: 64 });

const BEGIN = {
  name: 'begin',
  text: `WITH hold AS (
           UPDATE bare.wallets SET balance_micros = balance_micros - ${PRICE_MICROS}
           WHERE user_id = (SELECT user_id FROM bare.conversations WHERE id = $1) AND balance_micros >= ${PRICE_MICROS}
           RETURNING user_id),
         message AS (
           INSERT INTO bare.messages (conversation_id, user_id, role, content) SELECT $1, user_id, 'user', $2 FROM hold
           RETURNING id)
         SELECT (SELECT id FROM message) AS id,
           (SELECT json_agg(last) FROM (
              SELECT role, content FROM bare.messages WHERE conversation_id = $1 ORDER BY id DESC LIMIT 50) last) AS history`,
};
const FINISH = {
  name: 'finish',
  text: `WITH answer AS (
           INSERT INTO bare.messages (conversation_id, user_id, role, content)
           SELECT id, user_id, 'assistant', $2 FROM bare.conversations WHERE id = $1 RETURNING user_id),
         charge AS (
           INSERT INTO bare.transactions (user_id, message_id, amount_micros)
           SELECT user_id, $3, -${PRICE_MICROS} FROM answer)
         UPDATE bare.conversations SET message_count = message_count + 2, updated_at = now() WHERE id = $1`,
};

const server = createServer((request, response) => {
  turn(request)
    .then((text) => {
      const json = JSON.stringify({ status: true, message: text });
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(json),
      });
      response.end(json);
    })
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
});

async function turn(request: IncomingMessage): Promise<string> {
  const conversation = (request.url ?? '').slice(1);
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  const { message } = JSON.parse(body) as { message: string };
  const { rows } = await pool.query<{ id: number | null; history: object[] | null }>({
    ...BEGIN,
    values: [conversation, message],
  });
  const [row] = rows;
  if (!row?.id) throw new Error('the hold was refused');
  const messages = [...(row.history ?? []).reverse(), { role: 'user', content: message }];
  const text = await complete(messages);
  await pool.query({ ...FINISH, values: [conversation, text, row.id] });
  return text;
}

async function complete(messages: readonly object[]): Promise<string> {
  const { body } = await ask(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, messages }),
    dispatcher: model,
  });
  let text = '';
  for (const line of (await body.text()).split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] };
    text += choices[0]?.delta.content ?? '';
  }
  return text;
}

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void Promise.all([pool.end(), model.close()]);
});
