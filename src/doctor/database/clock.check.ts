import { request } from 'undici';
import { timeoutSignal } from '../../common/time/timeout-signal.js';
import { type Check, failure, type Finding, ok, warning } from '../check.js';
import type { OnDatabase } from './on-database.js';

/** Receivers refuse a webhook whose time differs more from theirs (Standard Webhooks), before S3 refuses at 15 minutes. */
const TOLERANCE_MS = 5 * 60_000;
/** More than a machine that asks a time server is ever off. */
const NOTABLE_MS = 5_000;
const ANSWER_MS = 5_000;

/** Compares the clock of this machine with that of the database, and with that of the storage where there is a bucket. */
export class ClockCheck implements Check {
  readonly name = 'clock';

  /** @param endpoint of the S3 service; undefined where there is none */
  constructor(
    private readonly onDatabase: OnDatabase,
    private readonly endpoint: string | undefined,
  ) {}

  async run(): Promise<readonly Finding[]> {
    const findings = [findingOf('the database', await this.aheadOfDatabaseMs())];
    const { endpoint } = this;
    if (endpoint === undefined) return findings;
    const ofStorage = await aheadOfMs(() => timeOfServerMs(endpoint)).catch(() => null);
    // The check of the storage says whether it answers.
    if (ofStorage !== null) findings.push(findingOf('the S3 service', ofStorage));
    return findings;
  }

  private aheadOfDatabaseMs(): Promise<number | null> {
    // Opening the connection is not part of the question.
    return this.onDatabase((database) =>
      aheadOfMs(async () => {
        const [row] = await database.query<{ ms: number }>(
          'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
        );
        return row?.ms ?? null;
      }),
    );
  }
}

/** How far this machine is ahead of another one, which answered in the middle of the question. */
async function aheadOfMs(ask: () => Promise<number | null>): Promise<number | null> {
  const askedAtMs = Date.now();
  const answer = await ask();
  return answer === null ? null : (askedAtMs + Date.now()) / 2 - answer;
}

/** By its Date header; null where it sends none. An answer that refuses the question has one too. */
async function timeOfServerMs(endpoint: string): Promise<number | null> {
  const { headers, body } = await request(endpoint, { signal: timeoutSignal(ANSWER_MS) });
  await body.dump();
  const ms = Date.parse(String(headers['date']));
  return Number.isNaN(ms) ? null : ms;
}

function findingOf(other: string, aheadMs: number | null): Finding {
  const ms = Math.abs(aheadMs ?? 0);
  const seconds = Math.round(ms / 100) / 10;
  const what = `The clock of this machine differs from that of ${other} by ${seconds} s`;
  if (ms >= TOLERANCE_MS)
    return failure(`${what}, so signatures are refused: run a time service (NTP) on both.`);
  if (ms >= NOTABLE_MS) return warning(`${what}: run a time service (NTP) on both.`);
  return ok(`${what}.`);
}
