/**
 * Reads and writes of one row: `npm run bench -- rest [--seconds 6] [--only "create assistant"]`, on the built product
 * with a durable embedded PostgreSQL. Each request goes to Prosa and to a bare node:http + pg server, which runs one
 * prepared statement for it, in turns, on the same database.
 * Goals: at least half as fast as the bare server each; on two cores 1,300 assistants made, 900 changed and 2,500
 * accounts read a second.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { hashToken, makeToken } from '../src/common/auth/opaque-token.js';
import { EmbeddedPostgres } from '../src/database/embedded-postgres.js';
import { chosen } from './support/chosen.js';
import { type ChildServer, startChild } from './support/child-server.js';
import { cpuMsOf, cpuMsOfSiblings } from './support/cpu-time.js';
import { fromDist } from './support/dist.js';
import { loadRequests, percentile, wireRequest, type WireRequest } from './support/http-load.js';

const CONNECTIONS = 16;
const POOL_SIZE = 10;
const WARM_UP_SECONDS = 3;
const ROUNDS = 5;
const MIN_OF_BARE = 0.5;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '6' }, only: { type: 'string' } },
});

/** The account that is measured, and the rows that are read and changed. */
interface Ground {
  readonly userId: number;
  readonly token: string;
  readonly campaignId: number;
  readonly assistantId: number;
  readonly toolId: number;
  readonly leadId: number;
}

interface Scenario {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: (ground: Ground) => string;
  readonly barePath: (ground: Ground) => string;
  readonly body?: (ground: Ground) => object;
  /** Requests a second on two cores. */
  readonly goal?: number;
}

let serial = 0;

const assistant = () => ({
  name: `Loja ${++serial}`,
  type: 'inbound',
  mode: 'pipeline',
  language_id: 1,
  voice_id: 1,
  llm_model_id: 1,
  timezone: 'America/Sao_Paulo',
  initial_message: 'Olá, {{nome}}! Como posso ajudar?',
  system_prompt: 'Você atende os clientes de uma loja. '.repeat(10),
  variables: { nome: 'Ana' },
});

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'read account',
    method: 'GET',
    path: () => '/api/user/me',
    barePath: () => 'me',
    goal: 2_500,
  },
  {
    name: 'create assistant',
    method: 'POST',
    path: () => '/api/user/assistant',
    barePath: () => 'assistant',
    body: assistant,
    goal: 1_300,
  },
  {
    name: 'update assistant',
    method: 'PUT',
    path: ({ assistantId }) => `/api/user/assistant/${assistantId}`,
    barePath: ({ assistantId }) => `assistant/${assistantId}`,
    body: () => ({ name: `Loja ${++serial}`, system_prompt: `Versão ${serial}` }),
    goal: 900,
  },
  {
    name: 'read assistant',
    method: 'GET',
    path: ({ assistantId }) => `/api/user/assistant/${assistantId}`,
    barePath: ({ assistantId }) => `assistant/${assistantId}`,
  },
  {
    name: 'create tool',
    method: 'POST',
    path: () => '/api/user/tools',
    barePath: () => 'tool',
    body: () => ({
      name: 'track_order',
      description: `Consulta a situação de um pedido ${++serial}`,
      endpoint: 'https://example.com/orders/{order_number}',
      method: 'GET',
      schema: [{ name: 'order_number', type: 'number', description: 'Número do pedido' }],
    }),
  },
  {
    name: 'update tool',
    method: 'PUT',
    path: ({ toolId }) => `/api/user/tools/${toolId}`,
    barePath: ({ toolId }) => `tool/${toolId}`,
    body: () => ({ description: `Consulta um pedido ${++serial}` }),
  },
  {
    name: 'read tool',
    method: 'GET',
    path: ({ toolId }) => `/api/user/tools/${toolId}`,
    barePath: ({ toolId }) => `tool/${toolId}`,
  },
  {
    name: 'create lead',
    method: 'POST',
    path: () => '/api/user/lead',
    barePath: () => 'lead',
    body: ({ campaignId }) => ({
      campaign_id: campaignId,
      phone_number: `+55119${String(10_000_000 + ++serial)}`,
      variables: { nome: 'Ana' },
    }),
  },
  {
    name: 'update lead',
    method: 'PUT',
    path: ({ leadId }) => `/api/user/leads/${leadId}`,
    barePath: ({ leadId }) => `lead/${leadId}`,
    body: () => ({ variables: { pedido: String(++serial) } }),
  },
  {
    name: 'read lead',
    method: 'GET',
    path: ({ leadId }) => `/api/user/leads/${leadId}`,
    barePath: ({ leadId }) => `lead/${leadId}`,
  },
];

interface Target {
  readonly server: ChildServer;
  readonly url: URL;
  readonly request: WireRequest;
}

/** Medians of the rounds: another program's burst spoils none of them. */
interface Figures {
  readonly rps: number;
  readonly cpuMs: number;
  readonly p99Ms: number;
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-rest-'));
// Under root the database runs as another user, who must get in.
await chmod(dataDir, 0o711);
const postgres = await EmbeddedPostgres.start({ dataDir, log: (line) => console.log(line) });
const servers: ChildServer[] = [];
const database = new Client({ connectionString: postgres.url });
try {
  const { migrate } = await fromDist<typeof import('../src/database/preparation/migrate.js')>(
    'database/preparation/migrate.js',
  );
  await migrate(postgres.url);
  await database.connect();
  await run();
} finally {
  await database.end();
  for (const server of servers) await server.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const environment = { DATABASE_URL: postgres.url, DATABASE_POOL_SIZE: String(POOL_SIZE) };
  const prosa = await startChild(new URL('support/app-server.ts', import.meta.url), environment);
  servers.push(prosa);
  const bare = await startChild(new URL('rest/bare-server.ts', import.meta.url), environment);
  servers.push(bare);
  const ground = await prepare(prosa);
  const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const results: [Scenario, Figures, Figures][] = [];
  for (const scenario of chosen(SCENARIOS, values.only)) {
    const figures = await measure(targetsOf(scenario, ground, prosa, bare), rows[0]?.pid ?? 0);
    results.push([scenario, ...figures]);
    console.log(`  ${scenario.name} done`);
  }
  report(results);
}

/** An account without plan limits, a campaign, and one row of each kind, made through the API where it has a way. */
async function prepare({ origin }: ChildServer): Promise<Ground> {
  const one = async (sql: string, parameters: unknown[] = []): Promise<number> =>
    Number((await database.query(sql, parameters)).rows[0].id);
  const userId = await one(
    `INSERT INTO users (plan_id, name, email)
     SELECT id, 'Bench', 'bench@example.com' FROM plans WHERE code = 'unlimited' RETURNING id`,
  );
  await database.query('INSERT INTO wallets (user_id, balance_micros) VALUES ($1, 10000000)', [userId]);
  const token = makeToken('prosa_');
  await database.query("INSERT INTO api_keys (user_id, name, token_hash) VALUES ($1, 'bench', $2)", [
    userId,
    hashToken(token),
  ]);
  const make = async (path: string, body: object): Promise<number> => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { data?: { id?: number } };
    if (!answer.data?.id) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  };
  const bodyOf = (name: string, ground: Ground) =>
    SCENARIOS.find((scenario) => scenario.name === name)?.body?.(ground) ?? {};
  let ground: Ground = { userId, token, campaignId: 0, assistantId: 0, toolId: 0, leadId: 0 };
  const outbound = await make('/api/user/assistant', { ...assistant(), type: 'outbound' });
  const campaignId = await make('/api/user/campaigns', { name: 'Bench', assistant_id: outbound });
  ground = { ...ground, campaignId, assistantId: await make('/api/user/assistant', assistant()) };
  ground = { ...ground, toolId: await make('/api/user/tools', bodyOf('create tool', ground)) };
  return { ...ground, leadId: await make('/api/user/lead', bodyOf('create lead', ground)) };
}

function targetsOf(
  scenario: Scenario,
  ground: Ground,
  prosa: ChildServer,
  bare: ChildServer,
): [Target, Target] {
  const { method, body } = scenario;
  const target = (server: ChildServer, path: string, headers: Record<string, string>): Target => {
    const url = new URL(path, server.origin);
    const json = body && (() => JSON.stringify(body(ground)));
    return { server, url, request: wireRequest(url, headers, { method, ...(json ? { body: json } : {}) }) };
  };
  const ours = {
    Authorization: `Bearer ${ground.token}`,
    Accept: 'application/json',
    // Reading a tool asks for it.
    ...(body ? {} : { 'Content-Type': 'application/json' }),
  };
  return [
    target(prosa, scenario.path(ground), ours),
    target(bare, `/${ground.userId}/${scenario.barePath(ground)}`, {}),
  ];
}

/** The servers take turns, so that a slow moment of the machine meets both. */
async function measure(targets: readonly [Target, Target], databasePid: number): Promise<[Figures, Figures]> {
  const samples = [newSample(), newSample()] as const;
  const loadFor = ({ url, request }: Target, seconds: number) =>
    loadRequests(url, request, { connections: CONNECTIONS, seconds });
  for (const target of targets) await loadFor(target, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const index of [0, 1] as const) {
      const target = targets[index];
      const cpuMs = () => cpuMsOf(target.server.pid) + cpuMsOfSiblings(databasePid);
      const beforeMs = cpuMs();
      const { requests, seconds, latenciesMs } = await loadFor(target, Number(values.seconds) / ROUNDS);
      samples[index].rps.push(requests / seconds);
      samples[index].cpuMs.push((cpuMs() - beforeMs) / Math.max(1, requests));
      samples[index].latenciesMs.push(...latenciesMs);
    }
  }
  return [figuresOf(samples[0]), figuresOf(samples[1])];
}

interface Sample {
  readonly rps: number[];
  readonly cpuMs: number[];
  readonly latenciesMs: number[];
}

function newSample(): Sample {
  return { rps: [], cpuMs: [], latenciesMs: [] };
}

function figuresOf({ rps, cpuMs, latenciesMs }: Sample): Figures {
  return { rps: percentile(rps, 0.5), cpuMs: percentile(cpuMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) };
}

function report(results: readonly [Scenario, Figures, Figures][]): void {
  const misses: string[] = [];
  const table = results.map(([{ name, goal }, ours, plain]) => {
    const ratio = ours.rps / plain.rps;
    if (ratio < MIN_OF_BARE) misses.push(`${name}: ${ratio.toFixed(2)} of bare`);
    if (goal !== undefined && ours.rps < goal) misses.push(`${name}: ${ours.rps.toFixed(0)}/s of ${goal}/s`);
    const show = ({ rps, p99Ms, cpuMs }: Figures) =>
      `${rps.toFixed(0)}/s ${p99Ms.toFixed(0)} ms ${cpuMs.toFixed(2)} ms`;
    return [
      name,
      { Prosa: show(ours), bare: show(plain), 'Prosa/bare': ratio.toFixed(2), goal: goal ? `${goal}/s` : '' },
    ] as const;
  });
  console.log(
    `\n${CONNECTIONS} connections, ${cpus().length} processors; requests/s, p99, processor time each`,
  );
  console.table(Object.fromEntries(table));
  console.log(misses.length === 0 ? 'All goals are met.' : `Missed: ${misses.join('; ')}`);
  process.exitCode = misses.length === 0 ? 0 : 1;
}
