import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { createCampaign, phoneNumber } from '../support/campaign-builders.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { until } from '../support/until.js';

const BALANCE_MICROS = 10_000_000;
const PRICE_MICROS = 10_000;

/** The connection ends when the work is done and the caller does not know it yet. */
describe('a connection lost at or after the commit', () => {
  let proxy: DatabaseProxy;
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({}, async (url) => {
      proxy = await DatabaseProxy.start(url);
      return proxy.url;
    });
  });
  beforeEach(async () => {
    await until(() =>
      app.query('SELECT').then(
        () => true,
        () => false,
      ),
    );
    owner = await app.account({ balanceUsd: BALANCE_MICROS / 1_000_000 });
    proxy.lost = 0;
  });
  afterAll(async () => {
    await app.stop();
    await proxy.stop();
  });

  const wallet = async () =>
    (
      await app.query(
        'SELECT balance_micros::int AS balance, held_micros::int AS held FROM wallets WHERE user_id = $1',
        [owner.userId],
      )
    )[0];

  const authorsOf = async (uuid: string) =>
    (
      await app.query<{ author: string }>(
        'SELECT author FROM messages WHERE conversation_id = $1 ORDER BY id',
        [uuid],
      )
    ).map(({ author }) => author);

  it.each([
    ['the confirmation of the answer', () => proxy.loseAnswerTo('pg_logical_emit_message', 1_000)],
    ['the commit of the answer', () => proxy.loseAnswerTo('finish_turn', 1_000)],
  ])('answers a chat message that is stored and charged, when %s is lost', async (_what, lose) => {
    const uuid = await openConversation(app, await createAssistant(app, owner));
    const before = await authorsOf(uuid);
    lose();
    const { body } = await app.http
      .post(`/api/conversations/${uuid}/messages`)
      .send({ message: 'Olá' })
      .expect(200);
    expect(proxy.lost).toBe(1);
    expect(body.status).toBe(true);
    expect(await authorsOf(uuid)).toEqual([...before, 'customer', 'ai']);
    expect(await wallet()).toEqual({ balance: BALANCE_MICROS - PRICE_MICROS, held: 0 });
    // Nothing is left that the next message would wait for.
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'E agora?' }).expect(200);
    expect(await wallet()).toEqual({ balance: BALANCE_MICROS - 2 * PRICE_MICROS, held: 0 });
  });

  it('answers 503 to a chat message whose answer never reached the database, and charges nothing', async () => {
    const uuid = await openConversation(app, await createAssistant(app, owner));
    proxy.loseRequest('finish_turn');
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(503);
    expect(proxy.lost).toBe(1);
    expect((await authorsOf(uuid)).at(-1)).toBe('customer');
    expect(await wallet()).toEqual({ balance: BALANCE_MICROS, held: 0 });
    // The lease was given back: the next message does not wait for its end.
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'E agora?' }).expect(200);
    expect(await wallet()).toEqual({ balance: BALANCE_MICROS - PRICE_MICROS, held: 0 });
  });

  it('tells the id of a call that was written', async () => {
    const { id } = await createAssistant(app, owner, { type: 'outbound' });
    proxy.loseCommitOf('INTO active_calls', 500);
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: phoneNumber(1), assistant_id: id })
      .expect(200);
    expect(proxy.lost).toBe(1);
    expect(await app.query('SELECT id FROM calls WHERE user_id = $1', [owner.userId])).toEqual([
      { id: body.call_id },
    ]);
  });

  it('answers an import with all its rows', async () => {
    const campaign = await createCampaign(app, owner);
    proxy.loseCommitOf('UPDATE lead_imports SET status', 500);
    const { body } = await app
      .as(owner)
      .post(`/api/user/campaigns/${campaign}/leads/import`)
      .attach('file', Buffer.from(`phone_number\n${phoneNumber(2)}\n${phoneNumber(3)}\n`), 'leads.csv')
      .expect(200);
    expect(proxy.lost).toBe(1);
    expect(body.data).toMatchObject({ status: 'completed', imported: 2, refused: 0 });
    expect(await app.query('SELECT FROM leads WHERE campaign_id = $1', [campaign])).toHaveLength(2);
  });

  it('answers a lead that was created', async () => {
    const campaign = await createCampaign(app, owner);
    proxy.loseCommitOf('INTO lead_dials', 500);
    await app
      .as(owner)
      .post('/api/user/lead')
      .send({ campaign_id: campaign, phone_number: phoneNumber(4) })
      .expect(200);
    expect(proxy.lost).toBe(1);
    expect(await app.query('SELECT FROM leads WHERE campaign_id = $1', [campaign])).toHaveLength(1);
  });

  it('answers a number that was bought, and keeps it', async () => {
    const { body: offers } = await app
      .as(owner)
      .get('/api/user/phone-numbers/search?country_code=BR')
      .expect(200);
    const [{ phone_number: bought }] = Array.isArray(offers) ? offers : offers.data;
    proxy.loseCommitOf('capture_hold', 500);
    await app.as(owner).post('/api/user/phone-numbers/purchase').send({ phone_number: bought }).expect(201);
    expect(proxy.lost).toBe(1);
    expect(
      await app.query('SELECT phone_number FROM phone_numbers WHERE user_id = $1', [owner.userId]),
    ).toEqual([{ phone_number: bought }]);
    expect(await app.query('SELECT FROM carrier_orders WHERE user_id = $1', [owner.userId])).toEqual([]);
  });

  it('answers a replay that begins', async () => {
    const [delivery] = await app.query<{ id: number }>(
      `WITH endpoint AS (
         INSERT INTO webhook_endpoints (user_id, url, url_hash, host)
         VALUES ($1, 'https://hooks.example.com/', 'hash', 'hooks.example.com') RETURNING id)
       INSERT INTO webhook_deliveries (user_id, endpoint_id, event_id, kind, subject_id, body, status, finished_at)
       SELECT $1, id, 'msg_1', 'post-call', '1', '{}', 'delivered', now() FROM endpoint RETURNING id`,
      [owner.userId],
    );
    proxy.loseCommitOf('UPDATE webhook_deliveries', 500);
    const { body } = await app
      .as(owner)
      .post(`/api/user/webhook-deliveries/${delivery?.id}/replay`)
      .expect(200);
    expect(proxy.lost).toBe(1);
    expect(JSON.stringify(body)).toContain('pending');
  });
});
