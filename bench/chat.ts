/**
 * What the platform adds to a chat turn: the same model server asked directly and through a conversation, in one run.
 * The model server answers in one fixed stream; the platform stores the message, holds and captures its price, and
 * keeps the order of the conversation, on an embedded PostgreSQL with durable writes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';

const TURNS = Number(process.argv[2] ?? 1_000);
/** What a fast hosted model takes to its answer; with much less, 50 conversations at once would measure saturation. */
const MODEL_DELAY_MS = Number(process.argv[3] ?? 600);
const CONCURRENCIES = [1, 50];

interface Sample {
  readonly medianMs: number;
  readonly p99Ms: number;
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** An OpenAI-compatible server with a constant thinking time. */
async function startModel(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      setTimeout(() => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        for (const word of 'Olá! Tudo bem por aqui, e com você?'.split(' '))
          response.write(chunk({ content: `${word} ` }));
        response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
      }, MODEL_DELAY_MS);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function startProsa(
  modelUrl: string,
  dataDir: string,
): Promise<{ process: ChildProcess; url: string; key: string; assistant: string }> {
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      OPENAI_BASE_URL: modelUrl,
      PROSA_ROLES: 'api',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString('utf8');
  });
  while (!output.includes('Next:')) {
    if (child.exitCode !== null) throw new Error(`Prosa ended with ${child.exitCode}:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const url = /API\s+(\S+)\/api/.exec(output)?.[1] ?? '';
  const key = /(prosa_\w+)/.exec(output)?.[1] ?? '';
  const list = await fetch(`${url}/api/user/assistants`, { headers: { Authorization: `Bearer ${key}` } });
  const [{ uuid }] = (await list.json()) as [{ uuid: string }];
  return { process: child, url, key, assistant: uuid };
}

/** Billed conversations cost money. */
async function credit(dataDir: string): Promise<void> {
  const command = ['dist/cli/account.js', 'credit', '--email', 'demo@prosa.local', '--amount', '1000'];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error('the account could not be credited');
}

const agent = new Agent({ connections: 64, pipelining: 1 });

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    dispatcher: agent,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text.startsWith('{') ? JSON.parse(text) : text;
}

async function measure(
  concurrency: number,
  turns: number,
  work: (lane: number) => Promise<unknown>,
): Promise<Sample> {
  const times: number[] = [];
  let left = turns;
  await Promise.all(
    Array.from({ length: concurrency }, async (_, lane) => {
      while (left-- > 0) {
        const startedAt = performance.now();
        await work(lane);
        times.push(performance.now() - startedAt);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { medianMs: at(0.5), p99Ms: at(0.99) };
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'));
const modelUrl = await startModel();
console.log(`Starting Prosa on a fresh embedded database…`);
const prosa = await startProsa(modelUrl, dataDir);
try {
  await credit(dataDir);
  const direct = () =>
    post(`${modelUrl}/chat/completions`, {
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'Olá' }],
    });
  const rows: Record<string, string | number>[] = [];
  for (const concurrency of CONCURRENCIES) {
    const conversations = await Promise.all(
      Array.from({ length: concurrency }, async () => {
        // A test conversation would not be billed: the widget one does all the work.
        const opened = (await post(`${prosa.url}/api/conversations`, { assistant_id: prosa.assistant })) as {
          conversation_id: string;
        };
        return opened.conversation_id;
      }),
    );
    const through = (lane: number) =>
      post(`${prosa.url}/api/conversations/${conversations[lane]}/messages`, { message: 'Olá' });
    const turns = concurrency === 1 ? Math.ceil(TURNS / 20) : TURNS;
    await measure(concurrency, Math.ceil(turns / 5), direct);
    await measure(concurrency, Math.ceil(turns / 5), through);
    const base = await measure(concurrency, turns, direct);
    const full = await measure(concurrency, turns, through);
    rows.push({
      'conversations at once': concurrency,
      'direct p50 ms': base.medianMs.toFixed(1),
      'Prosa p50 ms': full.medianMs.toFixed(1),
      'added p50 ms': (full.medianMs - base.medianMs).toFixed(1),
      'ratio p50': (full.medianMs / base.medianMs).toFixed(2),
      'direct p99 ms': base.p99Ms.toFixed(1),
      'Prosa p99 ms': full.p99Ms.toFixed(1),
      'added p99 ms': (full.p99Ms - base.p99Ms).toFixed(1),
    });
  }
  console.log(
    `\nA chat turn over a model that answers after ${MODEL_DELAY_MS} ms (billed widget conversations, durable writes)`,
  );
  console.table(rows);
  console.log('Goal: median under 10 ms added.');
} finally {
  prosa.process.kill('SIGTERM');
  await once(prosa.process, 'exit');
  await rm(dataDir, { recursive: true, force: true });
}
