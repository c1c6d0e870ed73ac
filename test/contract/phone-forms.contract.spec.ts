import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createCampaign, createOutboundAssistant } from '../support/campaign-builders.js';

const NOW = '+5521987654321';
const BEFORE_2016 = '+552187654321';
const WRITTEN = [
  '(21) 98765-4321',
  '21 8765-4321',
  '+55 21 8765–4321',
  "'+5521987654321",
  'tel:+552187654321',
];

let app: TestApp;
let owner: TestAccount;

beforeAll(async () => {
  app = await TestApp.start();
});

beforeEach(async () => {
  owner = await app.account({ balanceUsd: 100 });
});

afterAll(() => app.stop());

const list = (phone_number: string) =>
  app.as(owner).post('/api/user/do-not-call').send({ phone_number, reason: 'pediu' });
const listed = async (query = '') =>
  (await app.as(owner).get(`/api/user/do-not-call${query}`).expect(200)).body.data;
/** As an earlier release wrote it. */
const listBefore = () =>
  app.query('INSERT INTO do_not_call_entries (user_id, phone_number) VALUES ($1, $2)', [
    owner.userId,
    BEFORE_2016,
  ]);

describe('A Brazilian mobile number, with the ninth digit and without', () => {
  it.each(WRITTEN)('is listed once as %s, and not called', async (phone_number) => {
    await list(NOW).expect(201);
    await list(phone_number).expect(201);
    expect(await listed()).toMatchObject([{ phone_number: NOW }]);
    const assistant = await createOutboundAssistant(app, owner, {});
    const call = { assistant_id: assistant, phone_number };
    expect((await app.as(owner).post('/api/user/make_call').send(call)).status).toBeGreaterThanOrEqual(400);
  });

  it('is not called where an earlier release listed it', async () => {
    await listBefore();
    const assistant = await createOutboundAssistant(app, owner, {});
    for (const phone_number of [NOW, BEFORE_2016]) {
      const { status } = await app
        .as(owner)
        .post('/api/user/make_call')
        .send({ assistant_id: assistant, phone_number });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(await listed(`?phone_number=${encodeURIComponent(phone_number)}`)).toHaveLength(1);
    }
  });

  it('is one entry after it is listed again', async () => {
    await listBefore();
    await list(NOW).expect(201);
    expect(await listed()).toMatchObject([{ phone_number: NOW, reason: 'pediu' }]);
  });

  it('is one lead of a campaign', async () => {
    const campaign = await createCampaign(app, owner);
    const add = (phone_number: string) =>
      app.as(owner).post('/api/user/lead').send({ campaign_id: campaign, phone_number });
    const { body } = await add('21 8765-4321').expect(200);
    expect(body.data.phone_number).toBe(NOW);
    for (const phone_number of WRITTEN) await add(phone_number).expect(422);
    // As an earlier release wrote it.
    await app.query('UPDATE leads SET phone_number = $2 WHERE user_id = $1', [owner.userId, BEFORE_2016]);
    for (const phone_number of WRITTEN) await add(phone_number).expect(422);
    const imported = await app
      .as(owner)
      .post(`/api/user/campaigns/${campaign}/leads/import`)
      .set('Content-Type', 'text/csv')
      .send(`phone_number\n${NOW}\n21 8765-4321\n`)
      .expect(200);
    expect(imported.body.data).toMatchObject({ imported: 0, refused: 2 });
  });

  it.each([
    [BEFORE_2016, BEFORE_2016],
    ['21 8765-4321', NOW],
  ])('is called by its owner, written as %s, as %s', async (phone_number, dialled) => {
    const assistant = await createOutboundAssistant(app, owner, {});
    const call = { assistant_id: assistant, phone_number };
    await app.as(owner).post('/api/user/make_call').send(call).expect(200);
    const { body } = await app.as(owner).get('/api/user/calls').query({ phone_number: NOW }).expect(200);
    expect(body.data).toMatchObject([{ client_phone_number: dialled }]);
  });

  it('is one caller in the list of calls', async () => {
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number)
       SELECT $1, 'Bia', 'inbound', 'completed', unnest($2::text[])`,
      [owner.userId, [NOW, BEFORE_2016, '+5521987654322']],
    );
    for (const phone of [NOW, '21 8765-4321']) {
      const { body } = await app.as(owner).get('/api/user/calls').query({ phone_number: phone }).expect(200);
      expect(body.data).toHaveLength(2);
    }
  });
});
