/**
 * A CSV of leads into one campaign: `npm run bench -- import [rows]`. The product runs in a process of its own, with an
 * embedded PostgreSQL and durable writes. Measures its time, its peak memory and the latency of other callers during it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetch } from 'undici';

const ROWS = Number(process.argv[2] ?? 100_000);
const MAX_SECONDS = 30;
const MAX_MEGABYTES = 300;
const MAX_RATIO = 2;
const WARM_UP_MS = 3_000;
const ALONE_MS = 10_000;
const WRONG_BYTES = 10 * 1_048_576;
/** One right row less, and the import would be stopped. */
const WRONG_IN_A_ROW = 1_000;
/** Every thousandth row is wrong, as in real files. */
const BAD_EVERY = 1_000;

interface Prosa {
  readonly process: ChildProcess;
  readonly url: string;
  readonly key: string;
}

async function startProsa(dataDir: string): Promise<Prosa> {
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      PROSA_ROLES: 'api',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  while (!output.includes('Next:')) {
    if (child.exitCode !== null) throw new Error(`Prosa did not start:\n${output}`);
    await sleep(50);
  }
  const url = /API\s+(\S+)\/api/.exec(output)?.[1] ?? '';
  const key = /(prosa_\w+)/.exec(output)?.[1] ?? '';
  return { process: child, url, key };
}

async function call<Answer>(prosa: Prosa, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${prosa.url}/api/user/${path}`, {
    method,
    headers: { Authorization: `Bearer ${prosa.key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** A campaign with an assistant like the demo one, but for calls out. */
async function createCampaign(prosa: Prosa): Promise<number> {
  const [demo] = await call<Record<string, unknown>[]>(prosa, 'GET', 'assistants');
  const kept = [
    'voice_id',
    'language_id',
    'llm_model_id',
    'mode',
    'timezone',
    'initial_message',
    'system_prompt',
  ];
  const assistant = await call<{ data: { id: number } }>(prosa, 'POST', 'assistant', {
    name: 'Import',
    type: 'outbound',
    ...Object.fromEntries(kept.map((field) => [field, demo?.[field]])),
  });
  const campaign = await call<{ data: { id: number } }>(prosa, 'POST', 'campaign', {
    name: 'Import',
    assistant_id: assistant.data.id,
  });
  return campaign.data.id;
}

function* csv(rows: number): Generator<string> {
  yield '\uFEFFphone_number;name;city;plan;note\r\n';
  for (let i = 0; i < rows; i++) {
    const phone = i % BAD_EVERY === BAD_EVERY - 1 ? 'unknown' : `+55119${String(80_000_000 + i)}`;
    const note = i % 10 === 0 ? `"Cliente desde ${2000 + (i % 25)}; prefere ""manhã"""` : 'sem observações';
    yield `${phone};Cliente ${i};São Paulo;${i % 3 === 0 ? 'ouro' : 'prata'};${note}\r\n`;
  }
}

/** Lines of a file are joined to chunks of the size a network delivers. */
function* chunksOf(lines: Iterable<string>): Generator<Buffer> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < 65_536) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}

/** Peak resident memory of a process, as its kernel counts it. */
async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Latencies of another caller of the API, in milliseconds, until `isOver` returns true. */
async function watchOthers(prosa: Prosa, isOver: () => boolean): Promise<number[]> {
  const timesMs: number[] = [];
  while (!isOver()) {
    const startedAt = performance.now();
    await call(prosa, 'GET', 'me');
    timesMs.push(performance.now() - startedAt);
    await sleep(20);
  }
  return timesMs.sort((a, b) => a - b);
}

interface ImportAnswer {
  readonly message: string;
  readonly data?: { readonly imported: number; readonly refused: number };
}

interface Upload {
  readonly status: number;
  readonly answer: ImportAnswer;
  readonly seconds: number;
}

async function upload(prosa: Prosa, campaign: number, lines: Iterable<string>): Promise<Upload> {
  const startedAt = performance.now();
  const response = await fetch(`${prosa.url}/api/user/campaigns/${campaign}/leads/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${prosa.key}`, 'Content-Type': 'text/csv' },
    body: Readable.from(chunksOf(lines)),
    duplex: 'half',
  });
  const answer = (await response.json()) as ImportAnswer;
  return { status: response.status, answer, seconds: (performance.now() - startedAt) / 1_000 };
}

/** Rows no lead can be made of; with `goodEvery`, one among so many is right, so that the import is not stopped. */
function* wrongCsv(bytes: number, goodEvery = Infinity): Generator<string> {
  yield 'phone_number;name\r\n';
  let written = 0;
  for (let i = 0; written < bytes; i++) {
    const line =
      i % goodEvery === goodEvery - 1
        ? `+55119${String(70_000_000 + i)};x\r\n`
        : `telefone ${i};Cliente ${i}\r\n`;
    written += line.length;
    yield line;
  }
}

/** One after another, as each is stopped at once: a tail needs more than a few samples. Returns the last. */
async function uploadNonsense(prosa: Prosa, campaign: number): Promise<Upload> {
  for (const startedAt = performance.now(); ;) {
    const last = await upload(prosa, campaign, wrongCsv(WRONG_BYTES));
    if (performance.now() - startedAt > ALONE_MS) return last;
  }
}

/** Latencies of other callers while the work runs. */
async function withOthers<Result>(prosa: Prosa, work: () => Promise<Result>) {
  let isOver = false;
  const others = watchOthers(prosa, () => isOver);
  const result = await work();
  isOver = true;
  const timesMs = await others;
  const at = (share: number) => timesMs[Math.floor(timesMs.length * share)] ?? 0;
  return { result, p50Ms: at(0.5), p99Ms: at(0.99), samples: timesMs.length };
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'));
console.log('Starting Prosa on a fresh embedded database…');
const prosa = await startProsa(dataDir);
try {
  const pid = prosa.process.pid ?? 0;
  const campaign = await createCampaign(prosa);
  await withOthers(prosa, () => sleep(WARM_UP_MS));
  const idleMegabytes = await peakMegabytes(pid);
  const alone = await withOthers(prosa, () => sleep(ALONE_MS));
  const good = await withOthers(prosa, () => upload(prosa, campaign, csv(ROWS)));
  const { answer, seconds } = good.result;
  if (!answer.data) throw new Error(`the import answered ${good.result.status}: ${JSON.stringify(answer)}`);
  const peak = await peakMegabytes(pid);
  const { total } = await call<{ total: number }>(prosa, 'GET', `leads?campaign_id=${campaign}&per_page=1`);
  if (total !== answer.data.imported)
    throw new Error(`${answer.data.imported} imported, but ${total} stored`);
  const nearlyAllWrong = await withOthers(prosa, () =>
    upload(prosa, campaign, wrongCsv(WRONG_BYTES, WRONG_IN_A_ROW)),
  );
  const nonsense = await withOthers(prosa, () => uploadNonsense(prosa, campaign));
  console.log(`\n${ROWS} leads into one campaign (durable writes, one upload)`);
  console.table([
    {
      imported: answer.data.imported,
      refused: answer.data.refused,
      seconds: seconds.toFixed(1),
      'rows/s': Math.round(ROWS / seconds),
      'idle MB': Math.round(idleMegabytes),
      'peak MB': Math.round(peak),
    },
  ]);
  console.log('What another caller waits for GET /user/me, in the same run');
  const row = (what: string, { p50Ms, p99Ms, samples }: typeof alone | typeof good, took?: Upload) => ({
    during: what,
    status: took?.status ?? '',
    seconds: took?.seconds.toFixed(1) ?? '',
    samples,
    'p50 ms': p50Ms.toFixed(1),
    'p99 ms': p99Ms.toFixed(1),
    'p99 to alone': (p99Ms / alone.p99Ms).toFixed(2),
  });
  console.table([
    row('nothing', alone),
    row(`an import of ${ROWS} leads`, good, good.result),
    row('10 MB of wrong rows, a right one among 1,000', nearlyAllWrong, nearlyAllWrong.result),
    row('10 MB of wrong rows', nonsense, nonsense.result),
  ]);
  console.log(nonsense.result.answer.message);
  const ratio = Math.max(good.p99Ms, nearlyAllWrong.p99Ms, nonsense.p99Ms) / alone.p99Ms;
  const isMet = seconds < MAX_SECONDS && peak < MAX_MEGABYTES && ratio <= MAX_RATIO;
  console.log(
    `Goal: under ${MAX_SECONDS} s and ${MAX_MEGABYTES} MB, p99 at most ${MAX_RATIO} times that alone: ` +
      `${isMet ? 'met' : 'MISSED'}.`,
  );
  if (!isMet) process.exitCode = 1;
} finally {
  prosa.process.kill('SIGTERM');
  await once(prosa.process, 'exit');
  await rm(dataDir, { recursive: true, force: true });
}
