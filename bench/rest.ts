/**
 * Reads and writes of one row: `npm run bench -- rest [--seconds 6] [--only "create assistant"]`, on the built product
 * with a durable embedded PostgreSQL. Each request goes to Prosa, to a bare node:http + pg server, which runs one prepared
 * statement for it, and to a bare NestJS application with the same statement, in turns, on the same database. Each connection changes
 * and reads rows of its own: changes of one row wait for one another's commits, whatever the server.
 * Goals: at least half as fast as the bare server each; on two cores 1,300 assistants made, 900 changed and 2,500
 * accounts read a second. What NestJS on Express costs by itself is the second reference.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { hashToken, makeToken } from '../src/common/auth/opaque-token.js';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { chosen } from './support/chosen.js';
import { type ChildServer, startChild } from './support/child-server.js';
import { cpuMsOf, cpuMsOfSiblings } from './support/cpu-time.js';
import { fromDist } from './support/dist.js';
import { loadLanes, percentile, wireRequest, type WireRequest } from './support/http-load.js';

const CONNECTIONS = 16;
const POOL_SIZE = 10;
const WARM_UP_SECONDS = 3;
const ROUNDS = 5;
const MIN_OF_BARE = 0.5;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '6' }, only: { type: 'string' } },
});

/** The account that is measured, and the rows that a connection reads and changes. */
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
  /** One for each connection. */
  readonly requests: readonly WireRequest[];
}

interface Servers {
  readonly prosa: ChildServer;
  readonly bare: ChildServer;
  readonly bareNest: ChildServer;
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
  const start = async (script: URL) => {
    const server = await startChild(script, environment);
    servers.push(server);
    return server;
  };
  const measured = {
    prosa: await start(new URL('support/app-server.ts', import.meta.url)),
    bare: await start(new URL('rest/bare-server.ts', import.meta.url)),
    bareNest: await start(new URL('rest/bare-nest-server.ts', import.meta.url)),
  };
  const grounds = await prepare(measured.prosa);
  const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const results: [Scenario, readonly Figures[]][] = [];
  for (const scenario of chosen(SCENARIOS, values.only)) {
    results.push([scenario, await measure(targetsOf(scenario, grounds, measured), rows[0]?.pid ?? 0)]);
    console.log(`  ${scenario.name} done`);
  }
  report(results);
}

/** An account without plan limits, a campaign, and for each connection a row of each kind, made through the API where it has a way. */
async function prepare({ origin }: ChildServer): Promise<Ground[]> {
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
  const outbound = await make('/api/user/assistant', { ...assistant(), type: 'outbound' });
  const campaignId = await make('/api/user/campaigns', { name: 'Bench', assistant_id: outbound });
  const account: Ground = { userId, token, campaignId, assistantId: 0, toolId: 0, leadId: 0 };
  const grounds: Ground[] = [];
  while (grounds.length < CONNECTIONS) {
    grounds.push({
      ...account,
      assistantId: await make('/api/user/assistant', assistant()),
      toolId: await make('/api/user/tools', bodyOf('create tool', account)),
      leadId: await make('/api/user/lead', bodyOf('create lead', account)),
    });
  }
  return grounds;
}

function targetsOf(scenario: Scenario, grounds: readonly Ground[], servers: Servers): Target[] {
  const { method, body } = scenario;
  const target = (
    server: ChildServer,
    pathOf: (ground: Ground) => string,
    headersOf: (ground: Ground) => Record<string, string>,
  ): Target => {
    const requests = grounds.map((ground) => {
      const json = body && (() => JSON.stringify(body(ground)));
      const url = new URL(pathOf(ground), server.origin);
      return wireRequest(url, headersOf(ground), { method, ...(json ? { body: json } : {}) });
    });
    return { server, url: new URL(server.origin), requests };
  };
  const ours = ({ token }: Ground) => ({
    Authorization: `Bearer ${token}`,
    Accept: 'application/json',
    // Reading a tool asks for it.
    ...(body ? {} : { 'Content-Type': 'application/json' }),
  });
  const bare = (server: ChildServer) =>
    target(
      server,
      (ground) => `/${ground.userId}/${scenario.barePath(ground)}`,
      () => ({}),
    );
  return [target(servers.prosa, scenario.path, ours), bare(servers.bare), bare(servers.bareNest)];
}

/** The servers take turns, so that a slow moment of the machine meets both. */
async function measure(targets: readonly Target[], databasePid: number): Promise<Figures[]> {
  const samples = targets.map(() => newSample());
  for (const { url, requests } of targets) await loadLanes(url, requests, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { server, url, requests: lanes }] of targets.entries()) {
      const sample = samples[index] ?? newSample();
      const cpuMs = () => cpuMsOf(server.pid) + cpuMsOfSiblings(databasePid);
      const beforeMs = cpuMs();
      const { requests, seconds, latenciesMs } = await loadLanes(url, lanes, Number(values.seconds) / ROUNDS);
      sample.rps.push(requests / seconds);
      sample.cpuMs.push((cpuMs() - beforeMs) / Math.max(1, requests));
      sample.latenciesMs.push(...latenciesMs);
    }
  }
  return samples.map(figuresOf);
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

function report(results: readonly [Scenario, readonly Figures[]][]): void {
  const misses: string[] = [];
  const table = results.map(([{ name, goal }, [ours, bare, nest]]) => {
    if (!ours || !bare || !nest) throw new Error(`${name} was not measured`);
    const ratio = ours.rps / bare.rps;
    if (ratio < MIN_OF_BARE) misses.push(`${name}: ${ratio.toFixed(2)} of bare`);
    if (goal !== undefined && ours.rps < goal) misses.push(`${name}: ${ours.rps.toFixed(0)}/s of ${goal}/s`);
    const show = ({ rps, p99Ms, cpuMs }: Figures) =>
      `${rps.toFixed(0)}/s ${p99Ms.toFixed(0)} ms ${cpuMs.toFixed(2)} ms`;
    const row = {
      Prosa: show(ours),
      bare: show(bare),
      'bare NestJS': show(nest),
      'Prosa/bare': ratio.toFixed(2),
      'Prosa/NestJS': (ours.rps / nest.rps).toFixed(2),
      goal: goal ? `${goal}/s` : '',
    };
    return [name, row] as const;
  });
  console.log(
    `\n${CONNECTIONS} connections, ${cpus().length} processors; requests/s, p99, processor time each`,
  );
  console.table(Object.fromEntries(table));
  console.log(misses.length === 0 ? 'All goals are met.' : `Missed: ${misses.join('; ')}`);
  process.exitCode = misses.length === 0 ? 0 : 1;
}
