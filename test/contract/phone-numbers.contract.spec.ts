import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { NumberReturnsService } from '../../src/modules/phone-numbers/carrier-numbers/number-returns.service.js';
import { PhoneNumbersService } from '../../src/modules/phone-numbers/phone-numbers.service.js';
import {
  CarrierUnavailableError,
  type NumberCarrier,
  NumberNotOfferedError,
} from '../../src/providers/telephony/number-carrier.js';
import { NumberCarriers } from '../../src/providers/telephony/number-carriers.js';
import { type TestAccount, TestApp } from '../support/app.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const NUMBERS = '/api/user/phone-numbers';
/** What the sandbox asks for a US number. */
const PRICE = 3.99;
const NOT_FOUND = { error: 'Número de telefone não encontrado' };
const IN_USE = { error: 'Este número de telefone já está em uso.' };
const NOT_FOR_SALE = {
  error:
    'Este número de telefone não está disponível para aluguel. Pesquise primeiro os números disponíveis.',
};

describe('phone numbers', () => {
  let app: TestApp;
  let carrier: NumberCarrier;
  let database: Database;
  let returns: NumberReturnsService;
  let account: TestAccount;
  let other: TestAccount;
  let used = 0;

  beforeAll(async () => {
    app = await TestApp.start();
    carrier = app.app.get(NumberCarriers).of(null);
    database = app.app.get(Database);
    returns = app.app.get(NumberReturnsService);
    account = await app.account({ balanceUsd: 1_000 });
    other = await app.account({ balanceUsd: 1_000 });
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => app.stop());

  /** A US number of the sandbox that no other test uses. */
  const freshNumber = () => `+121255501${String(used++).padStart(2, '0')}`;
  const buy = (who: TestAccount, phoneNumber: unknown) =>
    app.as(who).post(`${NUMBERS}/purchase`).send({ phone_number: phoneNumber });
  const rent = async (who: TestAccount, phoneNumber = freshNumber()): Promise<number> =>
    (await buy(who, phoneNumber).expect(201)).body.data.id;
  const listOf = async (
    who: TestAccount,
    path = '/all',
  ): Promise<{ id: number; nickname: string | null }[]> =>
    (await app.as(who).get(`${NUMBERS}${path}`).expect(200)).body.data;
  const openOrders = () => database.query('SELECT * FROM carrier_orders');
  const addCallerId = async (who: TestAccount): Promise<number> => {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type)
       VALUES ($1, '+5511987654321', 'BR', 'caller_id') RETURNING id`,
      [who.userId],
    );
    return row!.id;
  };

  describe('authentication', () => {
    it.each([
      ['get', '/all'],
      ['get', ''],
      ['get', '/search'],
      ['post', '/purchase'],
      ['put', '/1'],
      ['delete', '/1'],
    ] as const)('%s %s answers 401 {message} without a token', async (method, path) => {
      const { body } = await app.http[method](`${NUMBERS}${path}`).expect(401);
      expect(body).toEqual({ message: 'Não autorizado' });
    });
  });

  describe('Search phone numbers', () => {
    const search = (query: Record<string, string | string[]>) =>
      app.as(account).get(`${NUMBERS}/search`).query(query);

    it('answers {data} with number, format, country, monthly price in dollars and capabilities', async () => {
      const { body } = await search({ country_code: 'US', contains: '4155550142' }).expect(200);
      expect(body).toEqual({
        data: [
          {
            phone_number: '+14155550142',
            phone_number_formatted: '+1 415 555 0142',
            country_code: 'US',
            price: PRICE,
            stripe_price_id: null,
            address_requirements: 'none',
            sms_capable: true,
          },
        ],
      });
    });

    it.each(['DE', 'US', 'CA', 'GB', 'AU', 'IL', 'PL', 'FI', 'NL', 'DK', 'IT', 'BR', 'us'])(
      'offers numbers in %s',
      async (country) => {
        const { body } = await search({ country_code: country }).expect(200);
        expect(body.data).toHaveLength(30);
        expect(new Set(body.data.map((offer: { country_code: string }) => offer.country_code))).toEqual(
          new Set([country.toUpperCase()]),
        );
      },
    );

    it("searches the account's own country when none is named", async () => {
      const { body } = await search({}).expect(200);
      expect(body.data[0].country_code).toBe('BR');
    });

    it.each(['FR', 'ZZ', 'USA', 'constructor'])('refuses the country "%s"', async (country) => {
      const { body } = await search({ country_code: country }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['country_code']);
    });

    it('refuses a country that is sent twice', async () => {
      const { body } = await search({ country_code: ['US', 'DE'] }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['country_code']);
    });

    it('filters by at most 10 digits; none found is an empty list', async () => {
      expect((await search({ country_code: 'US', contains: '1255501' }).expect(200)).body.data).toHaveLength(
        30,
      );
      expect((await search({ country_code: 'US', contains: '9999999999' }).expect(200)).body).toEqual({
        data: [],
      });
      expect((await search({ country_code: 'US', contains: '' }).expect(200)).body.data).toHaveLength(30);
    });

    it.each(['12345678901', '12a', '+1', '1 2', '%'])('refuses contains "%s"', async (contains) => {
      const { body } = await search({ country_code: 'US', contains }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['contains']);
    });

    it('leaves out numbers that are rented, and still fills the page', async () => {
      const first = await search({ country_code: 'CA' }).expect(200);
      const rented: string = first.body.data[0].phone_number;
      await rent(other, rented);
      const { body } = await search({ country_code: 'CA' }).expect(200);
      expect(body.data).toHaveLength(30);
      expect(body.data.map((offer: { phone_number: string }) => offer.phone_number)).not.toContain(rented);
    });

    it('answers 503 {error} when the carrier does not answer', async () => {
      jest.spyOn(carrier, 'searchNumbers').mockRejectedValueOnce(new CarrierUnavailableError());
      const { body } = await search({ country_code: 'US' }).expect(503);
      expect(body).toEqual({ error: expect.any(String) });
    });
  });

  describe('Purchase phone number', () => {
    it('answers 201 with message and the number, and charges the first month once', async () => {
      const before = await app.balanceUsd(account);
      const number = freshNumber();
      const { body } = await buy(account, number).expect(201);
      expect(body).toEqual({
        message: 'Número de telefone alugado com sucesso',
        data: {
          id: expect.any(Number),
          phone_number: number,
          country_code: 'US',
          type: 'normal',
          sms_capable: true,
        },
      });
      expect(await app.balanceUsd(account)).toBeCloseTo(before - PRICE, 6);
      const { body: page } = await app.as(account).get('/api/user/billing/transactions').expect(200);
      expect(page.data[0]).toMatchObject({ type: 'phone_number', amount: -PRICE });
      expect(page.data[0].reference).toContain(number);
      expect(await openOrders()).toEqual([]);
    });

    // spec: phone-number.phone_number
    it('reads the number in any spacing', async () => {
      const { body } = await buy(account, '+1 (212) 555-01 50').expect(201);
      expect(body.data.phone_number).toBe('+12125550150');
    });

    it.each([
      'not a number',
      '2125550100',
      '+1',
      '+12125550100 ext. 5',
      'call +12125550100',
      '+999999999999999',
    ])('answers 422 {error} for "%s", which is no international number', async (phoneNumber) => {
      const { body } = await buy(account, phoneNumber).expect(422);
      expect(body).toEqual({
        error: 'Não foi possível ler o número de telefone. Informe um número válido no formato E.164.',
      });
    });

    it.each([undefined, null, '', 12_125_550_100, ['+12125550100'], 'x'.repeat(65)])(
      'answers 422 with errors.phone_number for %p',
      async (phoneNumber) => {
        const { body } = await buy(account, phoneNumber).expect(422);
        expect(Object.keys(body.errors)).toEqual(['phone_number']);
      },
    );

    it.each(['+12125559999', '+33123456789'])(
      'answers 400 {error} for %s, which is not offered',
      async (number) => {
        expect((await buy(account, number).expect(400)).body).toEqual(NOT_FOR_SALE);
      },
    );

    it('answers 400 {error} for a number in use by any account, and charges nothing', async () => {
      const number = freshNumber();
      await rent(account, number);
      const before = [await app.balanceUsd(account), await app.balanceUsd(other)];
      expect((await buy(account, number).expect(400)).body).toEqual(IN_USE);
      expect((await buy(other, number).expect(400)).body).toEqual(IN_USE);
      expect([await app.balanceUsd(account), await app.balanceUsd(other)]).toEqual(before);
    });

    it('answers 402 {error} when the balance does not cover the price, and rents nothing', async () => {
      const poor = await app.account({ balanceUsd: 3.98 });
      const bought = jest.spyOn(carrier, 'buyNumber');
      const number = freshNumber();
      const { body } = await buy(poor, number).expect(402);
      expect(body).toEqual({ error: 'Saldo insuficiente. Por favor, recarregue sua conta.' });
      expect(bought).not.toHaveBeenCalled();
      expect(await listOf(poor)).toEqual([]);
      expect(await app.balanceUsd(poor)).toBe(3.98);
      await rent(account, number);
    });

    it('rents to exactly one of many who buy at the same time', async () => {
      const number = freshNumber();
      const before = (await app.balanceUsd(account)) + (await app.balanceUsd(other));
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => buy(index % 2 ? account : other, number)),
      );
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
        201, 400, 400, 400, 400, 400, 400, 400,
      ]);
      const after = (await app.balanceUsd(account)) + (await app.balanceUsd(other));
      expect(after).toBeCloseTo(before - PRICE, 6);
    });

    it('charges nothing and frees the number when the carrier has it no more', async () => {
      const number = freshNumber();
      const before = await app.balanceUsd(account);
      jest.spyOn(carrier, 'buyNumber').mockRejectedValueOnce(new NumberNotOfferedError());
      expect((await buy(account, number).expect(400)).body).toEqual(NOT_FOR_SALE);
      expect(await app.balanceUsd(account)).toBe(before);
      await rent(account, number);
    });

    it('gives the number back and charges nothing when it is not known whether the carrier rented it', async () => {
      const number = freshNumber();
      const before = await app.balanceUsd(account);
      jest.spyOn(carrier, 'buyNumber').mockRejectedValueOnce(new CarrierUnavailableError());
      const released = jest.spyOn(carrier, 'releaseNumber');
      const { body } = await buy(account, number).expect(503);
      expect(body).toEqual({ error: expect.any(String) });
      expect(released.mock.calls).toEqual([[number]]);
      expect(await app.balanceUsd(account)).toBe(before);
      expect(await openOrders()).toEqual([]);
      await rent(account, number);
    });

    it('asks the carrier under one key an order', async () => {
      const bought = jest.spyOn(carrier, 'buyNumber');
      await rent(account);
      await rent(account);
      const keys = bought.mock.calls.map(([, key]) => key);
      expect(new Set(keys).size).toBe(2);
    });
  });

  describe('orders that did not end', () => {
    const age = () => database.query("UPDATE carrier_orders SET attempted_at = now() - interval '4 minutes'");

    it('leaves young orders alone and gives the number of an old one back, once', async () => {
      const number = freshNumber();
      await database.query(
        `INSERT INTO carrier_orders (id, user_id, phone_number, kind) VALUES (gen_random_uuid(), $1, $2, 'buy')`,
        [account.userId, number],
      );
      const released = jest.spyOn(carrier, 'releaseNumber');
      expect((await buy(other, number).expect(400)).body).toEqual(IN_USE);
      expect(await returns.sweepStaleOrders()).toBe(0);
      await age();
      expect(await returns.sweepStaleOrders()).toBe(1);
      expect(await returns.sweepStaleOrders()).toBe(0);
      expect(released.mock.calls).toEqual([[number]]);
      await rent(other, number);
    });

    it('asks a carrier again that did not answer to a release', async () => {
      const number = freshNumber();
      const id = await rent(account, number);
      jest.spyOn(carrier, 'releaseNumber').mockRejectedValueOnce(new CarrierUnavailableError());
      await app.as(account).delete(`${NUMBERS}/${id}`).expect(200);
      expect((await listOf(account)).map((item) => item.id)).not.toContain(id);
      expect((await buy(account, number).expect(400)).body).toEqual(IN_USE);
      await age();
      expect(await returns.sweepStaleOrders()).toBe(1);
      await rent(account, number);
    });

    it('does not give a number to a purchase that another process took over', async () => {
      const number = freshNumber();
      const before = await app.balanceUsd(account);
      const release = jest.spyOn(carrier, 'releaseNumber');
      jest.spyOn(carrier, 'buyNumber').mockImplementationOnce(async () => {
        await age();
        expect(await returns.sweepStaleOrders()).toBe(1);
        release.mockClear();
      });
      await buy(account, number).expect(503);
      // The carrier sold it after the sweep had given it back.
      expect(release.mock.calls).toEqual([[number]]);
      release.mockRestore();
      expect(await app.balanceUsd(account)).toBe(before);
      expect(await openOrders()).toEqual([]);
      await rent(other, number);
    });
  });

  describe('List phone numbers', () => {
    // spec: phone-number.id, phone-number.phone_number, phone-number.country_code, phone-number.type
    // spec: phone-number.nickname-also-returned, update-phone-number.get-user-phone
    it('GET /all answers {data} with every own number, oldest first', async () => {
      const owner = await app.account({ balanceUsd: 10 });
      const number = freshNumber();
      const rentedId = await rent(owner, number);
      const callerId = await addCallerId(owner);
      const { body } = await app.as(owner).get(`${NUMBERS}/all`).expect(200);
      expect(body).toEqual({
        data: [
          {
            id: rentedId,
            phone_number: number,
            nickname: null,
            country_code: 'US',
            type: 'normal',
            type_label: 'Número dedicado',
            sms_capable: true,
            region: 'sandbox',
            has_active_subscription: true,
            created_at: expect.stringMatching(ISO),
            routing: {
              open: null,
              action: 'busy',
              assistant_id: null,
              assistant_name: null,
              phone_number: null,
            },
          },
          {
            id: callerId,
            phone_number: '+5511987654321',
            nickname: null,
            country_code: 'BR',
            type: 'caller_id',
            type_label: 'Caller ID',
            sms_capable: false,
            region: null,
            has_active_subscription: false,
            created_at: expect.stringMatching(ISO),
            routing: null,
          },
        ],
      });
    });

    it('GET / answers only the rented numbers that can send text messages', async () => {
      const owner = await app.account({ balanceUsd: 20 });
      const american = await rent(owner);
      await rent(owner, '+493023125010');
      await addCallerId(owner);
      expect((await listOf(owner, '')).map(({ id }) => id)).toEqual([american]);
    });

    it('shows nothing of other accounts', async () => {
      const newAccount = await app.account();
      expect(await listOf(newAccount)).toEqual([]);
      expect(await listOf(newAccount, '')).toEqual([]);
    });
  });

  describe('Update phone number', () => {
    let id: number;
    let number: string;
    const update = (target: number | string, body: object, who = account) =>
      app.as(who).put(`${NUMBERS}/${target}`).send(body);

    beforeAll(async () => {
      number = freshNumber();
      id = await rent(account, number);
    });

    // spec: service.manage-api-keys, update-phone-number.route, update-phone-number.success
    it('answers message and data {id, phone_number, nickname, country_code, type}', async () => {
      const { body } = await update(id, { nickname: 'Vendas' }).expect(200);
      expect(body).toEqual({
        message: 'Número de telefone atualizado com sucesso',
        data: { id, phone_number: number, nickname: 'Vendas', country_code: 'US', type: 'normal' },
      });
      expect((await listOf(account)).find((item) => item.id === id)?.nickname).toBe('Vendas');
    });

    // spec: update-phone-number.null-empty-string
    it.each([null, '', '   '])('sending %p removes the nickname', async (nickname) => {
      await update(id, { nickname: 'Vendas' }).expect(200);
      expect((await update(id, { nickname }).expect(200)).body.data.nickname).toBeNull();
    });

    // spec: phone-number.nickname, update-phone-number.nickname, limits.phone-number-nickname
    it('accepts 50 characters, emoji counted as one each', async () => {
      const nickname = '📞'.repeat(50);
      expect((await update(id, { nickname }).expect(200)).body.data.nickname).toBe(nickname);
    });

    // spec: phone-number.nickname, update-phone-number.nickname-longer-than, limits.phone-number-nickname
    it('answers the validation body with errors.nickname above 50 characters', async () => {
      const { body } = await update(id, { nickname: 'x'.repeat(51) }).expect(422);
      expect(body).toEqual({
        message: 'O campo nickname não pode ter mais de 50 caracteres.',
        errors: { nickname: ['O campo nickname não pode ter mais de 50 caracteres.'] },
      });
    });

    // spec: update-phone-number.nickname
    it.each([5, ['a'], { a: 1 }, true])('refuses the nickname %p', async (nickname) => {
      expect(Object.keys((await update(id, { nickname }).expect(422)).body.errors)).toEqual(['nickname']);
    });

    it('changes nothing but the nickname, and nothing when none is sent', async () => {
      await update(id, { nickname: 'Vendas' }).expect(200);
      const { body } = await update(id, { phone_number: '+12125550199', type: 'sip', user_id: 1 }).expect(
        200,
      );
      expect(body.data).toEqual({
        id,
        phone_number: number,
        nickname: 'Vendas',
        country_code: 'US',
        type: 'normal',
      });
    });

    // spec: update-phone-number.not-found, errors.error-not-found
    it.each(['999999', '0', '-1', 'abc', '1.5', '99999999999999999999', 'sip-trunks'])(
      'not found: {error} for the id %s',
      async (target) => {
        expect((await update(target, { nickname: 'x' }).expect(404)).body).toEqual(NOT_FOUND);
      },
    );

    // spec: update-phone-number.only-owner-may
    it('not found: {error} for the number of another account', async () => {
      expect((await update(id, { nickname: 'x' }, other).expect(404)).body).toEqual(NOT_FOUND);
    });
  });

  describe('A number granted to another user', () => {
    let id: number;
    let numbers: PhoneNumbersService;

    beforeAll(async () => {
      numbers = app.app.get(PhoneNumbersService);
      id = await rent(account);
      await app.as(account).put(`${NUMBERS}/${id}`).send({ nickname: 'Matriz' }).expect(200);
      await numbers.grant(account.userId, id, other.userId);
    });

    // spec: phone-number.number-granted-another
    it('is in the lists of the grantee, with its nickname', async () => {
      for (const path of ['/all', '']) {
        expect((await listOf(other, path)).find((item) => item.id === id)?.nickname).toBe('Matriz');
      }
    });

    // spec: phone-number.nickname, phone-number.number-granted-another, update-phone-number.only-owner-may
    // spec: update-phone-number.what-happens-when
    it('cannot be updated or deleted by the grantee: not found', async () => {
      const update = await app.as(other).put(`${NUMBERS}/${id}`).send({ nickname: 'Minha' }).expect(404);
      expect(update.body).toEqual(NOT_FOUND);
      expect((await app.as(other).delete(`${NUMBERS}/${id}`).expect(404)).body).toEqual(NOT_FOUND);
      expect((await listOf(account)).find((item) => item.id === id)?.nickname).toBe('Matriz');
    });

    it('is granted once however often it is granted, and once to the owner in the own list', async () => {
      await numbers.grant(account.userId, id, other.userId);
      await numbers.grant(account.userId, id, account.userId);
      for (const who of [account, other]) {
        expect((await listOf(who)).filter((item) => item.id === id)).toHaveLength(1);
      }
    });

    it('is granted and revoked by its owner alone', async () => {
      const stranger = await app.account();
      const refusal = { kind: 'not-found' };
      await expect(numbers.grant(other.userId, id, stranger.userId)).rejects.toMatchObject(refusal);
      await expect(numbers.revoke(other.userId, id, other.userId)).rejects.toMatchObject(refusal);
      expect(await listOf(stranger)).toEqual([]);
      await numbers.revoke(account.userId, id, other.userId);
      expect((await listOf(other)).map((item) => item.id)).not.toContain(id);
    });
  });

  describe('Delete phone number', () => {
    const remove = (id: number | string, who = account) => app.as(who).delete(`${NUMBERS}/${id}`);

    it('answers {message}, gives a rented number back at once, and others may rent it', async () => {
      const number = freshNumber();
      const id = await rent(account, number);
      const before = await app.balanceUsd(account);
      const released = jest.spyOn(carrier, 'releaseNumber');
      const { body } = await remove(id).expect(200);
      expect(body).toEqual({ message: 'Número de telefone excluído com sucesso' });
      expect(released.mock.calls).toEqual([[number]]);
      expect(await app.balanceUsd(account)).toBe(before);
      expect(await openOrders()).toEqual([]);
      await rent(other, number);
    });

    // spec: phone-number.values-type-other
    it('deletes a caller id without asking the carrier', async () => {
      const id = await addCallerId(account);
      const released = jest.spyOn(carrier, 'releaseNumber');
      await remove(id).expect(200);
      expect(released).not.toHaveBeenCalled();
      expect((await listOf(account)).map((item) => item.id)).not.toContain(id);
    });

    it('leaves the assistants that used it without a number', async () => {
      const id = await rent(account);
      const [assistant] = await database.query<{ id: number }>(
        `INSERT INTO assistants (uuid, user_id, name, type, mode, language_id, voice_id, config, phone_number_id)
         VALUES (gen_random_uuid(), $1, 'Recepção', 'inbound', 'pipeline', 1, 1, '{}', $2) RETURNING id`,
        [account.userId, id],
      );
      await remove(id).expect(200);
      const rows = await database.query('SELECT phone_number_id FROM assistants WHERE id = $1', [
        assistant?.id,
      ]);
      expect(rows).toEqual([{ phone_number_id: null }]);
    });

    it('releases once when it is deleted many times at once', async () => {
      const id = await rent(account);
      const released = jest.spyOn(carrier, 'releaseNumber');
      const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404, 404, 404, 404]);
      expect(released).toHaveBeenCalledTimes(1);
    });

    it('not found: {error}, also for the number of another account, which stays', async () => {
      const id = await rent(account);
      expect((await remove(id, other).expect(404)).body).toEqual(NOT_FOUND);
      expect((await remove('abc').expect(404)).body).toEqual(NOT_FOUND);
      expect((await listOf(account)).map((item) => item.id)).toContain(id);
    });
  });
});
