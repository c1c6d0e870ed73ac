import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CarrierAccountsRepository } from '../../src/modules/carrier-accounts/carrier-accounts.repository.js';
import { NumberReturnsService } from '../../src/modules/phone-numbers/carrier-numbers/number-returns.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { askFakes } from '../support/twilio/ask-fakes.js';
import { FakeTwilio } from '../support/twilio/fake-twilio.js';

const PATH = '/api/user/carrier-accounts/twilio';
const NUMBERS = '/api/user/phone-numbers';
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f-]{36}$/;
const OWN_SID = `AC${'a'.repeat(32)}`;
const PUBLIC_URL = 'https://prosa.example';
const TOKEN = 'own-token-31f0';
const [FIRST, SECOND, THIRD, FOURTH] = ['+12125550160', '+12125550161', '+12125550162', '+12125550163'];

describe("an account's own account at Twilio", () => {
  let ours: FakeTwilio;
  let own: FakeTwilio;
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    const stock = [FIRST, SECOND, THIRD, FOURTH].map((phone_number) => ({
      phone_number: phone_number ?? '',
      iso_country: 'US',
      type: 'Local' as const,
      address_requirements: 'none' as const,
    }));
    ours = await FakeTwilio.start(stock.slice(3));
    own = await FakeTwilio.start(stock.slice(0, 3), OWN_SID);
    own.authToken = TOKEN;
    app = await TestApp.start({
      TWILIO_ACCOUNT_SID: ours.accountSid,
      TWILIO_AUTH_TOKEN: ours.authToken,
      PUBLIC_URL,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    askFakes(app, [ours, own]);
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([ours.stop(), own.stop()]);
    jest.restoreAllMocks();
  });
  beforeEach(async () => {
    account = await app.account({ balanceUsd: 10 });
    own.authToken = TOKEN;
    own.status = 'active';
  });

  const put = (body: object, who = account) => app.as(who).put(PATH).send(body);
  const store = (body: object = {}) => put({ account_sid: OWN_SID, auth_token: TOKEN, ...body }).expect(200);
  const read = async () => (await app.as(account).get(PATH).expect(200)).body.data;
  const test = async () => (await app.as(account).post(`${PATH}/test`).expect(200)).body;
  const buy = (phoneNumber: string | undefined, who = account) =>
    app.as(who).post(`${NUMBERS}/purchase`).send({ phone_number: phoneNumber });
  const found = async (who = account) =>
    (await app.as(who).get(`${NUMBERS}/search`).query({ country_code: 'US' }).expect(200)).body.data.map(
      ({ phone_number: number }: { phone_number: string }) => number,
    );
  const rented = ({ numbers }: FakeTwilio) => numbers.own.map(({ phone_number }) => phone_number);

  it.each(['get', 'put', 'delete'] as const)('%s answers 401 {message} without a token', async (method) => {
    const { body } = await app.http[method](PATH).expect(401);
    expect(body).toEqual({ message: 'Não autorizado' });
  });

  it('is stored once by two requests at the same moment', async () => {
    const repository = app.app.get(CarrierAccountsRepository, { strict: false });
    const insert = repository.insert.bind(repository);
    const slow = jest.spyOn(repository, 'insert').mockImplementation(async (...row) => {
      await setTimeout(200);
      await insert(...row);
    });
    const answers = await Promise.all([store(), store()]);
    slow.mockRestore();
    expect(answers[0].body.data.id).toBe(answers[1].body.data.id);
    expect(await app.query('SELECT FROM carrier_accounts WHERE user_id = $1', [account.userId])).toHaveLength(
      1,
    );
  });

  it('is stored, read with its token masked, and removed', async () => {
    await app.as(account).get(PATH).expect(200, { data: null });
    const { body, text } = await store({ label: 'Vendas' });
    const data = {
      id: expect.stringMatching(UUID),
      account_sid: OWN_SID,
      auth_token: '••••',
      label: 'Vendas',
      previous_expires_at: null,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    };
    expect(body).toEqual({ message: 'Conta do Twilio salva com sucesso', data });
    expect(await read()).toEqual(body.data);
    expect(text + JSON.stringify(await read())).not.toContain(TOKEN);

    await app.as(account).delete(PATH).expect(200, { message: 'Conta do Twilio removida com sucesso' });
    await app.as(account).get(PATH).expect(200, { data: null });
    await app.as(account).delete(PATH).expect(404, { message: 'Nenhuma conta do Twilio foi cadastrada' });
    await app.as(account).post(`${PATH}/test`).expect(404);
    expect(await app.query('SELECT id FROM carrier_accounts WHERE user_id = $1', [account.userId])).toEqual(
      [],
    );
  });

  it.each([
    ['account_sid', {}],
    ['account_sid', { account_sid: 'SK0123456789abcdef0123456789abcdef', auth_token: TOKEN }],
    ['account_sid', { account_sid: `${OWN_SID}/../AC1`, auth_token: TOKEN }],
    ['auth_token', { account_sid: OWN_SID }],
    ['auth_token', { account_sid: OWN_SID, auth_token: '' }],
    ['auth_token', { account_sid: OWN_SID, auth_token: '••••' }],
    ['auth_token', { account_sid: OWN_SID, auth_token: 'two\r\nlines' }],
    ['auth_token', { account_sid: OWN_SID, auth_token: 'x'.repeat(257) }],
    ['label', { account_sid: OWN_SID, auth_token: TOKEN, label: 'x'.repeat(101) }],
  ])('is refused for its %s: %j', async (field, body) => {
    expect(Object.keys((await put(body).expect(422)).body.errors)).toEqual([field]);
    await app.as(account).get(PATH).expect(200, { data: null });
  });

  it('keeps its token when it is sent back as it was read, and its name when that is left out', async () => {
    await store({ label: 'Vendas' });
    const before = await read();
    await put(before).expect(200);
    await put({ account_sid: OWN_SID }).expect(200);
    expect(await read()).toEqual({ ...before, updated_at: expect.stringMatching(ISO) });
    expect((await test()).data.result).toBe('ok');
    await put({ account_sid: OWN_SID, label: null }).expect(200);
    expect((await read()).label).toBeNull();
  });

  it('tells until when callbacks may be signed with the token before; the same one again is no other', async () => {
    await store();
    await store();
    expect((await read()).previous_expires_at).toBeNull();
    await store({ auth_token: 'another-token' });
    const { previous_expires_at: until } = await read();
    const hourMs = Date.parse(until) - Date.now();
    expect(hourMs).toBeGreaterThan(3_590_000);
    expect(hourMs).toBeLessThanOrEqual(3_600_000);
    await store({ auth_token: 'another-token' });
    expect((await read()).previous_expires_at).toBe(until);
  });

  it('is tested at Twilio', async () => {
    await store();
    expect(await test()).toEqual({ message: 'Conta do Twilio verificada', data: { result: 'ok' } });
    own.status = 'suspended';
    expect((await test()).data).toEqual({ result: 'inactive' });
    own.authToken = 'changed-there';
    expect((await test()).data).toEqual({ result: 'refused' });
    own.troubles.push({ method: 'GET', trouble: { kind: 'answer', status: 503 } });
    expect((await test()).data).toEqual({ result: 'unreachable' });
  });

  it('is read, stored, tested and removed only by owners and by keys with the scope', async () => {
    await store();
    const key = async (scopes: readonly string[]) =>
      (await app.as(account).post('/api/user/api-keys').send({ name: 'k', scopes }).expect(201)).body.api_key;
    for (const scopes of [['read'], ['read', 'chat', 'calls', 'campaigns']]) {
      const as = app.as(await key(scopes));
      await as.get(PATH).expect(403);
      await as.put(PATH).send({ account_sid: OWN_SID, auth_token: TOKEN }).expect(403);
      await as.post(`${PATH}/test`).expect(403);
      await as.delete(PATH).expect(403);
    }
    await app
      .as(await key(['admin']))
      .get(PATH)
      .expect(200);
  });

  it('is of one account alone', async () => {
    await store();
    const other = await app.account();
    await app.as(other).get(PATH).expect(200, { data: null });
    await app.as(other).post(`${PATH}/test`).expect(404);
    await app.as(other).delete(PATH).expect(404);
    await put({ account_sid: OWN_SID, auth_token: 'guessed' }, other).expect(200);
    expect((await test()).data.result).toBe('ok');
  });

  it('is written into the audit log without its token', async () => {
    await store();
    await app.as(account).post(`${PATH}/test`).expect(200);
    await app.as(account).delete(PATH).expect(200);
    const { text, body } = await app.as(account).get('/api/user/audit-log').expect(200);
    const actions = body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['putTwilioAccount', 'testTwilioAccount', 'deleteTwilioAccount']),
    );
    expect(text).not.toContain(TOKEN);
  });

  describe('rents the numbers of its account', () => {
    it('which are found, bought, answered at an address of their own, and given back with it, and cost nothing here', async () => {
      await store();
      expect(await found()).toEqual([FIRST, SECOND, THIRD]);
      const { body } = await buy(FIRST).expect(201);

      expect([rented(own), rented(ours), await app.balanceUsd(account)]).toEqual([[FIRST], [], 10]);
      const due = await app.query(
        'SELECT id FROM phone_numbers WHERE user_id = $1 AND rent_due_at IS NOT NULL',
        [account.userId],
      );
      expect(due).toEqual([]);
      const { id } = await read();
      const bought = own.requests.findLast(({ method }) => method === 'POST');
      expect(new URLSearchParams(bought?.body).get('VoiceUrl')).toBe(
        `${PUBLIC_URL}/twilio/accounts/${id}/voice`,
      );
      await app.as(account).delete(`${NUMBERS}/${body.data.id}`).expect(200);
      expect(rented(own)).toEqual([]);
    });

    it('while other accounts rent from the installation, and pay it', async () => {
      await store();
      const other = await app.account({ balanceUsd: 10 });
      expect(await found(other)).toEqual([FOURTH]);
      await buy(FIRST, other).expect(400);
      await buy(FOURTH, other).expect(201);
      expect([rented(ours), rented(own)]).toEqual([[FOURTH], []]);
      expect(await app.balanceUsd(other)).toBe(8.85);
    });

    it('and stays as long as there are any, whose token may change', async () => {
      await store();
      const { body } = await buy(SECOND).expect(201);
      const inUse = {
        message:
          'Há números alugados com esta conta do Twilio. Devolva-os antes de trocar ou remover a conta',
      };
      await app.as(account).delete(PATH).expect(409, inUse);
      await put({ account_sid: `AC${'b'.repeat(32)}`, auth_token: TOKEN }).expect(409, inUse);
      expect((await read()).account_sid).toBe(OWN_SID);

      own.authToken = 'rotated';
      await put({ account_sid: OWN_SID, auth_token: 'rotated' }).expect(200);
      await app.as(account).delete(`${NUMBERS}/${body.data.id}`).expect(200);
      expect(rented(own)).toEqual([]);
      await put({ account_sid: `AC${'b'.repeat(32)}`, auth_token: TOKEN }).expect(200);
      await app.as(account).delete(PATH).expect(200);
    });

    it('and leaves those it rented from the installation with the installation', async () => {
      const { body } = await app
        .query<{ id: number }>(
          `INSERT INTO phone_numbers (user_id, phone_number, country_code, type)
           VALUES ($1, '+12125550199', 'US', 'normal') RETURNING id`,
          [account.userId],
        )
        .then(([row]) => ({ body: row }));
      await store();
      const before = own.requests.length;
      await app.as(account).delete(`${NUMBERS}/${body?.id}`).expect(200);
      expect(own.requests.length).toBe(before);
    });

    it('and says so where Twilio refuses its credentials; nothing is bought', async () => {
      await store({ auth_token: 'wrong' });
      const refused = {
        error: 'O Twilio recusou as credenciais da sua conta. Verifique-as na página de números',
      };
      await app.as(account).get(`${NUMBERS}/search`).query({ country_code: 'US' }).expect(400, refused);
      await buy(THIRD).expect(400, refused);
      expect(await app.query('SELECT id FROM carrier_orders WHERE user_id = $1', [account.userId])).toEqual(
        [],
      );
    });

    it('which stay there when Twilio does not let us in any more, so that nothing waits for ever', async () => {
      await store();
      const { body } = await buy(THIRD).expect(201);
      own.authToken = 'changed-there';
      await app.as(account).delete(`${NUMBERS}/${body.data.id}`).expect(200);
      expect(rented(own)).toEqual([THIRD]);
      expect(await app.query('SELECT id FROM carrier_orders WHERE user_id = $1', [account.userId])).toEqual(
        [],
      );
      await app.as(account).delete(PATH).expect(200);
    });

    it('also by another process, which gives back what one that died had begun', async () => {
      await store();
      const { id } = await read();
      await app.query(
        `INSERT INTO carrier_orders (id, user_id, phone_number, kind, attempted_at, carrier_account_id)
         VALUES (gen_random_uuid(), $1, $2, 'buy', now() - interval '1 hour', $3)`,
        [account.userId, FIRST, id],
      );
      await app.as(account).delete(PATH).expect(409);
      const before = own.requests.length;
      await app.app.get(NumberReturnsService).sweepStaleOrders();
      expect(own.requests.length).toBeGreaterThan(before);
      await app.as(account).delete(PATH).expect(200);
    });
  });
});

describe('where Twilio could not call back', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ PUBLIC_URL: 'http://prosa.example' });
  });
  afterAll(() => app.stop());

  it('no account at Twilio is stored', async () => {
    const account = await app.account();
    const { body } = await app
      .as(account)
      .put(PATH)
      .send({ account_sid: OWN_SID, auth_token: TOKEN })
      .expect(409);
    expect(body.message).toMatch(/endereço público com https/);
  });
});
