import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type request from 'supertest';
import { extract } from 'tar-stream';
import { AccountTablesRepository } from '../../src/modules/account-data/account-tables.repository.js';
import { AccountDeletionRunnerService } from '../../src/modules/account-data/deletion/account-deletion-runner.service.js';
import { AccountExportRunnerService } from '../../src/modules/account-data/exports/account-export-runner.service.js';
import { FileCleanupsService } from '../../src/modules/files/file-cleanups.service.js';
import { FileStorage, StorageError } from '../../src/providers/storage/file-storage.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { fillAccount } from '../support/belongings.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { settleCounts } from '../support/counts.js';
import { until } from '../support/until.js';

const PASSWORD = 'correct horse battery';
/** What stays of an account: money that moved, and that it was deleted. */
const STAYS = ['account_deletions', 'ledger_entries'];
/** Of what is under way, which is waited for, and of trunks that a carrier has; and folded away as soon as it is seen. */
const UNFILLED = [
  'account_deletions',
  'account_paces',
  'active_calls',
  'call_count_changes',
  'lead_count_changes',
  'carrier_orders',
  'conversation_endings',
  'sip_trunk_states',
  'trunk_paces',
];
/** Nothing of an account: what the tools and the shared counters of the installation keep. */
const APART = new Set(['migrations', 'typeorm_metadata']);

type Snapshot = Record<string, string[]>;

describe('The data of a whole account', () => {
  let app: TestApp;
  let dataDir: string;
  let neighbour: TestAccount;
  let runner: AccountDeletionRunnerService;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-account-data-'));
    app = await TestApp.start({ DATA_DIR: dataDir });
    // A table as a plugin makes one.
    await app.query(
      `CREATE TABLE plugin_notes (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE, note text NOT NULL);
       CREATE INDEX ON plugin_notes (user_id)`,
    );
    runner = app.app.get(AccountDeletionRunnerService, { strict: false });
    neighbour = await app.account({ balanceUsd: 5, password: PASSWORD });
    await fill(neighbour);
    await settleCounts(app);
  }, 120_000);
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const one = async (sql: string, parameters: readonly unknown[]) =>
    (await app.query<{ id: number }>(sql, parameters))[0]?.id ?? 0;

  const store = async (key: string) => {
    const content = Buffer.from('conteúdo');
    const storage = app.app.get(FileStorage, { strict: false });
    await storage.put(key, Readable.from([content]), {
      bytes: content.length,
      contentType: 'application/octet-stream',
    });
    return key;
  };

  /** Everything an account can have: what `fillAccount` makes, and rows in all tables that it leaves empty. */
  async function fill(account: TestAccount): Promise<void> {
    const { userId } = account;
    const has = await fillAccount(app, account, `marca-${userId}`);
    const { assistant, call, campaign, conversation, document, knowledgebase, lead, webhookDelivery } = has;
    await app.query(
      `WITH added AS (
         INSERT INTO carrier_accounts (id, user_id, carrier, account_sid, label, sealed_auth_token, sealed_previous_auth_token)
         VALUES ($2, $1::integer, 'twilio', $3, 'marca-' || $1::integer, 'v1.token', 'v1.previous') RETURNING id)
       UPDATE phone_numbers SET carrier_account_id = added.id, type = 'caller_id' FROM added
       WHERE phone_numbers.user_id = $1::integer AND type = 'normal'`,
      [userId, randomUUID(), `AC${'0'.repeat(32)}`],
    );
    await app.query(
      `INSERT INTO model_keys (user_id, service, version, base_url, sealed_api_key)
       VALUES ($1::integer, 'chat', gen_random_uuid(), 'https://llm.example.com/marca-' || $1::integer, 'v1.key'),
         ($1::integer, 'speech-deepgram', gen_random_uuid(), NULL, 'v1.key')`,
      [userId],
    );
    await app.query('INSERT INTO plugin_notes (user_id, note) VALUES ($1, $2)', [userId, `nota ${userId}`]);
    const recording = await store(`recordings/${userId}/${call}-${randomUUID()}.ogg`);
    await app.query(
      `UPDATE calls SET recording_key = $2, recording_bytes = 9, lead_id = $3,
         routing = '{"branch": "open", "action": "assistant", "reason": null}'
       WHERE id = $1`,
      [call, recording, lead],
    );
    await app.query(
      `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted)
       VALUES ($1, $2, 0, 'customer', 'bom dia', 0, 900, false)`,
      [call, userId],
    );
    await app.query(
      `INSERT INTO web_calls (call_id, assistant_id, token_hash, expires_at)
       VALUES ($1, $2, sha256($3::bytea), now() + interval '1 minute')`,
      [call, assistant, `web-${userId}`],
    );
    await app.query(
      `INSERT INTO dial_attempts (id, user_id, campaign_id, lead_id, call_id, number, state, outcome,
         from_phone_number, to_phone_number, lease_until, settled_at)
       VALUES ($1, $2, $3, $4, $5, 1, 'settled', 'answered', '+5511900000000', '+5511987654321', now(), now())`,
      [randomUUID(), userId, campaign, lead, call],
    );
    await app.query(
      `INSERT INTO messages (conversation_id, user_id, role, author, content)
       VALUES ($1, $2, 'user', 'customer', 'um segredo')`,
      [conversation, userId],
    );
    await app.query(
      `INSERT INTO webhook_attempts (delivery_id, number, finished_at, status_code) VALUES ($1, 1, now(), 200)`,
      [webhookDelivery],
    );
    await app.query(
      `INSERT INTO plugin_events (plugin, kind, event_id, user_id, subject_id, body)
       VALUES ('crm', 'call.ended', 'msg_1', $1, $2, '{}')`,
      [userId, String(call)],
    );
    const source = await one(
      `INSERT INTO document_sources (user_id, document_id, version, position, file_key, is_given, state)
       VALUES ($1, $2, 9, 9, $3, true, 'done') RETURNING id`,
      [userId, document, await store(`documents/${userId}/${randomUUID()}.txt`)],
    );
    await app.query(
      `INSERT INTO document_chunks (user_id, knowledgebase_id, document_id, source_id, version, position, heading,
         content, tokens, language, search, embedding, embedding_space)
       VALUES ($1, $2, $3, $4, 1, 0, '', 'texto', 10, 'pt', to_tsvector('simple', 'texto'), '{0.1,0.2}', 'test')`,
      [userId, knowledgebase, document, source],
    );
    await app.query(
      `INSERT INTO holds (id, user_id, kind, amount_micros, reference, state)
       VALUES ($1, $2, 'message', 10000, 'alt', 'captured')`,
      [randomUUID(), userId],
    );
    await app.query(
      `INSERT INTO visitor_usage (assistant_id, day, spent_micros, hour, messages)
       VALUES ($1, current_date, 1, now(), 1)`,
      [assistant],
    );
    await app.query(
      `INSERT INTO visitor_openings (assistant_id, subject, hour, opened) VALUES ($1, 'x', now(), 1)`,
      [assistant],
    );
    await app.query(
      `INSERT INTO known_addresses (subject, user_id, last_login_at) VALUES (sha256($1::bytea), $2, now())`,
      [`address-${userId}`, userId],
    );
    await app.query(
      `INSERT INTO password_links (user_id, member_id, token_hash, expires_at)
       VALUES ($1, NULL, sha256($3::bytea), now() + interval '1 day'), ($1, $2, NULL, now() + interval '1 day')`,
      [userId, has.member, `link-${userId}`],
    );
    await app.query('INSERT INTO identities (user_id, issuer, subject) VALUES ($1, $2, $3)', [
      userId,
      'https://id.example',
      `person-${userId}`,
    ]);
    await app.query(
      `INSERT INTO emails (id, user_id, recipient, status, expires_at)
       VALUES (gen_random_uuid(), $1, $2, 'sent', now())`,
      [userId, `person-${userId}@example.com`],
    );
    await app.query(
      'INSERT INTO assistant_mcp_tools (assistant_id, tool_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [assistant, has.mcpTool],
    );
    await app.as(account).get('/api/user/webhook-secret').expect(200);
    await app.query('INSERT INTO retention_settings (user_id, calls_days) VALUES ($1, 30)', [userId]);
    await app.query(
      `INSERT INTO phone_number_grants (phone_number_id, user_id)
       SELECT id, $1 FROM phone_numbers WHERE user_id <> $1 ORDER BY id LIMIT 1`,
      [userId],
    );
    for (const scope of [`account:${userId}`, `conversation:${conversation}`]) {
      await app.query(
        `INSERT INTO idempotency_keys
           (key_hash, scope, request_hash, lease_token, leased_until, response_status, expires_at)
         VALUES (sha256($1::bytea), $2, sha256('x'), gen_random_uuid(), now(), 200, now() + interval '1 day')`,
        [randomUUID(), scope],
      );
    }
  }

  /** The outcome of an audited request is written down after its answer. */
  const outcomesWritten = () =>
    until(async () => (await app.query('SELECT FROM audit_log_entries WHERE status IS NULL')).length === 0);

  const tablesWith = async (column: string) =>
    (
      await app.query<{ name: string }>(
        `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t
           USING (table_schema, table_name)
         WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name = $1 ORDER BY 1`,
        [column],
      )
    ).map(({ name }) => name);

  /** Every row of every table there is, whatever tables there are. */
  async function everything(): Promise<Snapshot> {
    await outcomesWritten();
    const tables = await app.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const snapshot: Snapshot = {};
    for (const { name } of tables.filter((table) => !APART.has(table.name))) {
      const rows = await app.query<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM "${name}" t ORDER BY 1`,
      );
      snapshot[name] = rows.map(({ row }) => row);
    }
    return snapshot;
  }

  const without = (snapshot: Snapshot, names: readonly string[]) =>
    Object.fromEntries(Object.entries(snapshot).filter(([name]) => !names.includes(name)));

  const files = async () =>
    (await readdir(dataDir, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();

  async function victim(): Promise<TestAccount> {
    const account = await app.account({ balanceUsd: 5, password: PASSWORD });
    await fill(account);
    return account;
  }

  const begin = async (account: TestAccount): Promise<number> => {
    const { body } = await app
      .as(account)
      .delete('/api/user/me')
      .send({ email: account.email, password: PASSWORD })
      .expect(202);
    return body.data.id;
  };

  describe('deleted', () => {
    it('leaves no row in any table and no file, but the ledger, and every other account as it was', async () => {
      const before = await everything();
      const filesBefore = await files();
      const account = await victim();
      await settleCounts(app);
      for (const table of await tablesWith('user_id')) {
        if (UNFILLED.includes(table)) continue;
        const rows = await app.query(`SELECT FROM "${table}" WHERE user_id = $1`, [account.userId]);
        expect({ table, isFilled: rows.length > 0 }).toEqual({ table, isFilled: true });
      }
      expect((await files()).length).toBe(filesBefore.length + 2);

      const id = await begin(account);
      await runner.run({ deletionId: id });
      await app.app.get(FileCleanupsService, { strict: false }).sweep();

      const after = await everything();
      expect(without(after, STAYS)).toEqual(without(before, STAYS));
      expect(await files()).toEqual(filesBefore);
      const [deletion] = await app.query<{ status: string; deleted: Record<string, number> }>(
        'SELECT status, deleted FROM account_deletions WHERE id = $1',
        [id],
      );
      expect(deletion).toMatchObject({
        status: 'completed',
        deleted: { calls: 1, conversations: 1, leads: 2, plugin_notes: 1, assistants: 1 },
      });
      const ledger = await app.query<{ kind: string; amount: string; after: string }>(
        `SELECT kind, amount_micros AS amount, balance_after_micros AS after FROM ledger_entries
         WHERE user_id = $1 ORDER BY id`,
        [account.userId],
      );
      expect(ledger.at(-1)).toEqual({ kind: 'account_closed', amount: '-5000000', after: '0' });
      expect(ledger.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(0);
      expect(after.ledger_entries?.length).toBe((before.ledger_entries?.length ?? 0) + 2);
    }, 60_000);

    it('asks for the e-mail of the account and for the password, and changes nothing without', async () => {
      const account = await app.account({ password: PASSWORD });
      const remove = (body: object) => app.as(account).delete('/api/user/me').send(body).expect(422);
      const { body: other } = await remove({ email: neighbour.email, password: PASSWORD });
      expect(other.errors).toHaveProperty('email');
      for (const wrong of [{}, { password: 'battery' }]) {
        const { body } = await remove({ email: account.email, ...wrong });
        expect(body.errors).toHaveProperty('password');
      }
      await app.as(account).get('/api/user/me').expect(200);
      expect(await app.query('SELECT FROM account_deletions WHERE user_id = $1', [account.userId])).toEqual(
        [],
      );
    });

    it('is for owners: a key without the scope and a member who operates are refused', async () => {
      const account = await app.account({ password: PASSWORD });
      const { body } = await app
        .as(account)
        .post('/api/user/api-keys')
        .send({ name: 'Ler', scopes: ['read', 'chat', 'calls', 'campaigns'] })
        .expect(201);
      await app
        .as({ token: body.api_key.token })
        .delete('/api/user/me')
        .send({ email: account.email, password: PASSWORD })
        .expect(403);
    });

    it('refuses every sign-in from the answer on, and frees the e-mail address', async () => {
      const account = await app.account({ password: PASSWORD });
      const login = { email: account.email, password: PASSWORD };
      const { body: session } = await app.http.post('/api/auth/login').send(login).expect(200);
      const id = await begin(account);
      await app.as(account).get('/api/user/me').expect(401);
      await app.as({ token: session.token }).get('/api/user/me').expect(401);
      await app.http.post('/api/auth/login').send(login).expect(401);
      await app.account({ email: account.email });
      await runner.run({ deletionId: id });
      expect(await app.query('SELECT FROM users WHERE id = $1', [account.userId])).toEqual([]);
    });

    it('lets no visitor in from the answer on, in conversations that are open either', async () => {
      const account = await app.account({ balanceUsd: 5, password: PASSWORD });
      const assistant = await createAssistant(app, account);
      const uuid = await openConversation(app, assistant);
      const send = () => app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' });
      await send().expect(200);
      const id = await begin(account);
      // A worker has not begun yet.
      const body = { assistant_id: assistant.uuid, type: 'widget' };
      await app.http.post('/api/conversations').send(body).expect(404);
      await send().expect(404);
      await app.http.get(`/api/widget/${assistant.uuid}`).expect(404);
      await runner.run({ deletionId: id });
      expect(await app.query('SELECT status, is_waiting FROM account_deletions WHERE id = $1', [id])).toEqual(
        [{ status: 'completed', is_waiting: false }],
      );
    });

    it('stops links to its calls from the answer on', async () => {
      const account = await app.account({ password: PASSWORD });
      await app.as(account).put('/api/user/settings').send({ call_sharing: true }).expect(200);
      const call = await one(
        `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, assistant_phone_number,
           duration_seconds, transcript, ended_at)
         VALUES ($1, 'Bia', 'outbound', 'completed', '+5511987650001', '+551130000000', 9, 'Oi', now()) RETURNING id`,
        [account.userId],
      );
      const { body } = await app.as(account).post(`/api/user/calls/${call}/share`).send({}).expect(201);
      const token = String(body.data.url).split('#')[1];
      const open = () => app.http.post('/api/shared-calls').send({ token });
      await open().expect(200);
      const id = await begin(account);
      // A worker has not begun yet.
      await open().expect(404);
      await runner.run({ deletionId: id });
    });

    it('is carried on by another process where one has died, at whatever place', async () => {
      const before = await everything();
      const account = await victim();
      const id = await begin(account);
      const tables = app.app.get(AccountTablesRepository, { strict: false });
      const storage = app.app.get(FileStorage, { strict: false });
      const deleteSome = tables.deleteSome.bind(tables);
      let left = 0;
      const dying = jest.spyOn(tables, 'deleteSome').mockImplementation((...args) => {
        if (left-- <= 0) throw new Error('killed');
        return deleteSome(...args);
      });
      for (const steps of [0, 7, 15]) {
        left = steps;
        await expect(runner.run({ deletionId: id })).rejects.toThrow('killed');
      }
      dying.mockRestore();
      jest.spyOn(storage, 'deletePrefix').mockRejectedValueOnce(new Error('killed'));
      await expect(runner.run({ deletionId: id })).rejects.toThrow('killed');
      await Promise.all([runner.run({ deletionId: id }), runner.run({ deletionId: id })]);
      await runner.run({ deletionId: id });
      await app.app.get(FileCleanupsService, { strict: false }).sweep();
      expect(without(await everything(), STAYS)).toEqual(without(before, STAYS));
    }, 60_000);

    it('asks an active call to end, and waits for it and for an answer under way', async () => {
      const account = await app.account({ balanceUsd: 1, password: PASSWORD });
      const { assistant, call, conversation } = await fillAccount(app, account, 'espera');
      expect(assistant).toBeDefined();
      await app.query(
        `INSERT INTO active_calls (call_id, user_id, carrier, stage, max_duration_seconds, ringing_seconds)
         VALUES ($1, $2, 'sandbox', 'open', 60, 30)`,
        [call, account.userId],
      );
      await app.query(
        `UPDATE conversations SET turn_token = gen_random_uuid(), turn_expires_at = now() + interval '1 minute'
         WHERE id = $1`,
        [conversation],
      );
      const id = await begin(account);
      const state = async () => {
        await runner.run({ deletionId: id });
        const [row] = await app.query<{ status: string; is_waiting: boolean }>(
          'SELECT status, is_waiting FROM account_deletions WHERE id = $1',
          [id],
        );
        return row;
      };
      expect(await state()).toEqual({ status: 'processing', is_waiting: true });
      const [active] = await app.query<{ asked: boolean }>(
        'SELECT end_requested_at IS NOT NULL AS asked FROM active_calls WHERE call_id = $1',
        [call],
      );
      expect(active).toEqual({ asked: true });
      await app.query('DELETE FROM active_calls WHERE call_id = $1', [call]);
      expect(await state()).toEqual({ status: 'processing', is_waiting: true });
      await app.query('UPDATE conversations SET turn_token = NULL, turn_expires_at = NULL WHERE id = $1', [
        conversation,
      ]);
      expect(await state()).toEqual({ status: 'completed', is_waiting: false });
    }, 60_000);
  });

  describe('exported', () => {
    interface Archive {
      readonly names: string[];
      readonly texts: Record<string, string>;
    }

    const exportsOf = () => app.app.get(AccountExportRunnerService, { strict: false });
    const start = async (account: TestAccount): Promise<number> =>
      (await app.as(account).post('/api/user/privacy/account-exports').expect(202)).body.data.id;

    async function read(account: TestAccount, id: number): Promise<Archive> {
      const { body } = await app
        .as(account)
        .get(`/api/user/privacy/account-exports/${id}/file`)
        .buffer(true)
        .parse(binaryParser)
        .expect(200)
        .expect('content-type', 'application/gzip');
      const tar = extract();
      Readable.from([gunzipSync(body as Buffer)]).pipe(tar);
      const texts: Record<string, string> = {};
      for await (const entry of tar) texts[entry.header.name] = await text(entry);
      return { names: Object.keys(texts), texts };
    }

    const rowsOf = ({ texts }: Archive, table: string) =>
      Object.entries(texts)
        .filter(([name]) => name.startsWith(`tables/${table}/`))
        .flatMap(([, content]) => content.trimEnd().split('\n'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);

    it('has every row of the account in every table, its files, and nothing of another account', async () => {
      const account = await victim();
      // They move to the counts by themselves, which must not be between the export and the look at the tables.
      for (const table of ['call_count_changes', 'lead_count_changes'])
        await until(async () => (await app.query(`SELECT FROM ${table}`)).length === 0, 20_000);
      const id = await start(account);
      await app.as(account).get(`/api/user/privacy/account-exports/${id}/file`).expect(409);
      await exportsOf().run({ exportId: id });
      const { body } = await app.as(account).get(`/api/user/privacy/account-exports/${id}`).expect(200);
      expect(body).toMatchObject({ status: 'ready', progress_percent: 100, failure: null });

      const archive = await read(account, id);
      for (const table of await tablesWith('user_id')) {
        const rows = rowsOf(archive, table);
        const [held] = await app.query<{ rows: number }>(
          `SELECT count(*)::integer AS rows FROM "${table}" WHERE user_id = $1`,
          [account.userId],
        );
        // The download itself is looked at after the export.
        if (table === 'audit_log_entries') expect(rows.length).toBeGreaterThan(5);
        else expect({ table, rows: rows.length }).toEqual({ table, rows: held?.rows });
        expect(rows.filter((row) => row.user_id !== account.userId)).toEqual([]);
      }
      for (const child of ['webhook_attempts', 'web_calls', 'conversation_words', 'assistant_mcp_tools'])
        expect({ child, rows: rowsOf(archive, child).length }).toEqual({ child, rows: expect.any(Number) });
      expect(rowsOf(archive, 'webhook_attempts')).toHaveLength(1);
      expect(rowsOf(archive, 'users')).toMatchObject([{ id: account.userId, email: account.email }]);
      expect(rowsOf(archive, 'messages').map(({ content }) => content)).toContain('um segredo');
      expect(archive.names.filter((name) => /^files\/(recordings|documents)\//.test(name))).toHaveLength(2);
      const all = JSON.stringify(archive.texts);
      expect(all).not.toMatch(new RegExp(`marca-${neighbour.userId}\\b`));
      expect(all).not.toContain(neighbour.email);
      expect(all).not.toMatch(/password_hash|token_hash|sealed_/);
    }, 60_000);

    it('is for the account alone, and listed with the two before it', async () => {
      const account = await app.account();
      const ids: number[] = [];
      for (let made = 0; made < 4; made++) {
        const id = await start(account);
        ids.unshift(id);
        if (made < 3) await exportsOf().run({ exportId: id });
      }
      const listed = async (as: TestAccount) =>
        (await app.as(as).get('/api/user/privacy/account-exports').expect(200)).body.data as {
          id: number;
          status: string;
        }[];
      expect((await listed(account)).map(({ id, status }) => [id, status])).toEqual([
        [ids[0], 'processing'],
        [ids[1], 'ready'],
        [ids[2], 'ready'],
      ]);
      expect((await listed(neighbour)).map(({ id }) => id)).not.toContain(ids[0]);
      const id = Number(ids[0]);
      await exportsOf().run({ exportId: id });
      for (const path of [
        `/api/user/privacy/account-exports/${id}`,
        `/api/user/privacy/account-exports/${id}/file`,
      ])
        await app.as(neighbour).get(path).expect(404);
    });

    it('is begun anew where its process died, by one process, and leaves one file', async () => {
      const account = await app.account();
      const id = await start(account);
      expect(await start(account)).toBe(id);
      // As a process leaves it that is killed in the middle.
      await app.query(
        `UPDATE account_exports SET attempts = 1, leased_until = now() + interval '1 minute', progress_percent = 30
         WHERE id = $1`,
        [id],
      );
      await exportsOf().run({ exportId: id });
      const status = async () =>
        (await app.as(account).get(`/api/user/privacy/account-exports/${id}`)).body.status;
      expect(await status()).toBe('processing');
      await app.query("UPDATE account_exports SET leased_until = now() - interval '1 second' WHERE id = $1", [
        id,
      ]);
      await Promise.all([exportsOf().run({ exportId: id }), exportsOf().run({ exportId: id })]);
      expect(await status()).toBe('ready');
      const own = (await files()).filter((path) => path.includes(`exports/${account.userId}/`));
      expect(own).toHaveLength(1);
      expect((await files()).filter((path) => path.includes('/uploads/'))).toEqual([]);
    });

    it('is tried again when the storage fails, and given up after five starts', async () => {
      const account = await app.account();
      const id = await start(account);
      jest
        .spyOn(app.app.get(FileStorage, { strict: false }), 'put')
        .mockRejectedValue(new StorageError('the bucket is away'));
      for (let attempt = 0; attempt < 6; attempt++) await exportsOf().run({ exportId: id });
      const { body } = await app.as(account).get(`/api/user/privacy/account-exports/${id}`).expect(200);
      expect(body).toMatchObject({ status: 'failed', failure: 'given-up' });
      expect((await files()).filter((path) => path.includes('/uploads/'))).toEqual([]);
    });

    it('is deleted with its file after a week', async () => {
      const account = await app.account();
      const id = await start(account);
      await exportsOf().run({ exportId: id });
      const own = async () => (await files()).filter((path) => path.includes(`exports/${account.userId}/`));
      await exportsOf().sweep();
      expect(await own()).toHaveLength(1);
      await app.query("UPDATE account_exports SET finished_at = now() - interval '8 days' WHERE id = $1", [
        id,
      ]);
      await exportsOf().sweep();
      await app.app.get(FileCleanupsService, { strict: false }).sweep();
      expect(await own()).toEqual([]);
      await app.as(account).get(`/api/user/privacy/account-exports/${id}`).expect(404);
    });
  });
});

/** supertest gives a body that it does not know as text. */
function binaryParser(response: request.Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const stream = response as unknown as Readable;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
}
