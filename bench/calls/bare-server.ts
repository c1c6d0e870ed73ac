// What Prosa is measured against: node:http and pg, the plain SQL, no token, no validation, no page object.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { announce } from '../support/child-server.js';

const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

const CONDITIONS: Readonly<Record<string, string>> = {
  status: 'status = $',
  type: 'type = $',
  phone_number: 'client_phone_number = $',
  assistant_id: 'assistant_id = $',
  campaign_id: 'campaign_id = $',
  branch: "routing->>'branch' = $",
  reason: "routing->>'reason' = $",
  date_from: "created_at >= $::date::timestamp AT TIME ZONE 'UTC'",
  date_to: "created_at < ($::date + 1)::timestamp AT TIME ZONE 'UTC'",
};

const COLUMNS = `id, assistant_name, campaign_name, type, duration_seconds, assistant_phone_number, client_phone_number,
  status, transcript, variables, evaluation, webhook_response, carrier_cost_micros, ai_cost_micros, answered_by,
  recording_url, created_at, updated_at`;

const server = createServer((request, response) => {
  answer(new URL(request.url ?? '/', 'http://localhost').searchParams)
    .then((body) => {
      const json = JSON.stringify(body);
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(json),
      });
      response.end(json);
    })
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
});

async function answer(query: URLSearchParams): Promise<object> {
  const parameters: unknown[] = [query.get('user_id')];
  const where = ['user_id = $1'];
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const value = query.get(name);
    if (value !== null) where.push(condition.replace('$', `$${parameters.push(value)}`));
  }
  const perPage = Number(query.get('per_page') ?? 15);
  const page = Number(query.get('page') ?? 1);
  const filter = where.join(' AND ');
  const [count, rows] = await Promise.all([
    pool.query(`SELECT count(*) FROM calls WHERE ${filter}`, parameters),
    pool.query(
      `SELECT ${COLUMNS} FROM calls WHERE ${filter} ORDER BY created_at DESC, id DESC LIMIT ${perPage}
       OFFSET ${(page - 1) * perPage}`,
      parameters,
    ),
  ]);
  return { data: rows.rows, total: Number(count.rows[0].count) };
}

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void pool.end();
});
