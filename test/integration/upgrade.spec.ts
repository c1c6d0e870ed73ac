import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { Database } from '../../src/database/database.js';
import { DatabaseHealthService } from '../../src/database/database-health.service.js';
import { migrate, UnreleasedDatabaseError } from '../../src/database/preparation/migrate.js';
import { NewerDatabaseError } from '../../src/database/preparation/newer-release.js';
import { FUNCTIONS_OLDEST_RELEASE } from '../../src/database/functions/function-files.js';
import { StatedMigration } from '../../src/database/stated-migration.js';
import { prosaVersion } from '../../src/config/prosa-version.js';
import { migrations } from '../../src/database/migrations.js';
import { ApiKeysService } from '../../src/modules/api-keys/api-keys.service.js';
import { CallCountsRepository } from '../../src/modules/calls/listing/call-counts.repository.js';
import { TestApp } from '../support/app.js';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/database.js';
import {
  installRelease,
  installReleasedSchema,
  migrationsOf,
  type Release,
  RELEASES,
  ROLLING_RELEASES,
} from '../support/released-database.js';
import { until } from '../support/until.js';

const MIGRATIONS = new URL('../../src/database/migrations/', import.meta.url);

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await emptyDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Half of the counts of calls, as a process of the release settles them. */
async function settleSome(): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
  const calls = new Database(dataSource, new DatabaseHealthService());
  await calls.run((tx) => new CallCountsRepository(calls).settle(7, tx));
  await dataSource.destroy();
}

/** While a report reads the calls and the migrations wait for it, no other request has to wait. */
async function migrateBesideReader(): Promise<void> {
  const report = new Client({ connectionString: database.url });
  await report.connect();
  await report.query('BEGIN; LOCK TABLE calls IN ACCESS SHARE MODE');
  const migrated = migrate(database.url);
  const isWaiting = async () =>
    (await client.query(`SELECT FROM pg_locks WHERE relation = 'calls'::regclass AND NOT granted`))
      .rowCount === 1;
  await until(isWaiting, 20_000);
  // Behind a migration that has queued for its lock this would wait for the report, which goes on.
  await client.query('SELECT count(*) FROM calls');
  await report.query('COMMIT');
  await report.end();
  expect(await migrated).toEqual(
    migrations.slice(Object.keys(migrationsOf('0.2.0')).length).map((migration) => new migration().name),
  );
}

const WAITING = randomUUID();
const ENDLESS = randomUUID();

/** Conversations as the release could leave them: one that has ended and waits, and one without an assistant and an end. */
async function addConversations(): Promise<void> {
  await client.query(
    `INSERT INTO conversations (id, user_id, type, ended_at, waiting_since, last_message_at) VALUES
       ($1, 1, 'widget', now(), now(), NULL), ($2, 1, 'widget', NULL, now(), now() - interval '40 days')`,
    [WAITING, ENDLESS],
  );
}

/** Assistants that the release left inactive, by what tells of their past; and whether their first use makes them active. */
const PASTS: Readonly<Record<string, { readonly sql: string; readonly activatesByUse: boolean }>> = {
  nothing: { sql: '', activatesByUse: true },
  'a call by make_call and one from a browser': {
    sql: `INSERT INTO calls (user_id, assistant_id, assistant_name, type, status)
          SELECT 1, $1::integer, 'x', type, 'completed' FROM unnest(ARRAY['outbound', 'web']) AS type`,
    activatesByUse: true,
  },
  'a campaign that never started': { sql: campaign('draft'), activatesByUse: true },
  'a call to its number': {
    sql: `INSERT INTO calls (user_id, assistant_id, assistant_name, type, status) VALUES (1, $1, 'x', 'inbound', 'completed')`,
    activatesByUse: false,
  },
  'a call of a campaign that is gone': {
    sql: `INSERT INTO calls (user_id, assistant_id, assistant_name, campaign_name, type, status)
          VALUES (1, $1, 'x', 'Renovação', 'outbound', 'busy')`,
    activatesByUse: false,
  },
  'a campaign that was started': { sql: campaign('stopped'), activatesByUse: false },
};
const CALLS_OF_PASTS = 4;

function campaign(status: string): string {
  return `INSERT INTO campaigns (user_id, assistant_id, name, status, timezone, max_calls_in_parallel, allowed_hours_start_time,
       allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail, retry_on_goal_incomplete,
       mark_complete_when_no_leads)
     SELECT user_id, $1::integer, name, '${status}', timezone, max_calls_in_parallel, allowed_hours_start_time,
       allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail, retry_on_goal_incomplete,
       mark_complete_when_no_leads FROM campaigns WHERE id = 1`;
}

async function addInactiveAssistants(): Promise<void> {
  for (const [name, { sql }] of Object.entries(PASTS)) {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO assistants (uuid, user_id, name, type, mode, status, language_id, voice_id, llm_model_id, config)
       SELECT gen_random_uuid(), user_id, $1, type, mode, 'inactive', language_id, voice_id, llm_model_id, config
       FROM assistants WHERE id = 1 RETURNING id`,
      [name],
    );
    if (sql !== '') await client.query(sql, [rows[0]?.id]);
  }
}

/** Tables whose rows an upgrade keeps. */
async function tablesOf(session: Client): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
       AND tablename NOT IN ('migrations', 'database_functions', 'database_migrations', 'database_releases', 'call_count_changes', 'call_counts', 'lead_counts', 'lead_count_changes',
         'call_totals', 'call_dimension_totals', 'call_routing_counts', 'simulation_usage')`,
  );
  return rows.map(({ name }) => name);
}

async function countsOf(tables: readonly string[], session: Client): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await session.query<{ count: number }>(`SELECT count(*)::integer FROM ${table}`);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}

async function expectExactMoney(session: Client): Promise<void> {
  const { rows } = await session.query(
    `SELECT balance_micros, held_micros,
       (SELECT coalesce(sum(amount_micros), 0) FROM ledger_entries WHERE user_id = wallets.user_id) AS entered,
       (SELECT coalesce(sum(amount_micros), 0) FROM holds WHERE user_id = wallets.user_id AND state = 'held') AS open
     FROM wallets`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { balance_micros, held_micros, entered, open } of rows) {
    expect([balance_micros, held_micros]).toEqual([entered, open]);
  }
}

describe('an upgrade from 0.2.0', () => {
  let app: TestApp;
  let before: Record<string, number>;

  beforeAll(async () => {
    await installRelease(database.url, '0.2.0');
    await addConversations();
    await addInactiveAssistants();
    await settleSome();
    before = await countsOf(await tablesOf(client), client);
    await migrateBesideReader();
    app = await TestApp.start({}, async () => database.url);
  });

  afterAll(() => app.stop());

  it('keeps every row', async () => {
    expect(before).toMatchObject({ calls: 14 + CALLS_OF_PASTS, messages: 5, document_chunks: 1 });
    expect(await countsOf(Object.keys(before), client)).toEqual(before);
  });

  it('keeps the money exact', () => expectExactMoney(client));

  it('ends conversations that should have ended, at their time, with no customer waiting', async () => {
    const { rows } = await client.query(
      `SELECT id, waiting_since, ended_at = last_message_at + interval '30 minutes' AS "isInTime"
       FROM conversations WHERE id IN ($1, $2)`,
      [WAITING, ENDLESS],
    );
    expect(new Map(rows.map(({ id, ...row }) => [id, row]))).toEqual(
      new Map([
        [WAITING, { waiting_since: null, isInTime: null }],
        [ENDLESS, { waiting_since: null, isInTime: true }],
      ]),
    );
  });

  it('goes on with what was begun: reads calls, secrets and documents, and answers in the conversation', async () => {
    const { token } = await app.app.get(ApiKeysService, { strict: false }).create(1, 'Upgrade');
    const account = app.as({ token });
    const { body: calls } = await account.get('/api/user/calls?per_page=100').expect(200);
    expect(calls.data).toHaveLength(14 + CALLS_OF_PASTS);
    const [tool] = (await account.get('/api/user/tools').expect(200)).body;
    expect(tool.name).toBe('consultar_pedido');

    const { rows } = await client.query<{ id: string }>('SELECT id FROM conversations');
    const messages = `/api/conversations/${rows[0]?.id}/messages`;
    const { body } = await app.http
      .post(messages)
      .send({ message: 'Quanto custa o pão francês?' })
      .expect(200);
    expect(body.message).toContain('0,90');
  });

  it('counts calls with one filter as before, regardless of which release settled the counts', async () => {
    const { token } = await app.app.get(ApiKeysService, { strict: false }).create(1, 'Counts');
    const { rows } = await client.query<{ status: string; assistant_id: number; calls: number }>(
      `SELECT status, assistant_id, count(*)::integer AS calls FROM calls
       GROUP BY GROUPING SETS ((status), (assistant_id)) ORDER BY 1, 2`,
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { calls, ...filter } of rows) {
      const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
      const { body } = await app.as({ token }).get('/api/user/calls').query(query).expect(200);
      expect([query, body.total]).toEqual([query, calls]);
    }
  });

  it('takes an inactive assistant that has been active as one that its owner has decided about, and no other', async () => {
    const { token } = await app.app.get(ApiKeysService, { strict: false }).create(1, 'Activation');
    const { body } = await app.as({ token }).get('/api/user/assistants').expect(200);
    const inactive = body.filter(({ status }: { status: string }) => status === 'inactive');
    expect(
      Object.fromEntries(
        inactive.map((assistant: { name: string; activates_by_use: boolean }) => [
          assistant.name,
          assistant.activates_by_use,
        ]),
      ),
    ).toEqual(
      Object.fromEntries(Object.entries(PASTS).map(([name, { activatesByUse }]) => [name, activatesByUse])),
    );
  });

  it('notes the decision of a process of the release, which knows nothing of it', async () => {
    const read = async () =>
      (
        await client.query<{ by_use: boolean }>(
          "SELECT activates_by_use AS by_use FROM assistants WHERE name = 'nothing'",
        )
      ).rows[0]?.by_use;
    const set = (status: string) =>
      client.query("UPDATE assistants SET status = $1 WHERE name = 'nothing'", [status]);
    await set('inactive');
    expect(await read()).toBe(true);
    await set('active');
    await set('inactive');
    expect(await read()).toBe(false);
    await set('inactive');
    await set('active');
    expect(await read()).toBe(true);
  });

  it('gives settings that came after the release their defaults in every assistant that was there', async () => {
    const { token } = await app.app.get(ApiKeysService, { strict: false }).create(1, 'Settings');
    const { body: assistants } = await app.as({ token }).get('/api/user/assistants').expect(200);
    const { rows } = await client.query<{ config: object }>('SELECT config FROM assistants');
    expect(assistants).toHaveLength(rows.length);
    for (const { config } of rows) {
      expect(config).not.toHaveProperty('visitor_calls_enabled');
      expect(config).not.toHaveProperty('web_chat_enabled');
    }
    for (const assistant of assistants) {
      expect(assistant).toMatchObject({ visitor_calls_enabled: true, web_chat_enabled: true });
      // Nothing but the voice is missing, which this process has not.
      await app.http.post('/api/web-calls').send({ assistant_id: assistant.uuid }).expect(503);
    }
  });
});

describe.each(RELEASES)('the migrations of %s', (release) => {
  it('are as they were when it was released, and come first', () => {
    const files = Object.entries(migrationsOf(release));
    for (const [file, hash] of files) {
      const text = readFileSync(new URL(`${file}.ts`, MIGRATIONS));
      expect({ file, hash: createHash('sha256').update(text).digest('hex') }).toEqual({ file, hash });
    }
    const names = migrations.slice(0, files.length).map(({ name }) => name.slice(-13));
    expect(names).toEqual(files.map(([file]) => file.slice(0, 13)));
  });
});

describe('an upgrade from 0.3.0', () => {
  let upgraded: TestDatabase;
  let session: Client;
  let app: TestApp;
  let before: Record<string, number>;

  beforeAll(async () => {
    upgraded = await emptyDatabase();
    await installRelease(upgraded.url, '0.3.0');
    session = new Client({ connectionString: upgraded.url });
    await session.connect();
    before = await countsOf(await tablesOf(session), session);
    await migrate(upgraded.url);
    app = await TestApp.start({}, async () => upgraded.url);
  });
  afterAll(async () => {
    await app.stop();
    await session.end();
    await upgraded.drop();
  });

  it('keeps every row', async () => {
    expect(before).toMatchObject({ calls: 28, messages: 9, document_chunks: 1, webhook_deliveries: 28 });
    expect(await countsOf(Object.keys(before), session)).toEqual(before);
  });

  it('keeps the money exact', () => expectExactMoney(session));

  it('continues open conversations, and reads calls, secrets and documents', async () => {
    const { token } = await app.app.get(ApiKeysService, { strict: false }).create(1, 'Upgrade');
    const account = app.as({ token });
    const { body: calls } = await account.get('/api/user/calls?per_page=100').expect(200);
    expect(calls.total).toBe(28);
    const { body: secret } = await account.get('/api/user/webhook-secret').expect(200);
    expect(secret.secret).toMatch(/^whsec_/);
    const { rows } = await session.query<{ id: string }>(
      'SELECT id FROM conversations WHERE ended_at IS NULL ORDER BY message_count DESC LIMIT 1',
    );
    const { body } = await app.http
      .post(`/api/conversations/${rows[0]?.id}/messages`)
      .send({ message: 'Quanto custa o pão francês?' })
      .expect(200);
    expect(body.message).toContain('0,90');
  });
});

/** Rows of a release, of some tables. */
const ROWS: Readonly<Record<(typeof ROLLING_RELEASES)[number], Readonly<Record<string, number>>>> = {
  '0.4.0': { calls: 40, messages: 6, document_chunks: 1, webhook_deliveries: 40 },
  '0.5.0': { calls: 28, messages: 5, document_chunks: 1, webhook_deliveries: 28, number_routings: 1 },
};

describe.each(ROLLING_RELEASES)('an upgrade from %s', (release) => {
  let upgraded: TestDatabase;
  let session: Client;
  let before: Record<string, number>;

  beforeAll(async () => {
    upgraded = await emptyDatabase();
    await installRelease(upgraded.url, release);
    session = new Client({ connectionString: upgraded.url });
    await session.connect();
    before = await countsOf(await tablesOf(session), session);
    await migrate(upgraded.url);
  });
  afterAll(async () => {
    await session.end();
    await upgraded.drop();
  });

  it('keeps every row', async () => {
    expect(before).toMatchObject(ROWS[release]);
    expect(await countsOf(Object.keys(before), session)).toEqual(before);
  });

  it('keeps the money exact', () => expectExactMoney(session));
});

describe('a database of an unreleased commit', () => {
  let old: TestDatabase;
  let session: Client;

  beforeEach(async () => {
    old = await emptyDatabase();
    session = new Client({ connectionString: old.url });
    await session.connect();
  });
  afterEach(async () => {
    await session.end();
    await old.drop();
  });

  const tables = async () => {
    const { rows } = await session.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('from before the first release is refused with a sentence before anything changes', async () => {
    await session.query(
      `CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL);
       INSERT INTO migrations (timestamp, name) VALUES (1763600000001, 'AccountsAndBilling1763600000001')`,
    );
    await expect(migrate(old.url)).rejects.toThrow(UnreleasedDatabaseError);
    expect(await tables()).toEqual(['migrations']);
  });

  it('from after the last release is refused with the name of the migration before anything changes', async () => {
    await installReleasedSchema(old.url, '0.2.0');
    await session.query(
      `INSERT INTO migrations (timestamp, name) VALUES (1763600000999, 'NeverReleased1763600000999')`,
    );
    const before = await tables();
    await expect(migrate(old.url)).rejects.toThrow(
      /unreleased version of Prosa \(no release has the migration NeverReleased1763600000999\)/,
    );
    expect(await tables()).toEqual(before);
  });
});

describe('a database that a newer release has prepared', () => {
  let newer: TestDatabase;
  let session: Client;
  let warnings: string[];

  beforeEach(async () => {
    newer = await cloneDatabase();
    session = new Client({ connectionString: newer.url });
    await session.connect();
    warnings = [];
    await session.query(`INSERT INTO database_releases (version) VALUES ('998.0.0'), ('999.0.0')`);
  });
  afterEach(async () => {
    await session.end();
    await newer.drop();
  });

  const start = () => migrate(newer.url, (line) => warnings.push(line));

  /** What a newer release writes when it migrates. */
  async function addMigration(name: string, oldestRelease: string | null): Promise<void> {
    await session.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [name.slice(-13), name]);
    if (oldestRelease === null) return;
    await session.query('INSERT INTO database_migrations VALUES ($1, $2)', [name, oldestRelease]);
  }

  async function changeFunction(oldestRelease: string | null): Promise<void> {
    await session.query(
      `UPDATE database_functions SET checksum = 'of the future', release = '999.0.0', oldest_release = $1
       WHERE file = 'billing/void_hold'`,
      [oldestRelease],
    );
  }

  it('is used, with a warning, and left as it is where each change says that this release runs on it', async () => {
    await addMigration('Far1999999999998', prosaVersion);
    await addMigration('Further1999999999999', '0.2.0');
    await changeFunction(prosaVersion);
    expect(await start()).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^Prosa 999\.0\.0 has prepared this database \(newest migration: Further1999999999999\)/,
      ),
    ]);
    const { rows } = await session.query(
      `SELECT checksum, release, oldest_release FROM database_functions WHERE file = 'billing/void_hold'`,
    );
    expect(rows).toEqual([{ checksum: 'of the future', release: '999.0.0', oldest_release: prosaVersion }]);
  });

  it('is used without a warning where the newer release has changed nothing', async () => {
    expect(await start()).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it.each([
    { what: 'needs the newer release', oldest: '998.0.0' },
    { what: 'says nothing', oldest: null },
  ])('is refused with the newest release and migration where one migration $what', async ({ oldest }) => {
    await addMigration('Far1999999999998', oldest);
    await addMigration('Further1999999999999', prosaVersion);
    const refused = start();
    await expect(refused).rejects.toThrow(NewerDatabaseError);
    await expect(refused).rejects.toThrow(
      `Prosa 999.0.0 has prepared this database (newest migration: Further1999999999999), and Prosa ${prosaVersion} does not run on it because of Far1999999999998`,
    );
  });

  it.each(['998.0.0', null])('is refused where the text of a function says %s', async (oldest) => {
    await changeFunction(oldest);
    await expect(start()).rejects.toThrow('because of the function billing/void_hold');
  });

  it('is not recognized by the migrations of plugins, which have tables of their own', async () => {
    await session.query(
      `CREATE TABLE shop_migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL);
       INSERT INTO shop_migrations (timestamp, name) VALUES (1999999999999, 'Orders1999999999999')`,
    );
    expect(await start()).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe('a migration after 0.3.0', () => {
  const after = (release: Release) =>
    migrations.slice(Object.keys(migrationsOf(release)).length).map((Migration) => new Migration());
  const later = after('0.3.0');

  it('states the oldest release that runs on the database', () => {
    expect(later.length).toBeGreaterThan(0);
    for (const migration of later) {
      expect(migration).toBeInstanceOf(StatedMigration);
      expect(RELEASES).toContain((migration as StatedMigration).oldestRelease);
    }
  });

  it('states a release whose statements are tested where no release has it', () => {
    for (const migration of after('0.4.0'))
      expect(ROLLING_RELEASES).toContain((migration as StatedMigration).oldestRelease);
    expect(ROLLING_RELEASES).toContain(FUNCTIONS_OLDEST_RELEASE);
  });

  it('leaves its statement in the database, where an older release finds it', async () => {
    const database = await cloneDatabase();
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    const { rows } = await reader.query(
      'SELECT migration AS name, oldest_release FROM database_migrations ORDER BY migration COLLATE "C"',
    );
    const { rows: functions } = await reader.query(
      'SELECT DISTINCT oldest_release AS oldest FROM database_functions',
    );
    await reader.end();
    await database.drop();
    const stated = later.filter((one) => one instanceof StatedMigration);
    expect(rows).toEqual(
      stated.map(({ name, oldestRelease }) => ({ name, oldest_release: oldestRelease })).sort(byName),
    );
    expect(functions).toEqual([{ oldest: FUNCTIONS_OLDEST_RELEASE }]);
  });
});

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}
