import { spawnSync } from 'node:child_process';
import { say } from '../long/say.js';
import type { PhoneRow } from './row.js';
import { baresipRows } from './rows/baresip-rows.js';
import { hostileRows } from './rows/hostile-rows.js';
import { kamailioRows } from './rows/kamailio-rows.js';
import { sippRows } from './rows/sipp-rows.js';

const WHERE: Readonly<Record<string, string>> = { baresip: 'baresip', sipp: 'sipp', kamailio: 'kamailio' };

/** A row that hangs is a failure, not a table that never ends. */
const ROW_TIMEOUT_MS = 240_000;

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const rows = [...baresipRows(), ...sippRows(), ...kamailioRows(), ...hostileRows()].filter(({ title }) =>
  words.every((word) => title.toLowerCase().includes(word)),
);
const missing = new Set(Object.keys(WHERE).filter((name) => spawnSync('which', [WHERE[name]!]).status !== 0));
for (const name of missing) say(`${name} is not here: the rows that need it are left out.`);

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const row of rows) await judge(row);
say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed > 0 ? 1 : 0);

async function judge(row: PhoneRow): Promise<void> {
  if (row.needs !== null && missing.has(row.needs)) {
    counts.skipped++;
    return;
  }
  const startedAt = performance.now();
  try {
    const detail = await Promise.race([row.run(), late()]);
    counts.passed++;
    say(`ok      ${row.title.padEnd(64)} ${detail} (${Math.round(performance.now() - startedAt)} ms)`);
  } catch (error) {
    counts.failed++;
    say(`FAILED  ${row.title.padEnd(64)} ${error instanceof Error ? error.message : String(error)}`);
  }
}

function late(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('took too long')), ROW_TIMEOUT_MS).unref();
  });
}
