import type { SandboxDialLog } from '../../src/providers/telephony/sandbox/sandbox-dial-log.js';

/** Looks into the database of the product under test. */
export type Query = <Row = Record<string, unknown>>(
  sql: string,
  parameters?: readonly unknown[],
) => Promise<Row[]>;

export interface AttemptRow {
  readonly id: string;
  readonly lead_id: number;
  readonly state: string;
  readonly outcome: string | null;
  readonly to: string;
}

/** The carrier's log held against the attempts; all lists are empty when nothing went wrong. */
export interface DialVerdict {
  readonly attempts: number;
  readonly dials: number;
  readonly mostLiveAtOnce: number;
  readonly dialledTwice: readonly string[];
  readonly dialledWithoutAttempt: readonly string[];
  readonly numbersInTwoCalls: readonly string[];
  readonly leadsCalledTooOften: readonly number[];
  readonly attemptsNotSettled: number;
  readonly wrongOutcomes: readonly string[];
}

/** What a number's last digits say of all its attempts. */
const OUTCOMES: Readonly<Record<string, string>> = {
  '00': 'answered',
  '01': 'busy,busy,busy',
  '02': 'no-answer,no-answer,no-answer',
  '03': 'voicemail',
  '04': 'failed,failed,failed',
  '05': 'answered',
  '06': 'busy,answered',
};

export function compareDials(
  log: SandboxDialLog,
  attempts: readonly AttemptRow[],
  maxRetries: number,
): DialVerdict {
  const keys = log.dials.map(({ key }) => key);
  const known = new Set(attempts.map(({ id }) => id));
  const byLead = new Map<number, AttemptRow[]>();
  for (const attempt of attempts) {
    byLead.set(attempt.lead_id, [...(byLead.get(attempt.lead_id) ?? []), attempt]);
  }
  return {
    attempts: attempts.length,
    dials: keys.length,
    mostLiveAtOnce: log.mostLiveAtOnce,
    dialledTwice: keys.filter((key, at) => keys.indexOf(key) !== at),
    dialledWithoutAttempt: keys.filter((key) => !known.has(key)),
    numbersInTwoCalls: Object.entries(log.mostLiveByNumber)
      .filter(([, most]) => most > 1)
      .map(([number]) => number),
    leadsCalledTooOften: [...byLead].filter(([, tries]) => tries.length > 1 + maxRetries).map(([id]) => id),
    attemptsNotSettled: attempts.filter(({ state }) => state !== 'settled').length,
    wrongOutcomes: [...byLead.values()].flatMap((tries) => {
      const got = tries.map(({ outcome }) => outcome).join();
      const to = tries[0]?.to ?? '';
      return got === OUTCOMES[to.slice(-2)] ? [] : [`${to.slice(-2)}: ${got}`];
    }),
  };
}

/** Calls of which the receiver heard nothing. @param events ids of the events it got */
export async function callsNotTold(
  query: Query,
  userId: number,
  events: ReadonlySet<unknown>,
): Promise<number[]> {
  const ended = await query<{ id: number; event: string | null }>(
    `SELECT k.id, w.event_id AS event FROM calls k
     LEFT JOIN webhook_deliveries w ON w.kind = 'post-call' AND w.subject_id = k.id::text
     WHERE k.user_id = $1`,
    [userId],
  );
  return ended.filter(({ event }) => event === null || !events.has(event)).map(({ id }) => id);
}

/** Balance, holds, entries and costs of calls that do not agree. */
export async function moneyWrong(query: Query, userId: number): Promise<string[]> {
  const [books] = await query<Record<string, string>>(
    `SELECT balance_micros AS balance, held_micros AS held,
       (SELECT sum(amount_micros) FROM ledger_entries WHERE user_id = $1) AS entries,
       (SELECT count(*) FROM ledger_entries WHERE user_id = $1 AND kind = 'call') AS charges,
       (SELECT count(DISTINCT reference) FROM ledger_entries WHERE user_id = $1 AND kind = 'call') AS charged,
       (SELECT coalesce(sum(carrier_cost_micros + ai_cost_micros), 0) FROM calls WHERE user_id = $1) AS costs,
       (SELECT coalesce(-sum(amount_micros), 0) FROM ledger_entries WHERE user_id = $1 AND kind = 'call') AS paid
     FROM wallets WHERE user_id = $1`,
    [userId],
  );
  if (!books) return ['no wallet'];
  const { balance, held, entries, charges, charged, costs, paid } = books;
  return [
    ...(balance === entries ? [] : [`balance ${balance}, entries ${entries}`]),
    ...(held === '0' ? [] : [`held ${held}`]),
    ...(charges === charged ? [] : [`${charges} charges for ${charged} calls`]),
    ...(costs === paid ? [] : [`calls cost ${costs}, paid ${paid}`]),
  ];
}
