import type { Client as Database } from 'pg';
import {
  type AttemptRow,
  callsNotTold,
  compareDials,
  moneyWrong,
  type Query,
} from '../../faults/dial-verdict.js';
import type { Testbed } from '../testbed/testbed.js';
import { MAX_RETRIES } from './load.js';
import type { Promises } from './promises.js';

const SHOWN = 5;

/** What was promised or must hold, and does not; empty when all is well. Needs everything to have come to rest. */
export function brokenPromises(testbed: Testbed, promises: Promises): Promise<string[]> {
  return askDatabase(testbed, async (query, userId) => [
    ...(await messagesWrong(query, promises)),
    ...(await leadsWrong(query, promises)),
    ...(await callsWrong(query, promises)),
    ...(await dialsWrong(testbed, query, promises)),
    ...listed('calls without a webhook', await callsNotTold(query, userId, testbed.events)),
    ...listed('money', await moneyWrong(query, userId)),
  ]);
}

/** What is wrong with the money of the testbed's account. Needs everything to have come to rest. */
export function wrongMoney(testbed: Testbed): Promise<string[]> {
  return askDatabase(testbed, moneyWrong);
}

async function askDatabase<T>(
  testbed: Testbed,
  question: (query: Query, userId: number) => Promise<T>,
): Promise<T> {
  const database = await testbed.cluster.connect();
  try {
    const query: Query = async <Row>(sql: string, parameters: readonly unknown[] = []) =>
      (await database.query(sql, [...parameters])).rows as Row[];
    const [{ id: userId } = { id: 0 }] = await query<{ id: number }>(
      'SELECT id FROM users ORDER BY id LIMIT 1',
    );
    return await question(query, userId);
  } finally {
    await database.end();
  }
}

function listed(name: string, found: readonly unknown[]): string[] {
  if (found.length === 0) return [];
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  return [`${name}: ${found.slice(0, SHOWN).map(String).join('; ')}${more}`];
}

async function messagesWrong(query: Query, { messages }: Promises): Promise<string[]> {
  const rows = await query<{ content: string }>("SELECT DISTINCT content FROM messages WHERE role = 'user'");
  const stored = new Set(rows.map(({ content }) => content));
  const [books] = await query<{ charges: string; charged: string }>(
    "SELECT count(*) AS charges, count(DISTINCT reference) AS charged FROM ledger_entries WHERE kind = 'message'",
  );
  const paid = Number(books?.charges);
  return [
    ...listed(
      'acknowledged messages lost',
      messages.filter((text) => !stored.has(text)),
    ),
    ...(paid === Number(books?.charged) ? [] : [`${paid} charges for ${books?.charged} messages`]),
    ...(paid >= messages.length ? [] : [`${paid} charges for ${messages.length} acknowledged messages`]),
  ];
}

async function leadsWrong(query: Query, { leads, importedLeads }: Promises): Promise<string[]> {
  const rows = await query<{ phone: string; count: string }>(
    'SELECT phone_number AS phone, count(*) FROM leads GROUP BY phone_number',
  );
  const stored = new Set(rows.map(({ phone }) => phone));
  const unfinished = await query<{ id: number; state: string }>(
    "SELECT lead_id AS id, state FROM lead_dials WHERE state <> 'done'",
  );
  return [
    ...listed(
      'acknowledged leads lost',
      leads.filter((phone) => !stored.has(phone)),
    ),
    ...listed(
      'leads of acknowledged imports lost',
      importedLeads.filter((phone) => !stored.has(phone)),
    ),
    ...listed(
      'leads stored twice',
      rows.filter(({ count }) => Number(count) > 1).map(({ phone }) => phone),
    ),
    ...listed(
      'leads not called to their end',
      unfinished.map(({ id, state }) => `${id} ${state}`),
    ),
  ];
}

async function callsWrong(query: Query, { calls }: Promises): Promise<string[]> {
  const rows = await query<{ id: number; status: string; to: string }>(
    'SELECT id, status, client_phone_number AS to FROM calls',
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const live = new Set(['initiated', 'ringing', 'in-progress']);
  return [
    ...listed(
      'acknowledged calls lost',
      calls.filter(({ id, to }) => stored.get(id)?.to !== to).map(({ id }) => id),
    ),
    ...listed(
      'calls not ended',
      rows.filter(({ status }) => live.has(status)).map(({ id, status }) => `${id} ${status}`),
    ),
  ];
}

async function dialsWrong(testbed: Testbed, query: Query, { calls }: Promises): Promise<string[]> {
  const log = await testbed.dialLog();
  const attempts = await query<AttemptRow>(
    'SELECT id, lead_id, state, outcome, to_phone_number AS to FROM dial_attempts ORDER BY lead_id, number',
  );
  // A call that was asked for one by one has a key, and no attempt of a campaign.
  const single = await query<{ id: string }>(
    'SELECT attempt_id AS id FROM calls WHERE campaign_id IS NULL AND attempt_id IS NOT NULL',
  );
  const keys = new Set([...attempts, ...single].map(({ id }) => id));
  const dialled = new Set(log.dials.map(({ key }) => key));
  const dialsTo = (phone: string) => log.dials.filter(({ to }) => to === phone).length;
  const all = compareDials(log, attempts, MAX_RETRIES);
  return [
    ...listed('attempts dialled twice', all.dialledTwice),
    ...listed(
      'dialled without an attempt',
      all.dialledWithoutAttempt.filter((key) => !keys.has(key)),
    ),
    ...listed('numbers in two calls at once', all.numbersInTwoCalls),
    ...listed(
      'single calls dialled more than once',
      calls.filter(({ to }) => dialsTo(to) > 1).map(({ id }) => id),
    ),
    ...listed('leads called too often', all.leadsCalledTooOften),
    ...listed('attempts not settled', all.attemptsNotSettled > 0 ? [all.attemptsNotSettled] : []),
    ...listed(
      'attempts used up that the carrier never saw',
      attempts
        .filter(({ id, state, outcome }) => state === 'settled' && outcome === 'failed' && !dialled.has(id))
        .map(({ id, to }) => `${to} ${id}`),
    ),
  ];
}

/** A hold whose process died is given back after three minutes; a test need not wait so long. */
async function ageHolds(database: Database): Promise<void> {
  await database.query(
    "UPDATE holds SET created_at = created_at - interval '3 minutes' WHERE state = 'held'",
  );
}

/** Waits until leads, calls and webhooks have come to rest. Returns what has not, in words; null when all have. */
export async function comeToRest(testbed: Testbed, limitMs: number): Promise<string | null> {
  const deadline = performance.now() + limitMs;
  const database = await testbed.cluster.connect();
  let isAged = false;
  try {
    for (;;) {
      const open = await stillOpen(database);
      const left = Object.entries(open).filter(([, count]) => Number(count) > 0);
      if (left.length === 0) return null;
      if (!isAged && left.every(([name]) => name === 'holds')) {
        await ageHolds(database);
        isAged = true;
      }
      if (performance.now() > deadline) return left.map(([name, count]) => `${count} ${name}`).join(', ');
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } finally {
    await database.end();
  }
}

async function stillOpen(database: Database): Promise<Record<string, string>> {
  const { rows } = await database.query<Record<string, string>>(
    `SELECT (SELECT count(*) FROM lead_dials WHERE state <> 'done') AS leads,
       (SELECT count(*) FROM dial_attempts WHERE state <> 'settled') AS attempts,
       (SELECT count(*) FROM calls WHERE status IN ('initiated', 'ringing', 'in-progress')) AS calls,
       (SELECT count(*) FROM active_calls) AS runs,
       (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending') AS webhooks,
       (SELECT count(*) FROM wallets WHERE held_micros <> 0) AS holds`,
  );
  return rows[0] ?? {};
}
