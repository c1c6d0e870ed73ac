import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { SecretBox } from '../../src/common/crypto/secret-box.js';
import { Logger } from '../../src/common/observability/logger.js';
import { personOf } from '../../src/common/personal-data/person.js';
import { Transactions, type Tx } from '../../src/database/transactions.js';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { RecordingUploadsService } from '../../src/modules/call-sessions/recordings/recording-uploads.service.js';
import { FileCleanupsService } from '../../src/modules/files/file-cleanups.service.js';
import { ErasureRunnerService } from '../../src/modules/privacy/erasure-runner.service.js';
import { ErasuresRepository } from '../../src/modules/privacy/erasures.repository.js';
import { PersonalDataSourcesService } from '../../src/modules/privacy/personal-data-sources.service.js';
import { JobsService } from '../../src/queues/jobs.service.js';
import { recordingFileName } from '../../src/runtime/call/recording-file.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createLead } from '../support/campaign-builders.js';
import { settleCounts } from '../support/counts.js';
import { tone } from '@prosa/testing';
import { waitsForLock } from '../support/lock-waits.js';
import {
  DIGITS,
  type FilledAccount,
  NUMBER,
  OTHER,
  PersonalDataRows,
  SAID,
  SHORT,
  SPACED,
} from '../support/personal-data.js';

const PERSON = new RegExp(personOf(0, NUMBER).pattern);

describe('The personal data of a phone number', () => {
  let app: TestApp;
  let personalData: PersonalDataRows;
  let dataDir: string;
  let owner: TestAccount;
  let neighbour: TestAccount;
  let own: FilledAccount;
  let theirs: FilledAccount;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-privacy-'));
    app = await TestApp.start({ DATA_DIR: dataDir });
    personalData = new PersonalDataRows(app);
    owner = await app.account({ balanceUsd: 5 });
    neighbour = await app.account({ balanceUsd: 5 });
    own = await personalData.fillAccount(owner);
    theirs = await personalData.fillAccount(neighbour);
  }, 120_000);
  afterAll(async () => {
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Every row that holds what `isIt` sees in any of its columns, by `table.column`, of all or but one account's rows. */
  async function placesOf(isIt: (text: string) => boolean): Promise<Record<string, number>> {
    const columns = await app.query<{ name: string; column: string; type: string }>(
      `SELECT c.table_name AS name, c.column_name AS column, c.data_type AS type
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema NOT IN ('pg_catalog', 'information_schema') AND t.table_type = 'BASE TABLE'
         AND c.table_schema = 'public' ORDER BY 1, 2`,
    );
    const places: Record<string, number> = {};
    for (const { name, column, type } of columns) {
      const read = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
      const rows = await app.query<{ text: string | null }>(`SELECT ${read} AS text FROM "${name}"`);
      const count = rows.filter(({ text }) => text !== null && isIt(text)).length;
      if (count > 0) places[`${name}.${column}`] = count;
    }
    return places;
  }

  async function filesWith(isIt: (text: string) => boolean): Promise<string[]> {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const found: string[] = [];
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      if (isIt(path.slice(dataDir.length)) || isIt((await readFile(path)).toString())) found.push(path);
    }
    return found;
  }

  const half = (places: Record<string, number>) =>
    Object.fromEntries(Object.entries(places).map(([place, count]) => [place, count / 2]));
  const isPerson = (text: string) => PERSON.test(text) || text.includes(SAID);

  async function rowsOf(userId: number): Promise<Record<string, unknown[]>> {
    const tables = [
      'leads',
      'calls',
      'conversations',
      'messages',
      'webhook_deliveries',
      'dial_attempts',
      'documents',
    ];
    const rows: Record<string, unknown[]> = {};
    for (const table of tables) {
      rows[table] = await app.query(`SELECT * FROM ${table} WHERE user_id = $1 ORDER BY id`, [userId]);
    }
    return rows;
  }

  const erase = (body: object = {}) =>
    app
      .as(owner)
      .post('/api/user/privacy/erase')
      .send({ phone_number: SHORT, ...body });

  it('are given out as one JSON, with what was said, and nothing of another account or person', async () => {
    const { body } = await app
      .as(owner)
      .post('/api/user/privacy/export')
      .send({ phone_number: '(11) 98765-4321' })
      .expect(200);
    expect(body).toMatchObject({ phone_number: NUMBER, complete: true });
    const kinds = body.records.map(({ kind }: { kind: string }) => kind).toSorted();
    expect(kinds).toEqual([
      'call',
      'call_mention',
      'conversation',
      'conversation_mention',
      'dial_attempt',
      'do_not_call_entry',
      'document_mention',
      'kept_answer',
      'kept_answer',
      'lead',
      'lead_import_mention',
      'lead_mention',
      'number_verification',
      'refused_row',
      'refused_row',
      'refused_row',
      'refused_row',
      'simulation_mention',
      'webhook_delivery',
    ]);
    const dataOf = (kind: string) =>
      body.records.find((record: { kind: string }) => record.kind === kind).data;
    expect(dataOf('lead')).toMatchObject({ id: own.lead, variables: { name: SAID } });
    expect(dataOf('call')).toMatchObject({ id: own.call, evaluation: { summary: `${SAID} ${DIGITS}` } });
    expect(dataOf('call').turns).toEqual([
      { role: 'customer', text: `${SAID} no ${SPACED}`, start_ms: 0, end_ms: 900 },
    ]);
    expect(dataOf('conversation').messages.at(-1)).toMatchObject({ author: 'customer', content: SAID });
    expect(dataOf('call_mention')).toEqual({ id: own.mentioningCall });
    await app.http.get(dataOf('call').recording_url).expect(200);
    expect(JSON.stringify(body)).not.toContain('bom dia');
  });

  it('are refused for one of the own lines, and for what is no number', async () => {
    await app.query(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type) VALUES ($1, '+5511933330000', 'BR', 'normal')`,
      [owner.userId],
    );
    const { body } = await app
      .as(owner)
      .post('/api/user/privacy/erase')
      .send({ phone_number: '+5511933330000' })
      .expect(409);
    expect(body).toEqual({
      message: 'Este é um número da sua própria conta. Exclua o número em vez dos dados.',
    });
    await erase({ phone_number: 'abc' }).expect(422);
    await app.as(owner).post('/api/user/privacy/export').send({ phone_number: 'abc' }).expect(422);
  });

  it('are erased from all tables and files, whenever the process dies, while money, counts and others stay', async () => {
    const before = await placesOf(isPerson);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'call_notes.text',
        'call_tags.tag',
        'call_turns.text',
        'call_words.words',
        'calls.client_phone_number',
        'calls.evaluation',
        'calls.input_variables',
        'calls.transcript',
        'calls.variables',
        'calls.webhook_response',
        'conversation_tags.tag',
        'conversation_words.words',
        'conversations.last_message',
        'conversations.lookup_variables',
        'conversations.variables',
        'dial_attempts.to_phone_number',
        'do_not_call_entries.phone_number',
        'document_chunks.content',
        'lead_imports.file_name',
        'lead_imports.refusals',
        'lead_refusals.fields',
        'lead_refusals.phone_numbers',
        'leads.phone_number',
        'leads.variables',
        'messages.content',
        'messages.function_calls',
        'simulation_runs.transcript',
        'simulations.scenario',
        'plugin_events.body',
        'plugin_events.last_error',
        'webhook_attempts.response_body',
        'webhook_deliveries.body',
      ]),
    );
    expect(await filesWith(isPerson)).toHaveLength(4);
    const neighbours = await rowsOf(neighbour.userId);
    const money = await app.query('SELECT * FROM ledger_entries ORDER BY id');
    await settleCounts(app);
    const counts = await app.query('SELECT * FROM call_counts ORDER BY 1, 2, 3, 4, 5, 6, 7');
    const costs = 'SELECT sum(ai_cost_micros), sum(duration_seconds), count(*) FROM calls';
    const costsBefore = await app.query(costs);

    const { body } = await erase().expect(202);
    const { id } = body.data;
    expect(body.data).toMatchObject({ status: 'processing', waiting: false, finished_at: null });
    // There is one erasure of the number in that time, and no table says whose it is.
    expect((await erase({ phone_number: SPACED }).expect(202)).body.data.id).toBe(id);
    expect(await placesOf(isPerson)).toEqual(before);
    await runDyingAtEachStep(id);
    await app.app.get(FileCleanupsService).sweep();

    expect(await placesOf(isPerson)).toEqual(half(before));
    expect(await filesWith(isPerson)).toHaveLength(2);
    expect(await rowsOf(neighbour.userId)).toEqual(neighbours);
    expect(await app.query('SELECT * FROM ledger_entries ORDER BY id')).toEqual(money);
    await settleCounts(app);
    expect(await app.query('SELECT * FROM call_counts ORDER BY 1, 2, 3, 4, 5, 6, 7')).toEqual(counts);
    expect(await app.query(costs)).toEqual(costsBefore);
    const [wallet] = await app.query(
      `SELECT balance_micros = (SELECT sum(amount_micros) FROM ledger_entries WHERE user_id = $1) AS even
       FROM wallets WHERE user_id = $1`,
      [owner.userId],
    );
    expect(wallet).toEqual({ even: true });

    const status = (await app.as(owner).get(`/api/user/privacy/erasures/${id}`).expect(200)).body;
    expect(status).toMatchObject({ id, status: 'completed', waiting: false });
    expect(status.erased).toEqual({
      leads: 2,
      lead_imports: 5,
      dial_attempts: 1,
      calls: 2,
      conversations: 2,
      simulations: 1,
      webhook_deliveries: 2,
      idempotency_keys: 2,
      do_not_call_entries: 1,
      documents: 1,
      number_verifications: 1,
    });
    const exported = await app
      .as(owner)
      .post('/api/user/privacy/export')
      .send({ phone_number: NUMBER })
      .expect(200);
    expect(exported.body.records).toEqual([]);
    const kept = 'SELECT FROM idempotency_keys WHERE scope IN ($1, $2) AND sealed_body IS NOT NULL';
    expect(await app.query(kept, [`account:${owner.userId}`, `conversation:${own.conversation}`])).toEqual(
      [],
    );
    expect(theirs.call).toBeGreaterThan(own.call);
  });

  it('of others keep all but the number', async () => {
    const lead = (await app.as(owner).get(`/api/user/leads/${own.mentioningLead}`).expect(200)).body;
    expect(lead).toMatchObject({
      phone_number: OTHER,
      variables: { indicado_por: 'Ana, ***', digits: null, keep: 'fica' },
    });
    const call = (await app.as(owner).get(`/api/user/calls/${own.mentioningCall}`).expect(200)).body;
    expect(call).toMatchObject({ transcript: 'Cliente: bom dia, meu número é ***.' });
    expect(call.turns[0].text).toBe('bom dia no ***');
    const [message] = await app.query(
      "SELECT content FROM messages WHERE conversation_id = $1 AND author = 'ai' ORDER BY id DESC",
      [own.mentioningConversation],
    );
    expect(message).toEqual({ content: 'Ligue para *** e fale com ela.' });
  });

  it('of a call that is emptied stay readable through the API, without the person', async () => {
    const { body } = await app.as(owner).get(`/api/user/calls/${own.call}`).expect(200);
    expect(body).toMatchObject({ transcript: '', turns: [] });
    expect(body).not.toHaveProperty('recording_url');
    await app.as(owner).get(`/api/user/conversations/${own.conversation}`).expect(200);
    await app.as(owner).get(`/api/user/calls/${own.call}/recording`).expect(404);
  });

  it('wait for the end of a call that is on, and the lead is not called again', async () => {
    const lead = await createLead(app, owner, own.campaign, { phone_number: NUMBER });
    await app.query("UPDATE lead_dials SET state = 'calling' WHERE lead_id = $1", [lead]);
    const call = await personalData.addCall(owner.userId, lead, NUMBER);
    await app.query("UPDATE calls SET status = 'in-progress', ended_at = NULL WHERE id = $1", [call]);
    await app.query(
      `INSERT INTO active_calls (call_id, user_id, carrier, stage, max_duration_seconds, ringing_seconds)
       VALUES ($1, $2, 'sandbox', 'open', 60, 30)`,
      [call, owner.userId],
    );
    const { id } = (await erase().expect(202)).body.data;
    const runner = app.app.get(ErasureRunnerService);
    await runner.run(id);
    const statusOf = async () =>
      (await app.as(owner).get(`/api/user/privacy/erasures/${id}`).expect(200)).body;
    expect(await statusOf()).toMatchObject({ status: 'processing', waiting: true });
    expect(await app.query('SELECT id FROM leads WHERE id = $1', [lead])).toHaveLength(1);

    await app.query('DELETE FROM active_calls WHERE call_id = $1', [call]);
    await app.query("UPDATE calls SET status = 'completed', ended_at = now() WHERE id = $1", [call]);
    await app.query("UPDATE lead_dials SET state = 'waiting', due_at = now() WHERE lead_id = $1", [lead]);
    await runner.run(id);
    expect(await statusOf()).toMatchObject({ status: 'completed', waiting: false });
    expect(await app.query('SELECT id FROM leads WHERE id = $1', [lead])).toEqual([]);
    const rest = await app.query(
      'SELECT transcript, client_phone_number AS client FROM calls WHERE id = $1',
      [call],
    );
    expect(rest).toEqual([{ transcript: '', client: null }]);
  });

  it('are erased with a note that is written at the same time', async () => {
    const call = await personalData.addCall(owner.userId, null, NUMBER);
    const other = new Client({ connectionString: app.database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM calls WHERE id = $1 AND erased_at IS NULL FOR UPDATE', [call]);
      await other.query("INSERT INTO call_notes (user_id, call_id, text) VALUES ($1, $2, 'Casada')", [
        owner.userId,
        call,
      ]);
      const { id } = (await erase().expect(202)).body.data;
      const running = app.app.get(ErasureRunnerService).run(id);
      await waitsForLock(app);
      await other.query('COMMIT');
      await running;
    } finally {
      await other.end();
    }
    expect(await app.query('SELECT text FROM call_notes WHERE call_id = $1', [call])).toEqual([]);
  });

  it('leave the turn of a secondary contact to the next one', async () => {
    const other = '+5511900001234';
    const parent = await createLead(app, owner, own.campaign, {
      phone_number: '+5511900001235',
      secondary_contacts: [{ phone_number: NUMBER }, { phone_number: other }],
    });
    await app.query(
      `UPDATE lead_dials SET state = CASE lead_id WHEN $1 THEN 'done' ELSE state END, due_at = now()
       FROM leads WHERE leads.id = lead_id AND (leads.id = $1 OR parent_id = $1 AND position = 1)`,
      [parent],
    );
    await app.app.get(ErasureRunnerService).run((await erase().expect(202)).body.data.id);
    expect(
      await app.query(
        `SELECT phone_number AS phone, due_at <= now() AS due FROM leads JOIN lead_dials ON lead_id = id WHERE parent_id = $1`,
        [parent],
      ),
    ).toEqual([{ phone: other, due: true }]);
  });

  it('are not stored again by a recording that comes after the erasure', async () => {
    const folder = join(dataDir, 'recordings');
    await mkdir(folder, { recursive: true });
    const path = join(folder, recordingFileName({ recordAs: own.call, startMs: 0, sampleRateHz: 8_000 }));
    await writeFile(path, Buffer.from(tone(440, 8_000, 1_000).buffer));
    await app.app.get(RecordingUploadsService).sweep(Date.now() + 120_000);
    expect(await readdir(folder)).not.toContain(basename(path));
    await app.as(owner).get(`/api/user/calls/${own.call}/recording`).expect(404);
    const late = join(folder, 'late.pcm');
    await writeFile(late, Buffer.from(tone(440, 8_000, 1_000).buffer));
    const uploads = app.app.get(RecordingUploadsService);
    await uploads.upload({ userId: owner.userId, id: own.call }, { path: late, sampleRateHz: 8_000 });
    const [call] = await app.query('SELECT recording_key AS key FROM calls WHERE id = $1', [own.call]);
    expect(call).toEqual({ key: null });
  });

  it('keep the do-not-call entry and the documents when that is asked for', async () => {
    await app.as(owner).post('/api/user/do-not-call').send({ phone_number: NUMBER }).expect(201);
    await personalData.addDocument(owner.userId);
    const { id } = (await erase({ keep_do_not_call: true, keep_documents: true }).expect(202)).body.data;
    await app.app.get(ErasureRunnerService).run(id);
    const places = Object.keys(await placesOf((text) => PERSON.test(text)));
    const mine = await app.query(
      `SELECT (SELECT count(*) FROM do_not_call_entries WHERE user_id = $1 AND phone_number = $2)::int AS entries,
         (SELECT count(*) FROM documents WHERE user_id = $1)::int AS documents`,
      [owner.userId, NUMBER],
    );
    expect(mine).toEqual([{ entries: 1, documents: 1 }]);
    expect(places).toContain('do_not_call_entries.phone_number');
  });

  it('are billed as before', async () => {
    await app.app.get(BillingService).credit(owner.userId, 1_000, 'later');
    const [row] = await app.query('SELECT balance_micros FROM wallets WHERE user_id = $1', [owner.userId]);
    expect(row).toEqual({ balance_micros: '5001000' });
  });

  it('are erased for each account in its turn, whatever became of those of another one', async () => {
    const [broken, busy, other] = [await app.account(), await app.account(), await app.account()];
    const ids: number[] = [];
    for (const [account, phone_number] of [
      [broken, '+5511980000300'],
      [busy, '+5511980000301'],
      [busy, '+5511980000302'],
      [other, '+5511980000303'],
    ] as const) {
      const { body } = await app
        .as(account)
        .post('/api/user/privacy/erase')
        .send({ phone_number })
        .expect(202);
      ids.push(body.data.id);
    }
    await app.query("UPDATE erasures SET sealed_phone_number = 'broken' WHERE id = $1", [ids[0]]);
    const statuses = async () =>
      (
        await app.query<{ status: string }>('SELECT status FROM erasures WHERE id = ANY($1) ORDER BY id', [
          ids,
        ])
      ).map(({ status }) => status);

    await app.app.get(ErasureRunnerService).runDue();
    expect(await statuses()).toEqual(['processing', 'completed', 'processing', 'completed']);
    await app.app.get(ErasureRunnerService).runDue();
    expect(await statuses()).toEqual(['processing', 'completed', 'completed', 'completed']);
  });

  it('stop for the others when their turn is over, and go on where they were', async () => {
    const { id } = (await erase().expect(202)).body.data;
    const clock = jest.spyOn(performance, 'now');
    let nowMs = 0;
    clock.mockImplementation(() => (nowMs += 6_000));
    await app.app.get(ErasureRunnerService).run(id);
    clock.mockRestore();
    const rowOf = async () => (await app.query('SELECT status, source FROM erasures WHERE id = $1', [id]))[0];
    expect(await rowOf()).toEqual({ status: 'processing', source: 'lead_imports' });

    await app.app.get(ErasureRunnerService).run(id);
    expect(await rowOf()).toMatchObject({ status: 'completed' });
  });

  it('are left to the process that runs them', async () => {
    const { id } = (await erase().expect(202)).body.data;
    const wake = jest.spyOn(app.app.get(JobsService), 'wake');
    await app.app.get(Transactions, { strict: false }).run(async (tx) => {
      await app.app.get(ErasuresRepository, { strict: false }).lockUnderWay(id, tx);
      await app.app.get(ErasureRunnerService).runDue();
    });
    expect(wake).not.toHaveBeenCalled();
    await app.app.get(ErasureRunnerService).runDue();
    expect(wake).toHaveBeenCalled();
    wake.mockRestore();
  });

  /** Runs an erasure of which each transaction is lost once just before its commit, by a new process each time. */
  async function runDyingAtEachStep(id: number): Promise<void> {
    const real = app.app.get(Transactions, { strict: false });
    const died = new Error('the process died');
    const dying: Pick<Transactions, 'run'> = {
      run: <T>(work: (tx: Tx) => Promise<T>) =>
        real.run<T>(async (tx) => {
          await work(tx);
          throw died;
        }),
    };
    const runnerWith = (transactions: Pick<Transactions, 'run'>) =>
      new ErasureRunnerService(
        app.app.get(ErasuresRepository, { strict: false }),
        app.app.get(PersonalDataSourcesService, { strict: false }),
        app.app.get(SecretBox),
        app.app.get(JobsService),
        Logger.create('silent'),
        transactions as Transactions,
      );
    for (let left = 'more'; left === 'more';) {
      await expect(runnerWith(dying).step(id)).rejects.toBe(died);
      left = await runnerWith(real).step(id);
    }
  }
});
