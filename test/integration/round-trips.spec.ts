import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, createTool, openConversation } from '../support/builders.js';
import { createCampaign, phoneNumber } from '../support/campaign-builders.js';
import { FakeModelServer } from '../support/fake-model-server.js';
import { DatabaseProxy } from '../support/database-proxy.js';

const MANY = 12;
const LETTERS = 'abcdefghijkl';

/** A request that is counted; everything it needs exists before. */
type Ask = () => Promise<unknown>;

/** What a request costs: how often it waits for the database. A new row of the tables below is all that it takes. */
describe('round trips to the database', () => {
  let proxy: DatabaseProxy;
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32' }, async (url) => {
      proxy = await DatabaseProxy.start(url);
      return proxy.url;
    });
  });
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 10 });
    await app.query(
      "UPDATE users SET plan_id = (SELECT id FROM plans WHERE code = 'unlimited') WHERE id = $1",
      [owner.userId],
    );
  });
  afterAll(async () => {
    await app.stop();
    await proxy.stop();
  });

  /** Hints to watchers and outcomes of audited requests follow later, and a timer settles counts: no request waits for them. */
  const waitedFor = () =>
    proxy.statements.filter(
      (statement) => !/pg_notify|UPDATE audit_log_entries|^SELECT 1 FROM \w+_count_changes/.test(statement),
    );

  /** The fewest of three: tokens are looked up again from time to time, and jobs are queued after an answer. */
  async function statementsOf(ask: Ask): Promise<string[]> {
    // Asked once before, so that caches are warm.
    await ask();
    const runs: string[][] = [];
    for (let run = 0; run < 3; run++) {
      await sleep(20);
      proxy.statements = [];
      await ask();
      runs.push(waitedFor().map((statement) => statement.replace(/\s+/g, ' ').slice(0, 100)));
    }
    const [fewest = []] = runs.toSorted((a, b) => a.length - b.length);
    return fewest;
  }

  const send = (uuid: string) => () =>
    app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
  const get = (path: string) => () => app.as(owner).get(path).expect(200);

  const TURN = [
    // Also says whether the assistant is still the one that was compiled.
    expect.stringContaining('begin_turn'),
    expect.stringContaining('finish_turn'),
    // Durable, and confirms the two before, whose commits do not wait for the disk.
    expect.stringContaining('pg_logical_emit_message'),
  ];

  it('of a billed turn of a widget conversation are three', async () => {
    const uuid = await openConversation(app, await createAssistant(app, owner));
    expect(await statementsOf(send(uuid))).toEqual(TURN);
  });

  it('of a turn whose conversation this process has not seen before are four', async () => {
    const assistant = await createAssistant(app, owner);
    await send(await openConversation(app, assistant))();
    const uuid = await openConversation(app, assistant);
    proxy.statements = [];
    await send(uuid)();
    expect(waitedFor()).toEqual([expect.stringContaining('FROM conversations WHERE id'), ...TURN]);
  });

  it('of a streamed turn are no more', async () => {
    const uuid = await openConversation(app, await createAssistant(app, owner));
    const stream: Ask = async () => {
      const { text } = await app.http
        .post(`/api/conversations/${uuid}/messages`)
        .set('Accept', 'text/event-stream')
        .send({ message: 'Olá' })
        .expect(200);
      expect(text).toContain('event: done');
    };
    expect(await statementsOf(stream)).toEqual(TURN);
  });

  it('of a turn that is answered with a key of the account are no more', async () => {
    const server = await FakeModelServer.start('own-key-0123');
    const key = { base_url: server.baseUrl, api_key: server.apiKey };
    await app.as(owner).put('/api/user/model-keys/chat').send(key).expect(200);
    const uuid = await openConversation(app, await createAssistant(app, owner));
    expect(await statementsOf(send(uuid))).toEqual(TURN);
    expect(server.keysAsked.length).toBeGreaterThan(0);
    await server.stop();
  });

  it('of a turn of a test conversation are three, and one for the allowance of the day', async () => {
    const { uuid: assistant_id } = await createAssistant(app, owner);
    const { body } = await app
      .as(owner)
      .post('/api/conversations')
      .send({ assistant_id, type: 'test' })
      .expect(200);
    const taken = expect.stringContaining('INSERT INTO daily_usage');
    expect(await statementsOf(send(body.conversation_id))).toEqual([taken, ...TURN]);
  });

  it('of a message while the AI is off are one', async () => {
    const uuid = await openConversation(app, await createAssistant(app, owner));
    await app.as(owner).post(`/api/automate/conversations/${uuid}/disable-ai`).expect(200);
    expect(await statementsOf(send(uuid))).toEqual(TURN.slice(0, 1));
  });

  it('of a turn send the text of each statement once for each connection', async () => {
    const uuid = await openConversation(app, await createAssistant(app, owner));
    await send(uuid)();
    const prepared = await app.query<{ name: string }>(
      "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%begin_turn%' OR statement LIKE '%finish_turn%'",
    );
    expect(prepared.length).toBeGreaterThan(0);
  });

  const single: readonly [name: string, most: number, prepare: () => Promise<Ask>][] = [
    [
      'opening a widget conversation',
      9,
      async () => {
        const assistant = await createAssistant(app, owner);
        return () => openConversation(app, assistant);
      },
    ],
    [
      'reading a conversation',
      2,
      async () => get(`/api/conversations/${await openConversation(app, await createAssistant(app, owner))}`),
    ],
    [
      'reading an assistant',
      3,
      async () => get(`/api/user/assistant/${(await createAssistant(app, owner)).id}`),
    ],
    ['the account', 3, async () => get('/api/user/me')],
  ];
  it.each(single)('of %s are at most %d', async (_name, most, prepare) => {
    const statements = await statementsOf(await prepare());
    expect(statements.length <= most ? [] : statements).toEqual([]);
  });

  const lists: readonly [path: string, add: (index: number) => Promise<unknown>][] = [
    ['/api/user/conversations', async () => openConversation(app, await createAssistant(app, owner))],
    [
      '/api/user/assistants',
      async (index) =>
        createAssistant(app, owner, {
          tool_ids: [await createTool(app, owner, { name: `tool_${LETTERS[index]}` })],
        }),
    ],
    ['/api/user/tools', (index) => createTool(app, owner, { name: `tool_${LETTERS[index]}` })],
    ['/api/user/campaigns', () => createCampaign(app, owner)],
    [
      '/api/user/leads',
      async (index) =>
        app
          .as(owner)
          .post('/api/user/lead')
          .send({ campaign_id: await createCampaign(app, owner), phone_number: phoneNumber(index) })
          .expect(200),
    ],
    [
      '/api/user/calls',
      async (index) => {
        const { id } = await createAssistant(app, owner, { type: 'outbound' });
        await app
          .as(owner)
          .post('/api/user/make_call')
          .send({ assistant_id: id, phone_number: phoneNumber(index) })
          .expect(200);
      },
    ],
  ];
  it.each(lists)('of %s are as many for one row as for many', async (path, add) => {
    await add(0);
    const one = await statementsOf(get(path));
    for (let index = 1; index < MANY; index++) await add(index);
    const many = await statementsOf(get(path));
    expect(many).toEqual(one);
    expect(many.length).toBeLessThanOrEqual(4);
  });
});
