import { spawnSync } from 'node:child_process';
import { say } from '../long/say.js';
import type { PhoneRow } from './row.js';
import { baresipRows } from './rows/baresip-rows.js';
import { campaignRows } from './rows/campaign-rows.js';
import { hostileRows } from './rows/hostile-rows.js';
import { kamailioRows } from './rows/kamailio-rows.js';
import { productRows } from './rows/product-rows.js';
import { proxyRows } from './rows/proxy-rows.js';
import { sippRows } from './rows/sipp-rows.js';
import { transferRows } from './rows/transfer-rows.js';
import { missingOfKamailio } from './software/kamailio.js';
import { SharedProduct } from './software/shared-product.js';
import { ForeignProcess } from './software/process.js';

/** A row that hangs is a failure, not a table that never ends. */
const ROW_TIMEOUT_MS = 600_000;
/** Characters of the product’s log to print with a failure. */
const PRODUCT_SAYS = 2_000;
/** What asks for the long rows as well. */
const ALL = 'all';

const startedAt = performance.now();
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const wanted = words.filter((word) => word !== ALL);
const withLong = words.length > 0;
const product = new SharedProduct();
const rows = [
  ...baresipRows(),
  ...sippRows(),
  ...kamailioRows(),
  ...proxyRows(),
  ...productRows(product),
  ...transferRows(product),
  ...campaignRows(product),
  ...hostileRows(),
].filter(
  ({ title, isLong = false }) =>
    (withLong || !isLong) && wanted.every((word) => title.toLowerCase().includes(word)),
);
/** Why rows that need a program are left out, by its name. */
const missing = new Map<string, string>();
for (const name of ['baresip', 'sipp'])
  if (spawnSync('which', [name]).status !== 0) missing.set(name, `${name} is not here`);
const missingKamailio = missingOfKamailio();
if (missingKamailio) missing.set('kamailio', missingKamailio);

// Whatever ends this process, nothing it has started goes on.
process.on('exit', () => ForeignProcess.killAll());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const ready = rows.filter(({ needs }) => needs === null || !missing.has(needs));
const failed: PhoneRow[] = [];
for (const row of ready) if (!(await passes(row))) failed.push(row);
if (failed.length > 0)
  say(`${failed.length} rows run once more, as a busy machine may be late; what fails twice has failed.`);
let lost = 0;
for (const row of failed) if (!(await passes(row))) lost++;
await product.stop();
for (const [name, reason] of missing) {
  const without = rows.filter(({ needs }) => needs === name);
  if (without.length > 0) say(`${reason}: ${without.length} rows that need it are left out.`);
}
const seconds = Math.round((performance.now() - startedAt) / 1_000);
const skipped = rows.length - ready.length;
say(`${ready.length - lost} passed, ${lost} failed, ${skipped} skipped, in ${seconds} s`);
process.exit(lost > 0 || rows.length === 0 ? 1 : 0);

async function passes(row: PhoneRow): Promise<boolean> {
  const rowStartedAt = performance.now();
  try {
    const detail = await Promise.race([row.run(), late()]);
    say(`ok      ${row.title.padEnd(64)} ${detail} (${Math.round(performance.now() - rowStartedAt)} ms)`);
    return true;
  } catch (error) {
    say(`FAILED  ${row.title.padEnd(64)} ${error instanceof Error ? error.message : String(error)}`);
    const [prosa] = await product.processes();
    if (prosa) say(prosa.output.slice(-PRODUCT_SAYS));
    // Its programs would be in the way of the next row.
    await ForeignProcess.stopAll(await product.processes());
    return false;
  }
}

function late(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('took too long')), ROW_TIMEOUT_MS).unref();
  });
}
