import 'reflect-metadata';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import {
  DROPPABLE,
  type Droppable,
  RestoredCopy,
  type Waiting,
} from '../boot/after-restore/restored-copy.js';
import { loadConfig } from '../config/load.js';
import type { Database } from '../database/database.js';
import { withCommandDatabase } from './account/command-database.js';
import { orUsage, runCommand } from './command-line.js';

const USAGE = `Usage: npm run after-restore [-- --list | --drop WHAT]

Prepares a copy of a database (snapshot, pg_dump, point in time) for its first start without PROSA_PAUSED. Lists what waits,
stops running campaigns, ends the calls of the copy without a charge, and asks what to do with queued webhooks, e-mails, file
deletions and carrier orders. It needs PROSA_PAUSED=1, and runs next to a paused Prosa. A second run finds nothing left to do.

--list       lists what waits and changes nothing
--drop WHAT  answers the questions: webhooks, e-mails, file-deletions and carrier-orders, separated by commas, all or none.
             What is not dropped is sent, deleted or ordered by the next start.
`;

const QUESTIONS: Readonly<Record<Droppable, string>> = {
  webhooks: 'queued webhooks and events of plugins, which the original may have sent',
  'e-mails': 'queued e-mails, which the original may have sent',
  'file-deletions': 'planned deletions of files, which the original may still need',
  'carrier-orders': 'carrier orders, which give numbers back that the original may have rented',
};

/** The command cannot go on as it was called. Its message is a sentence for the operator. */
class AfterRestoreError extends Error {
  override readonly name = 'AfterRestoreError';
}

const { values } = orUsage(USAGE, () =>
  parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      list: { type: 'boolean', default: false },
      drop: { type: 'string' },
    },
  }),
);

function linesOf({ droppable, ...waiting }: Waiting): string {
  const counts: readonly [number, string][] = [
    [waiting.runningCampaigns, 'running campaigns, which are stopped'],
    [
      waiting.leadsBeingDialled,
      'leads that are being dialled, which are not called again if the carrier had them',
    ],
    [waiting.openCalls, 'open calls, which end without a charge'],
    [waiting.verificationCalls, 'calls that verify numbers, which fail without a charge'],
    [waiting.erasures, 'erasures of persons, which go on with the next start'],
    [waiting.accountDeletions, 'deletions of accounts, which go on with the next start'],
    ...DROPPABLE.map((what): [number, string] => [droppable[what], QUESTIONS[what]]),
  ];
  return counts.map(([count, what]) => `${String(count).padStart(8)}  ${what}`).join('\n');
}

/** @throws AfterRestoreError */
function namedIn(list: string): ReadonlySet<Droppable> {
  if (list === 'none') return new Set();
  if (list === 'all') return new Set(DROPPABLE);
  const words = list.split(',').map((word) => word.trim());
  const unknown = words.filter((word) => !DROPPABLE.some((what) => what === word));
  if (unknown.length > 0) {
    throw new AfterRestoreError(
      `--drop knows ${DROPPABLE.join(', ')}, all and none, but not ${unknown.join(', ')}. Nothing was changed.`,
    );
  }
  return new Set(DROPPABLE.filter((what) => words.includes(what)));
}

/** @throws AfterRestoreError without a terminal */
async function askedFor({ droppable }: Waiting): Promise<ReadonlySet<Droppable>> {
  const open = DROPPABLE.filter((what) => droppable[what] > 0);
  if (open.length === 0) return new Set();
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new AfterRestoreError(
      `There is no terminal to ask about ${open.join(', ')}: answer with --drop. Nothing was changed.`,
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const dropped = new Set<Droppable>();
  try {
    for (const what of open) {
      const answer = await terminal.question(`Drop ${droppable[what]} ${QUESTIONS[what]}? [y/N] `);
      if (/^y(es)?$/i.test(answer.trim())) dropped.add(what);
    }
  } finally {
    terminal.close();
  }
  return dropped;
}

async function main(): Promise<void> {
  const config = loadConfig();
  if (!config.server.isPaused) {
    throw new AfterRestoreError(
      'PROSA_PAUSED is off here. This command stops campaigns and ends calls, so it runs for a paused copy alone. Nothing was changed.',
    );
  }
  const named = values.drop === undefined ? null : namedIn(values.drop);
  await withCommandDatabase(config.database, (database) => prepare(database, named), {
    onlyReads: values.list,
  });
}

/** @param named what the operator has answered; null: not yet */
async function prepare(database: Database, named: ReadonlySet<Droppable> | null): Promise<void> {
  const copy = new RestoredCopy(database);
  const waiting = await copy.findWaiting();
  console.log(`What waits in this database:\n${linesOf(waiting)}\n`);
  if (values.list) return;
  const dropped = named ?? (await askedFor(waiting));
  const calls = await copy.settle(dropped);
  const left = DROPPABLE.filter((what) => waiting.droppable[what] > 0 && !dropped.has(what));
  console.log(`Stopped ${waiting.runningCampaigns} campaigns and ended ${calls} calls.`);
  if (dropped.size > 0) console.log(`Dropped: ${[...dropped].join(', ')}.`);
  if (left.length > 0) console.log(`Kept for the next start: ${left.join(', ')}.`);
  console.log('Start every process without PROSA_PAUSED now.');
}

if (values.help) process.stdout.write(USAGE);
else await runCommand(main);
