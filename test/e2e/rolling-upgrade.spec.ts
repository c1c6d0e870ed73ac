import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { assistantBody } from '../support/builders.js';
import { phoneNumber } from '../support/campaign-builders.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { hasRelease, ReleasedBuild } from '../support/released-build.js';
import { SandboxCarrierProcess } from '../support/sandbox-carrier-process.js';
import { until } from '../support/until.js';
import { moneyWrong, type Query } from '../faults/dial-verdict.js';

const KEY = makeToken('prosa_');
const FIRST_LEADS = 8;
const CONVERSATIONS = 3;
const SPEED = 40;

/** As an operator with a load balancer does it: the new release starts, both serve, then the old one is stopped. */
(hasRelease ? describe : describe.skip)('an upgrade from the last release without a break', () => {
  let release: ReleasedBuild;
  let database: TestDatabase;
  let client: Client;
  let folder: string;
  let carrier: SandboxCarrierProcess;
  const running: ProsaProcess[] = [];
  /** Where requests go, in turn. */
  let addresses: string[] = [];
  let requests = 0;
  let leads = 0;
  const refused: string[] = [];

  beforeAll(async () => {
    await buildProduct();
    release = await ReleasedBuild.make();
    database = await emptyDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    folder = await mkdtemp(join(tmpdir(), 'prosa-rolling-'));
    carrier = await SandboxCarrierProcess.start({ journal: join(folder, 'calls.jsonl'), speed: SPEED });
  }, 180_000);
  afterAll(async () => {
    for (const one of running) one.kill('SIGKILL');
    await Promise.all(running.map((one) => one.exit()));
    await client.end();
    await carrier.stop();
    await database.drop();
    await Promise.all([release.remove(), rm(folder, { recursive: true, force: true })]);
  }, 60_000);

  const query: Query = async (sql, parameters) => (await client.query(sql, [...(parameters ?? [])])).rows;

  async function start(at?: string): Promise<{ prosa: ProsaProcess; url: string }> {
    const prosa = ProsaProcess.start(
      {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
        PROSA_ROLES: 'api,worker',
        BOOTSTRAP_EMAIL: 'operacao@example.com',
        BOOTSTRAP_PASSWORD: 'correct horse battery',
        BOOTSTRAP_API_KEY: KEY,
        BOOTSTRAP_BALANCE: '100',
        SANDBOX_CARRIER_URL: carrier.url,
        SANDBOX_SPEED: String(SPEED),
        DATA_DIR: folder,
        PORT: '0',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      },
      'dist/main.js',
      at,
    );
    running.push(prosa);
    return { prosa, url: await prosa.ready() };
  }

  async function ask(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
    const address = addresses[requests++ % addresses.length];
    const response = await fetch(`${address}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (response.status >= 300)
      refused.push(`${method} ${path} at ${address}: ${response.status} ${text.slice(0, 200)}`);
    return { status: response.status, body: text ? JSON.parse(text) : null };
  }

  /** The number of the lead is answered by a person. */
  async function addLead(campaignId: number): Promise<void> {
    await ask('POST', '/user/lead', { campaign_id: campaignId, phone_number: phoneNumber(leads++ * 100) });
  }

  async function startedCampaign(userId: number): Promise<number> {
    const assistant = (await ask('POST', '/user/assistant', assistantBody({ type: 'outbound' }))).body.data
      .id;
    await ask('PUT', `/user/assistant/${assistant}`, { status: 'active' });
    const [number] = await query<{ id: number }>(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type) VALUES ($1, $2, 'BR', 'normal') RETURNING id`,
      [userId, phoneNumber(900_000)],
    );
    const campaign = {
      name: 'Renovação',
      assistant_id: assistant,
      phone_number_ids: [number?.id],
      max_retries: 1,
      mark_complete_when_no_leads: false,
    };
    const made = await ask('POST', '/user/campaign', { ...campaign, max_calls_in_parallel: 4 });
    const { id } = made.body.data;
    for (let n = 0; n < FIRST_LEADS; n++) await addLead(id);
    await ask('POST', '/user/campaigns/update-status', { campaign_id: id, action: 'start' });
    return id;
  }

  async function openConversations(): Promise<string[]> {
    const { id } = (await ask('POST', '/user/assistant', assistantBody({ status: 'active' }))).body.data;
    await ask('PUT', `/user/assistant/${id}`, { status: 'active' });
    const { uuid } = (await ask('GET', `/user/assistant/${id}`)).body;
    const opened = await Promise.all(
      Array.from({ length: CONVERSATIONS }, () =>
        ask('POST', '/conversations', { assistant_id: uuid, type: 'widget' }),
      ),
    );
    return opened.map(({ body }) => body.conversation_id);
  }

  it('answers every request, dials every lead once, and charges exactly', async () => {
    const old = await start(release.folder);
    addresses = [old.url];
    const [owner] = await query<{ id: number }>('SELECT id FROM users');
    const userId = owner?.id ?? 0;
    const conversations = await openConversations();
    const campaign = await startedCampaign(userId);
    const dialled = async () =>
      Number((await query<{ n: number }>('SELECT count(*) AS n FROM dial_attempts'))[0]?.n);
    await until(async () => (await dialled()) > 4, 30_000);

    const work = { isDone: false };
    let answered = 0;
    const chats = conversations.map(async (uuid) => {
      while (!work.isDone) {
        const { status } = await ask('POST', `/conversations/${uuid}/messages`, {
          message: 'Que horas abre?',
        });
        if (status === 200) answered++;
      }
    });
    const [{ id: lead }] = (await ask('GET', `/user/leads?campaign_id=${campaign}`)).body.data;
    const admin = (async () => {
      for (let n = 0; !work.isDone; n++) {
        await addLead(campaign);
        await ask('PUT', `/user/leads/${lead}`, { variables: { visit: n } });
        await ask('GET', `/user/leads?campaign_id=${campaign}`);
        await ask('GET', '/user/calls');
        await ask('GET', '/user/me');
      }
    })();

    const fresh = await start();
    const before = answered;
    addresses = [old.url, fresh.url];
    const both = await dialled();
    await until(async () => answered > before + 20 && (await dialled()) > both + 8, 60_000);
    addresses = [fresh.url];
    expect(await old.prosa.stop()).toBe(0);
    work.isDone = true;
    await Promise.all([...chats, admin]);
    await until(
      async () =>
        (await query("SELECT FROM lead_dials WHERE state <> 'done'")).length === 0 &&
        (await query('SELECT FROM active_calls')).length === 0,
      60_000,
    );

    expect(refused).toEqual([]);
    for (const { prosa } of [old, fresh]) expect(prosa.text).not.toMatch(/"level":[56]0/);
    const log = await carrier.log();
    const keys = log.dials.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const attempts = await query<{ state: string; outcome: string }>(
      'SELECT state, outcome FROM dial_attempts',
    );
    expect(attempts).toHaveLength(leads);
    expect(keys).toHaveLength(leads);
    expect(attempts.filter(({ state, outcome }) => state !== 'settled' || outcome !== 'answered')).toEqual(
      [],
    );
    const replies = await query(
      "SELECT FROM messages WHERE role = 'assistant' AND conversation_id IN (SELECT id FROM conversations WHERE type = 'widget')",
    );
    expect(replies.length).toBeGreaterThanOrEqual(answered);
    expect(await moneyWrong(query, userId)).toEqual([]);
    const progress = (await ask('GET', `/user/campaigns/${campaign}/progress`)).body;
    expect(progress.leads).toMatchObject({ total: leads, completed: leads });
  }, 300_000);
});
