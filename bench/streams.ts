/**
 * Open event streams: `npm run bench -- streams [--idle 1000] [--busy 50] [--seconds 20]`, on the built product.
 *
 * Customers hold the streams of their conversations open. In the idle ones nothing happens; in each busy one a person
 * answers twice a second. Prints the memory of Prosa before and with the streams, and how long an answer takes from its
 * request to the customer's stream. Then Prosa is stopped with all of them open. Goals: 500 ms for 95 % of the
 * answers, and an end within `SHUTDOWN_TIMEOUT_SECONDS`, at which every stream has ended as a stream does.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { OpenStream } from './streams/open-stream.js';
import { ProsaProcess } from './support/prosa-process.js';

const MAX_P95_MS = 500;
const DRAIN_SECONDS = 10;
/** After the drain: connections and pools are closed. */
const CLOSING_MS = 2_000;
const PAUSE_MS = 500;
/** Requests at the same time while conversations and streams are opened. */
const OPENERS = 20;
const SETTLE_MS = 3_000;

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '1000' },
    busy: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
  },
});
const idle = Number(values.idle);
const busy = Number(values.busy);
const seconds = Number(values.seconds);

const prosa = await ProsaProcess.start({ SHUTDOWN_TIMEOUT_SECONDS: String(DRAIN_SECONDS) });
try {
  await measure();
} finally {
  await prosa.stop();
}

async function measure(): Promise<void> {
  const { child, origin } = prosa;
  const assistant = await prosa.addAssistant();
  const uuids = await inParallel(Array.from({ length: idle + busy }), () =>
    prosa.openConversation(assistant),
  );
  await sleep(SETTLE_MS);
  const memoryBeforeMb = memoryMb(child);
  const streams = await inParallel(uuids, (uuid) =>
    OpenStream.open(`${origin}/api/conversations/${uuid}/events`),
  );
  await sleep(SETTLE_MS);
  const memoryIdleMb = memoryMb(child);
  const latenciesMs = await chat(uuids.slice(0, busy), streams);
  const memoryBusyMb = memoryMb(child);
  const lost = streams.filter(({ isOpen }) => !isOpen).length;

  const startedAt = performance.now();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const [exitCode] = (await exit) as [number | null];
  const drainMs = performance.now() - startedAt;
  await Promise.all(streams.map(({ ended }) => ended));
  const broken = streams.filter(({ isBroken }) => isBroken).length;
  report({ memoryBeforeMb, memoryIdleMb, memoryBusyMb, latenciesMs, lost, drainMs, exitCode, broken });
}

/** A person answers in each conversation. @returns from the request to the hint in the customer's stream, ms */
async function chat(uuids: readonly string[], streams: readonly OpenStream[]): Promise<number[]> {
  const latenciesMs: number[] = [];
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    uuids.map(async (uuid, at) => {
      const stream = streams[at];
      if (!stream) throw new Error('a conversation without a stream');
      // Not all in the same moment.
      await sleep((PAUSE_MS / uuids.length) * at);
      while (performance.now() < until) {
        const received = stream.next('message');
        const startedAt = performance.now();
        await prosa.post(`/api/user/conversations/${uuid}/messages`, { message: 'Sim, temos.' });
        latenciesMs.push((await received) - startedAt);
        await sleep(PAUSE_MS);
      }
    }),
  );
  return latenciesMs.sort((one, other) => one - other);
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await act(items[at] as Item);
  };
  await Promise.all(Array.from({ length: OPENERS }, work));
  return results;
}

/** What of the process is in memory; NaN where there is no /proc. */
function memoryMb({ pid }: ChildProcess): number {
  try {
    const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kb) / 1_024;
  } catch {
    return Number.NaN;
  }
}

interface Figures {
  readonly memoryBeforeMb: number;
  readonly memoryIdleMb: number;
  readonly memoryBusyMb: number;
  readonly latenciesMs: readonly number[];
  /** Streams that ended before they were to. */
  readonly lost: number;
  readonly drainMs: number;
  readonly exitCode: number | null;
  /** Streams that were cut off instead of ended. */
  readonly broken: number;
}

function report(figures: Figures): void {
  const { memoryBeforeMb, memoryIdleMb, memoryBusyMb, latenciesMs, lost, drainMs, exitCode, broken } =
    figures;
  const at = (share: number) => latenciesMs[Math.ceil(latenciesMs.length * share) - 1] ?? Number.NaN;
  const perStreamKb = ((memoryIdleMb - memoryBeforeMb) * 1_024) / (idle + busy);
  const limitMs = DRAIN_SECONDS * 1_000 + CLOSING_MS;
  console.log(`\n${idle} idle streams and ${busy} busy ones for ${seconds} s:`);
  console.log(`  memory before              ${memoryBeforeMb.toFixed(0)} MB`);
  console.log(
    `  with the streams           ${memoryIdleMb.toFixed(0)} MB (${perStreamKb.toFixed(1)} kB a stream)`,
  );
  console.log(`  after the messages         ${memoryBusyMb.toFixed(0)} MB`);
  console.log(`  answers                    ${latenciesMs.length}`);
  console.log(
    `  until the customer's page  ${at(0.5).toFixed(0)} ms median, ${at(0.95).toFixed(0)} ms p95 (goal ${MAX_P95_MS}), ${at(1).toFixed(0)} ms at most`,
  );
  console.log(`  streams lost               ${lost}   (goal 0)`);
  console.log(
    `  end with all of them open  ${(drainMs / 1_000).toFixed(2)} s, exit code ${exitCode}   (goal ${limitMs / 1_000} s, 0)`,
  );
  console.log(`  streams cut off by it      ${broken}   (goal 0)`);
  const isMissed = !(at(0.95) <= MAX_P95_MS) || lost > 0 || drainMs > limitMs || exitCode !== 0 || broken > 0;
  if (isMissed) process.exitCode = 1;
}
