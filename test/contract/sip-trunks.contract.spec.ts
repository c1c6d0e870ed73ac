import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../src/common/crypto/secret-box.js';
import { Database } from '../../src/database/database.js';
import { PhoneNumbersService } from '../../src/modules/phone-numbers/phone-numbers.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createSipTrunk, sipTrunkBody } from '../support/builders.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const TRUNKS = '/api/user/phone-numbers/sip-trunks';
const NOT_FOUND = { error: 'Tronco SIP não encontrado' };
const EXISTS = { error: 'Já existe um tronco SIP com o mesmo número, usuário e endereço.' };
const PASSWORD = 'correct horse battery';

describe('SIP trunks', () => {
  let app: TestApp;
  let database: Database;
  let account: TestAccount;

  let other: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    database = app.app.get(Database);
    account = await app.account();
    other = await app.account();
  });
  afterAll(() => app.stop());

  const create = (overrides: Record<string, unknown> = {}, who = account) =>
    app.as(who).post(TRUNKS).send(sipTrunkBody(overrides));
  const created = (overrides: Record<string, unknown> = {}, who = account) =>
    createSipTrunk(app, who, overrides);
  const update = (id: number | string, body: object, who = account) =>
    app.as(who).put(`${TRUNKS}/${id}`).send(body);
  const read = async (id: number) => (await app.as(account).get(`${TRUNKS}/${id}`).expect(200)).body.data;

  describe('authentication', () => {
    it.each([
      ['get', ''],
      ['get', '/1'],
      ['post', ''],
      ['put', '/1'],
    ] as const)('%s %s answers 401 {message} without a token', async (method, path) => {
      expect((await app.http[method](`${TRUNKS}${path}`).expect(401)).body).toEqual({
        message: 'Não autorizado',
      });
    });
  });

  describe('Create SIP trunk', () => {
    it('answers 422 {error} beyond the number of the plan', async () => {
      const small = await app.account();
      await database.query(
        `WITH plan AS (INSERT INTO plans (code, name, max_tools, max_api_keys, max_campaigns, max_calls_in_parallel,
             max_knowledgebases, max_sip_trunks) VALUES ('small', 'Small', 1, 5, 1, 1, 1, 1) RETURNING id)
         UPDATE users SET plan_id = plan.id FROM plan WHERE users.id = $1`,
        [small.userId],
      );
      const id = await created({}, small);
      const { body } = await create({}, small).expect(422);
      expect(body).toEqual({ error: 'Você atingiu o limite de 1 tronco SIP do seu plano' });
      expect((await app.as(small).get(TRUNKS).expect(200)).body.data).toHaveLength(1);
      await app.as(small).delete(`/api/user/phone-numbers/${id}`).expect(200);
      await created({}, small);
    });

    it('answers 201 with message and the trunk, without its password', async () => {
      const request = sipTrunkBody({ nickname: 'Matriz', outbound_proxy: true });
      const { body } = await app.as(account).post(TRUNKS).send(request).expect(201);
      expect(body).toEqual({
        message: 'Tronco SIP criado com sucesso',
        data: {
          id: expect.any(Number),
          phone_number: '+14155550100',
          nickname: 'Matriz',
          sip_username: request.sip_username,
          sip_address: 'sip.example.com',
          sip_calling_format: '+e164',
          inbound_authorization_type: 'auth',
          allowed_inbound_ips: null,
          outbound_proxy: true,
          media_encryption: 'allowed',
          max_parallel_calls: null,
          country_code: 'US',
          registration_status: null,
          registration_error: null,
          is_reachable: null,
          inbound_trunk_id: null,
          outbound_trunk_id: null,
          created_at: expect.stringMatching(ISO),
          updated_at: expect.stringMatching(ISO),
        },
      });
    });

    // spec: phone-number.values-type-other
    it('is a phone number of type sip from then on', async () => {
      const id = await created();
      const { body } = await app.as(account).get('/api/user/phone-numbers/all').expect(200);
      expect(body.data.find((number: { id: number }) => number.id === id)).toMatchObject({
        type: 'sip',
        type_label: 'Tronco SIP',
        sms_capable: false,
        has_active_subscription: false,
      });
    });

    it('answers 409 {error} for the same number, username and address, and keeps one', async () => {
      const request = sipTrunkBody({ phone_number: '+14155550111' });
      await app.as(account).post(TRUNKS).send(request).expect(201);
      const { body } = await app
        .as(account)
        .post(TRUNKS)
        .send({ ...request, phone_number: '+1 415 555 0111', sip_address: 'SIP.example.com' })
        .expect(409);
      expect(body).toEqual(EXISTS);
      const numbers = await database.query(
        "SELECT id FROM phone_numbers WHERE phone_number = '+14155550111'",
      );
      expect(numbers).toHaveLength(1);
    });

    it('lets the three differ, and another account have the same', async () => {
      const request = sipTrunkBody();
      const post = (body: object, who = account) => app.as(who).post(TRUNKS).send(body).expect(201);
      await post(request);
      await post({ ...request, phone_number: '+14155550122' });
      await post({ ...request, sip_username: `${request.sip_username}x` });
      await post({ ...request, sip_address: 'sip2.example.com' });
      await post(request, other);
    });

    it('makes one of many that come at the same time', async () => {
      const request = sipTrunkBody();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => app.as(account).post(TRUNKS).send(request)),
      );
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
        201, 409, 409, 409, 409, 409,
      ]);
    });
  });

  describe('the password', () => {
    it('is nowhere in the database in plaintext, and opens only at its own place', async () => {
      const id = await created({ sip_password: 'Sup3r-secret-of-a-trunk' });
      await update(id, { sip_password: 'An0ther-secret-of-a-trunk' }).expect(200);
      const tables = await database.query<{ name: string }>(
        "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
      );
      expect(tables.length).toBeGreaterThan(5);
      for (const { name } of tables) {
        const rows = await database.query(
          `SELECT 1 FROM ${name} AS row WHERE row::text LIKE '%secret-of-a-trunk%' OR row::text LIKE $1`,
          [`%${Buffer.from('secret-of-a-trunk').toString('base64').slice(0, 20)}%`],
        );
        expect({ name, rows: rows.length }).toEqual({ name, rows: 0 });
      }
      const [row] = await database.query<{ sealed: string }>(
        'SELECT sealed_password AS sealed FROM sip_trunks WHERE id = $1',
        [id],
      );
      const open = (rowId: number) =>
        app.app
          .get(SecretBox)
          .open(row!.sealed, { userId: account.userId, column: 'sip_trunks.password', rowId });
      expect(open(id)).toBe('An0ther-secret-of-a-trunk');
      expect(() => open(id + 1)).toThrow();
    });

    it('is in no answer', async () => {
      const { body } = await create().expect(201);
      const { id } = body.data;
      const answers = [
        body,
        (await update(id, { sip_password: PASSWORD }).expect(200)).body,
        (await app.as(account).get(`${TRUNKS}/${id}`).expect(200)).body,
        (await app.as(account).get(TRUNKS).expect(200)).body,
      ];
      const text = JSON.stringify(answers);
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toMatch(/password/i);
    });
  });

  describe('List and read SIP trunks', () => {
    // spec: phone-number.nickname-also-returned, update-phone-number.get-user-phone
    it('GET answers {data} with the own trunks, oldest first, without the trunk ids', async () => {
      const owner = await app.account();
      const first = await created({ nickname: 'Primeiro' }, owner);
      const second = await created({}, owner);
      const { body } = await app.as(owner).get(TRUNKS).expect(200);
      expect(Object.keys(body)).toEqual(['data']);
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual([first, second]);
      expect(Object.keys(body.data[0]).sort()).toEqual([
        'allowed_inbound_ips',
        'country_code',
        'created_at',
        'id',
        'inbound_authorization_type',
        'is_reachable',
        'max_parallel_calls',
        'media_encryption',
        'nickname',
        'outbound_proxy',
        'phone_number',
        'registration_error',
        'registration_status',
        'sip_address',
        'sip_calling_format',
        'sip_username',
        'updated_at',
      ]);
      expect(body.data[0].nickname).toBe('Primeiro');
    });

    it('GET {id} answers {data} with the trunk ids', async () => {
      const id = await created();
      expect(await read(id)).toMatchObject({ id, inbound_trunk_id: null, outbound_trunk_id: null });
    });

    it.each(['999999', '0', 'abc', '99999999999'])('not found: {error} for the id %s', async (id) => {
      expect((await app.as(account).get(`${TRUNKS}/${id}`).expect(404)).body).toEqual(NOT_FOUND);
    });

    it('not found: {error} for the trunk of another account and for a number of another type', async () => {
      const foreign = await created({}, other);
      const [callerId] = await database.query<{ id: number }>(
        `INSERT INTO phone_numbers (user_id, phone_number, country_code, type)
         VALUES ($1, '+5511987654321', 'BR', 'caller_id') RETURNING id`,
        [account.userId],
      );
      for (const id of [foreign, callerId!.id]) {
        expect((await app.as(account).get(`${TRUNKS}/${id}`).expect(404)).body).toEqual(NOT_FOUND);
        expect((await update(id, { nickname: 'x' }).expect(404)).body).toEqual(NOT_FOUND);
      }
    });

    it('shows a grantee the number with its nickname, and nothing of the trunk', async () => {
      const id = await created({ nickname: 'Compartilhado' });
      const grantee = await app.account();
      await app.app.get(PhoneNumbersService).grant(account.userId, id, grantee.userId);
      const { body } = await app.as(grantee).get('/api/user/phone-numbers/all').expect(200);
      expect(body.data).toMatchObject([{ id, nickname: 'Compartilhado', type: 'sip' }]);
      expect((await app.as(grantee).get(TRUNKS).expect(200)).body).toEqual({ data: [] });
      await app.as(grantee).get(`${TRUNKS}/${id}`).expect(404);
      await update(id, { nickname: 'x' }, grantee).expect(404);
    });
  });

  describe('Update SIP trunk', () => {
    it('changes the fields that are sent, and no others', async () => {
      const id = await created({ nickname: 'Matriz' });
      const before = await read(id);
      const changes = {
        sip_username: 'new-user',
        sip_address: 'sip9.example.com',
        sip_calling_format: 'national',
        outbound_proxy: true,
        media_encryption: 'required',
        max_parallel_calls: 12,
      };
      const { body } = await update(id, changes).expect(200);
      expect(body).toEqual({
        message: 'Tronco SIP atualizado com sucesso',
        data: { ...before, ...changes, updated_at: expect.stringMatching(ISO) },
      });
      expect(await read(id)).toEqual(body.data);
      expect(Date.parse(body.data.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    });

    it('changes nothing when nothing is sent', async () => {
      const id = await created();
      const before = await read(id);
      const { body } = await update(id, {}).expect(200);
      expect(body.data).toEqual({ ...before, updated_at: expect.any(String) });
    });

    it('reads a new number by the type of the trunk, which stays', async () => {
      const number = await created();
      const extension = await created({ sip_trunk_type: 'extension', phone_number: '10' });
      const moved = await update(number, { phone_number: '+55 11 98765-4321', sip_trunk_type: 'extension' });
      expect(moved.body.data).toMatchObject({ phone_number: '+5511987654321', country_code: 'BR' });
      await update(number, { phone_number: '10' }).expect(422);
      const other = await update(extension, { phone_number: '20', country_code: 'GB' }).expect(200);
      expect(other.body.data).toMatchObject({ phone_number: '20', country_code: 'GB' });
    });

    it('removes the nickname with null', async () => {
      const id = await created({ nickname: 'Matriz' });
      expect((await update(id, { nickname: null }).expect(200)).body.data.nickname).toBeNull();
    });

    it('switching to ip requires addresses; switching to auth clears them', async () => {
      const id = await created();
      const refused = await update(id, { inbound_authorization_type: 'ip' }).expect(422);
      expect(Object.keys(refused.body.errors)).toEqual(['allowed_inbound_ips']);
      const ips = ['198.51.100.20'];
      const byIp = await update(id, { inbound_authorization_type: 'ip', allowed_inbound_ips: ips }).expect(
        200,
      );
      expect(byIp.body.data.allowed_inbound_ips).toEqual(ips);
      const kept = await update(id, { inbound_authorization_type: 'ip' }).expect(200);
      expect(kept.body.data.allowed_inbound_ips).toEqual(ips);
      await update(id, { allowed_inbound_ips: [] }).expect(422);
      await update(id, { allowed_inbound_ips: null }).expect(422);
      const byPassword = await update(id, { inbound_authorization_type: 'auth' }).expect(200);
      expect(byPassword.body.data.allowed_inbound_ips).toBeNull();
      await update(id, { inbound_authorization_type: 'ip' }).expect(422);
    });

    it.each<[string, unknown]>([
      ['phone_number', null],
      ['phone_number', 'abc'],
      ['sip_username', null],
      ['sip_username', 'ab'],
      ['sip_password', null],
      ['sip_password', 'ab'],
      ['sip_address', null],
      ['sip_address', '127.0.0.1'],
      ['sip_calling_format', 'x'],
      ['inbound_authorization_type', 'x'],
      ['country_code', 'ZZ'],
      ['outbound_proxy', '192.168.0.10'],
      ['outbound_proxy', 7],
      ['nickname', 'n'.repeat(51)],
      ['allowed_inbound_ips', ['x']],
    ])('refuses the %s %p', async (field, value) => {
      const id = await created();
      expect(Object.keys((await update(id, { [field]: value }).expect(422)).body.errors)).toEqual([field]);
    });

    it('answers 409 {error} when it would become the same as another', async () => {
      const first = sipTrunkBody();
      await app.as(account).post(TRUNKS).send(first).expect(201);
      const id = await created();
      expect((await update(id, { sip_username: first.sip_username }).expect(409)).body).toEqual(EXISTS);
    });

    it('changes number and username together although one of them alone would collide', async () => {
      const first = sipTrunkBody({ phone_number: '+14155550177' });
      await app.as(account).post(TRUNKS).send(first).expect(201);
      const id = await created({ sip_username: first.sip_username, phone_number: '+14155550178' });
      const { body } = await update(id, { phone_number: '+14155550177', sip_username: 'someone' }).expect(
        200,
      );
      expect(body.data).toMatchObject({ phone_number: '+14155550177', sip_username: 'someone' });
    });

    it('not found: {error}, also for the trunk of another account', async () => {
      const id = await created();
      expect((await update('999999', { nickname: 'x' }).expect(404)).body).toEqual(NOT_FOUND);
      expect((await update(id, { nickname: 'x' }, other).expect(404)).body).toEqual(NOT_FOUND);
      expect((await read(id)).nickname).toBeNull();
    });
  });

  describe('Delete SIP trunk', () => {
    it('goes with its phone number at once, and may be created again', async () => {
      const request = sipTrunkBody();
      const { body } = await app.as(account).post(TRUNKS).send(request).expect(201);
      await app.as(account).delete(`/api/user/phone-numbers/${body.data.id}`).expect(200);
      await app.as(account).get(`${TRUNKS}/${body.data.id}`).expect(404);
      expect(await database.query('SELECT 1 FROM sip_trunks WHERE id = $1', [body.data.id])).toEqual([]);
      await app.as(account).post(TRUNKS).send(request).expect(201);
    });
  });
});
