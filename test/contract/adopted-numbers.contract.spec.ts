import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { NumberReturnsService } from '../../src/modules/phone-numbers/carrier-numbers/number-returns.service.js';
import { NumberCarriers } from '../../src/providers/telephony/number-carriers.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { askFakes } from '../support/twilio/ask-fakes.js';
import { FakeTwilio } from '../support/twilio/fake-twilio.js';

const ACCOUNT = '/api/user/carrier-accounts/twilio';
const NUMBERS = '/api/user/phone-numbers';
const PUBLIC_URL = 'https://prosa.example';
const OWN_SID = `AC${'a'.repeat(32)}`;
const TOKEN = 'own-token-77c1';
const CONSOLE_URL = 'https://demo.twilio.com/welcome/voice/';
const IN_USE = { error: 'Este número de telefone já está em uso.' };
const NOT_THERE = {
  error: 'Sua conta do Twilio não tem este número de telefone, ou ele não recebe ligações',
};

describe("numbers rented in the console of an account's own Twilio", () => {
  let ours: FakeTwilio;
  let own: FakeTwilio;
  let app: TestApp;
  let account: TestAccount;
  let used = 0;

  beforeAll(async () => {
    ours = await FakeTwilio.start();
    own = await FakeTwilio.start([], OWN_SID);
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
    jest.restoreAllMocks();
    await app.stop();
    await Promise.all([ours.stop(), own.stop()]);
  });
  beforeEach(async () => {
    own.numbers.own.length = 0;
    own.authToken = TOKEN;
    account = await withTwilio();
  });
  afterEach(() => {
    own.numbers.mostPerPage = 1_000;
    own.troubles.length = 0;
  });

  async function withTwilio(): Promise<TestAccount> {
    const made = await app.account({ balanceUsd: 10 });
    await app.as(made).put(ACCOUNT).send({ account_sid: OWN_SID, auth_token: TOKEN }).expect(200);
    return made;
  }
  const rentInConsole = (changes: Parameters<FakeTwilio['numbers']['rentInConsole']>[1] = {}) =>
    own.numbers.rentInConsole(`+12125552${String(used++).padStart(3, '0')}`, changes);
  const adopt = (reference: unknown, who = account) =>
    app.as(who).post(`${NUMBERS}/adopt`).send({ phone_number: reference });
  const adoptable = async (who = account, query = {}) =>
    (await app.as(who).get(`${NUMBERS}/adoptable`).query(query).expect(200)).body.data;
  const listed = async (who = account) => (await app.as(who).get(`${NUMBERS}/all`).expect(200)).body.data;
  const voiceUrl = async (who = account) => {
    const { body } = await app.as(who).get(ACCOUNT).expect(200);
    return `${PUBLIC_URL}/twilio/accounts/${body.data.id}/voice`;
  };
  const orders = () => app.query('SELECT kind FROM carrier_orders');
  const writes = () => own.requests.filter(({ method }) => method !== 'GET').length;

  it.each([
    ['get', '/adoptable'],
    ['post', '/adopt'],
  ] as const)('%s %s answers 401 {message} without a token', async (method, path) => {
    const { body } = await app.http[method](NUMBERS + path).expect(401);
    expect(body).toEqual({ message: 'Não autorizado' });
  });

  it('are listed with what they are called there, page after page', async () => {
    own.numbers.mostPerPage = 3;
    const rented = Array.from({ length: 5 }, () => rentInConsole());
    rentInConsole({ voice: false });
    const bound = rentInConsole({ trunk_sid: `TK${'1'.repeat(32)}` });
    const found = await adoptable();
    expect(found.map(({ sid, is_bound }: { sid: string; is_bound: boolean }) => [sid, is_bound])).toEqual([
      ...rented.map(({ sid }) => [sid, false]),
      [bound.sid, true],
    ]);
    expect(found[0]).toEqual({
      sid: rented[0]!.sid,
      phone_number: rented[0]!.phone_number,
      phone_number_formatted: expect.stringMatching(/^\+1 212 555 2\d{3}$/),
      friendly_name: rented[0]!.friendly_name,
      country_code: 'US',
      sms_capable: true,
      is_bound: false,
    });
    const digits = rented[3]!.phone_number.slice(-4);
    expect(await adoptable(account, { contains: digits })).toEqual([
      expect.objectContaining({ sid: rented[3]!.sid }),
    ]);
    await app.as(account).get(`${NUMBERS}/adoptable`).query({ contains: '12a' }).expect(422);
  });

  it.each(['phone_number', 'sid'] as const)('are taken over by their %s, at no charge', async (by) => {
    const number = rentInConsole();
    const { body } = await adopt(number[by]).expect(200);
    const data = {
      id: expect.any(Number),
      phone_number: number.phone_number,
      country_code: 'US',
      type: 'normal',
      sms_capable: true,
    };
    expect(body).toEqual({ message: 'Número de telefone importado com sucesso', data });
    expect(await listed()).toEqual([
      expect.objectContaining({ id: body.data.id, has_active_subscription: true }),
    ]);
    expect(own.numbers.own[0]).toMatchObject({
      voice_url: await voiceUrl(),
      friendly_name: number.friendly_name,
    });
    expect(await app.balanceUsd(account)).toBe(10);
    expect([await adoptable(), await orders()]).toEqual([[], []]);
  });

  it('are taken over once; again repairs where its calls go', async () => {
    const number = rentInConsole();
    const { body } = await adopt(number.sid).expect(200);
    number.voice_url = CONSOLE_URL;
    expect((await adopt(number.phone_number).expect(200)).body).toEqual(body);
    expect(number.voice_url).toBe(await voiceUrl());
    expect(await listed()).toHaveLength(1);
  });

  it('stay with their owner when they are deleted here, and their calls come no more', async () => {
    const number = rentInConsole();
    const { body } = await adopt(number.sid).expect(200);
    await app.as(account).delete(`${NUMBERS}/${body.data.id}`).expect(200);
    expect(own.numbers.own).toEqual([expect.objectContaining({ sid: number.sid, voice_url: '' })]);
    expect([await listed(), await orders()]).toEqual([[], []]);

    await adopt(number.sid).expect(200);
    number.voice_url = 'https://elsewhere.example/voice';
    const [{ id }] = await listed();
    await app.as(account).delete(`${NUMBERS}/${id}`).expect(200);
    expect(number.voice_url).toBe('https://elsewhere.example/voice');
  });

  it('stay with their owner also where Prosa had bought them once', async () => {
    const number = rentInConsole({ friendly_name: 'prosa:an-order-in-doubt' });
    const { body } = await adopt(number.sid).expect(200);
    expect(number.friendly_name).toBe(number.phone_number);
    await app.as(account).delete(`${NUMBERS}/${body.data.id}`).expect(200);
    expect(own.numbers.own).toHaveLength(1);
  });

  it('cannot be taken by another account that has brought the same Twilio account', async () => {
    const number = rentInConsole();
    await adopt(number.sid).expect(200);
    const other = await withTwilio();
    const before = writes();
    await adopt(number.sid, other).expect(400, IN_USE);
    await adopt(number.phone_number, other).expect(400, IN_USE);
    expect([await adoptable(other), await listed(other), writes()]).toEqual([[], [], before]);
    expect(number.voice_url).toBe(await voiceUrl());
  });

  it('are taken over by one of two at a time', async () => {
    const number = rentInConsole();
    const other = await withTwilio();
    const answers = await Promise.all([adopt(number.sid), adopt(number.sid, other)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const winner = answers[0].status === 200 ? account : other;
    expect(number.voice_url).toBe(await voiceUrl(winner));
    expect(await listed(winner)).toHaveLength(1);
  });

  it('cannot be taken from the account of the installation, or without credentials', async () => {
    const number = ours.numbers.rentInConsole('+12125559000');
    const none = await app.account();
    const missing = { error: 'Nenhuma conta do Twilio foi cadastrada' };
    await adopt(number.sid, none).expect(400, missing);
    expect(await adoptable(none)).toEqual([]);
    await adopt(number.phone_number).expect(404, NOT_THERE);
    await adopt(number.sid).expect(404, NOT_THERE);
    expect(number.voice_url).toBe(CONSOLE_URL);
  });

  it.each(['', 'PN12', `PN${'0'.repeat(31)}/`, '+12125550000', 'hello', '../Calls'])(
    'are not found by %j',
    async (reference) => {
      rentInConsole();
      const before = writes();
      const { status } = await adopt(reference);
      expect([404, 422]).toContain(status);
      expect(writes()).toBe(before);
    },
  );

  it('are left alone where an application or a trunk has their calls, or they take none', async () => {
    const refused = {
      error: 'Este número está vinculado a um aplicativo ou tronco no Twilio. Remova o vínculo primeiro',
    };
    const before = writes();
    await adopt(rentInConsole({ trunk_sid: `TK${'1'.repeat(32)}` }).sid).expect(400, refused);
    await adopt(rentInConsole({ voice_application_sid: `AP${'1'.repeat(32)}` }).sid).expect(400, refused);
    await adopt(rentInConsole({ voice: false }).sid).expect(404, NOT_THERE);
    expect([writes(), await listed(), await orders()]).toEqual([before, [], []]);
  });

  it('are not here when Twilio does not say that it was done, and their calls do not come', async () => {
    const number = rentInConsole();
    own.troubles.push({ method: 'POST', trouble: { kind: 'lost-answer' } });
    await adopt(number.sid).expect(503);
    expect([await listed(), await orders(), number.voice_url]).toEqual([[], [], '']);
    await adopt(number.sid).expect(200);
  });

  it('are refused where Twilio refuses the credentials', async () => {
    const number = rentInConsole();
    own.authToken = 'changed-there';
    const denied = {
      error: 'O Twilio recusou as credenciais da sua conta. Verifique-as na página de números',
    };
    await adopt(number.sid).expect(400, denied);
    await app.as(account).get(`${NUMBERS}/adoptable`).expect(400, denied);
  });

  it('are let go of by another process where one died in the midst of it, and never given back', async () => {
    const bought = rentInConsole({ friendly_name: 'prosa:an-order-in-doubt', voice_url: await voiceUrl() });
    const { body } = await app.as(account).get(ACCOUNT);
    await app.query(
      `INSERT INTO carrier_orders (id, user_id, phone_number, kind, attempted_at, carrier_account_id)
       VALUES (gen_random_uuid(), $1, $2, 'adopt', now() - interval '1 hour', $3)`,
      [account.userId, bought.phone_number, body.data.id],
    );
    await adopt(bought.sid).expect(400, IN_USE);
    expect(await app.app.get(NumberReturnsService).sweepStaleOrders()).toBe(1);
    expect(own.numbers.own).toEqual([expect.objectContaining({ sid: bought.sid, voice_url: '' })]);
    expect(await orders()).toEqual([]);
  });

  it('are left alone by a process whose order another process has ended', async () => {
    const number = rentInConsole();
    const { body } = await app.as(account).get(ACCOUNT);
    const carrier = app.app.get(NumberCarriers).of(body.data.id);
    // The sweep of another process ends the order while this one is at the carrier.
    jest.spyOn(carrier, 'adoptNumber').mockImplementationOnce(async () => {
      await app.query('DELETE FROM carrier_orders');
    });
    const detach = jest.spyOn(carrier, 'detach');
    await adopt(number.sid).expect(503);
    expect(detach).not.toHaveBeenCalled();
    expect(await listed()).toEqual([]);
  });
});
