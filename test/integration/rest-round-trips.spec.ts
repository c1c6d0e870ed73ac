import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { createCampaign, phoneNumber } from '../support/campaign-builders.js';

/** Other work of the process may come in between; it does not do so each time. */
const TRIES = 3;

/** What a small request asks of the database, each statement being a round trip. */
describe('the statements of a request', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: number;
  let campaign: number;
  let tool: number;
  let lead: number;
  let serial = 100;
  const query = jest.spyOn(Client.prototype, 'query');

  const newTool = () => ({
    name: 'track_order',
    description: `Consulta um pedido ${++serial}`,
    endpoint: 'https://example.com/orders',
    method: 'GET',
  });
  const newAssistant = () => ({
    name: `Loja ${++serial}`,
    type: 'inbound',
    mode: 'pipeline',
    language_id: 1,
    voice_id: 1,
    llm_model_id: 1,
    timezone: 'America/Sao_Paulo',
    initial_message: 'Olá!',
    system_prompt: 'Você atende os clientes de uma loja.',
  });
  const newLead = () => ({ campaign_id: campaign, phone_number: phoneNumber(++serial) });

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 1 });
    await app.query(
      "UPDATE users SET plan_id = (SELECT id FROM plans WHERE code = 'unlimited') WHERE id = $1",
      [owner.userId],
    );
    ({ id: assistant } = await createAssistant(app, owner));
    campaign = await createCampaign(app, owner);
    tool = (await app.as(owner).post('/api/user/tools').send(newTool()).expect(201)).body.data.id;
    lead = (await app.as(owner).post('/api/user/lead').send(newLead()).expect(200)).body.data.id;
  });
  afterAll(async () => {
    query.mockRestore();
    await app.stop();
  });

  const sent = () =>
    query.mock.calls.map(([statement]) => statement as unknown as string | { text?: string });

  /** Entries in the audit log, which each change costs in addition to its own statements; outcomes are written in batches. */
  const audited: number[] = [];
  /** Those of them that wait for the disk, which the change itself does. */
  let waitedFor = 0;

  /** The fewest of some tries, the key being known by then. */
  const statementsOf = async (request: () => Promise<unknown>) => {
    const counts: string[][] = [];
    for (let turn = 0; turn < TRIES; turn++) {
      await app.as(owner).get('/api/user/me').expect(200);
      query.mockClear();
      await request();
      const statements = sent().map((one) => (typeof one === 'string' ? one : (one.text ?? '')));
      counts.push(statements.filter((statement) => !statement.includes('audit_log_entries')));
      const entries = statements.filter((statement) => statement.includes('INSERT INTO audit_log_entries'));
      audited.push(entries.length);
      waitedFor += entries.filter((entry) => !entry.includes("'synchronous_commit', 'off'")).length;
    }
    return counts.toSorted((one, other) => one.length - other.length)[0] ?? [];
  };

  const rows: [string, number, () => Promise<unknown>][] = [
    ['GET /user/me', 1, () => app.as(owner).get('/api/user/me').expect(200)],
    [
      'creating an assistant',
      1,
      () => app.as(owner).post('/api/user/assistant').send(newAssistant()).expect(201),
    ],
    [
      'changing an assistant',
      2,
      () =>
        app
          .as(owner)
          .put(`/api/user/assistant/${assistant}`)
          .send({ name: `Loja ${++serial}` })
          .expect(200),
    ],
    ['reading an assistant', 1, () => app.as(owner).get(`/api/user/assistant/${assistant}`).expect(200)],
    ['creating a tool', 5, () => app.as(owner).post('/api/user/tools').send(newTool()).expect(201)],
    [
      'creating a tool with headers, which are sealed to its id',
      6,
      () =>
        app
          .as(owner)
          .post('/api/user/tools')
          .send({ ...newTool(), headers: [{ name: 'X-Key', value: 'secret' }] })
          .expect(201),
    ],
    [
      'changing a tool',
      1,
      () =>
        app
          .as(owner)
          .put(`/api/user/tools/${tool}`)
          .send({ description: `D ${++serial}` })
          .expect(200),
    ],
    [
      'reading a tool',
      1,
      () =>
        app
          .as(owner)
          .get(`/api/user/tools/${tool}`)
          .set({ 'Content-Type': 'application/json', Accept: 'application/json' })
          .expect(200),
    ],
    // Its context, and a transaction that asks for its own id, because its outcome must be known.
    ['creating a lead', 5, () => app.as(owner).post('/api/user/lead').send(newLead()).expect(200)],
    [
      'changing the variables of a lead',
      1,
      () =>
        app
          .as(owner)
          .put(`/api/user/leads/${lead}`)
          .send({ variables: { a: ++serial } })
          .expect(200),
    ],
    ['reading a lead', 1, () => app.as(owner).get(`/api/user/leads/${lead}`).expect(200)],
  ];

  it.each(rows)('are few for %s: %i', async (_what, most, request) => {
    const statements = await statementsOf(request);
    expect(statements.length).toBeGreaterThan(0);
    // Shown when there are too many.
    expect(statements.slice(most)).toEqual([]);
    expect(Math.max(...audited)).toBeLessThanOrEqual(1);
    expect(waitedFor).toBe(0);
  });
});
