import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../src/common/crypto/secret-box.js';
import { Database } from '../../src/database/database.js';
import { PhoneNumbersService } from '../../src/modules/phone-numbers/phone-numbers.service.js';
import { type TestAccount, TestApp } from '../support/app.js';

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
  let users = 0;

  beforeAll(async () => {
    app = await TestApp.start({ EGRESS_ALLOW_CIDRS: '10.1.0.0/16' });
    database = app.app.get(Database);
    account = await app.account();
    other = await app.account();
  });
  afterAll(() => app.stop());

  /** A valid trunk whose user name no other test has. */
  const trunkBody = (overrides: Record<string, unknown> = {}) => ({
    sip_trunk_type: 'number',
    phone_number: '+14155550100',
    sip_username: `user${++users}`,
    sip_password: PASSWORD,
    sip_address: 'sip.example.com',
    sip_calling_format: '+e164',
    inbound_authorization_type: 'auth',
    country_code: 'US',
    ...overrides,
  });
  const create = (overrides: Record<string, unknown> = {}, who = account) =>
    app.as(who).post(TRUNKS).send(trunkBody(overrides));
  const created = async (overrides: Record<string, unknown> = {}, who = account): Promise<number> =>
    (await create(overrides, who).expect(201)).body.data.id;
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
      const request = trunkBody({ nickname: 'Matriz', outbound_proxy: true });
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

    it.each([
      [true, true],
      [false, false],
      [null, false],
      ['Edge.Operator.example:5080;transport=TCP', 'Edge.Operator.example:5080;transport=TCP'],
      ['[2606:4700:4700::1111]:5070', '[2606:4700:4700::1111]:5070'],
    ])('gives the outbound_proxy %j back as %j', async (sent, given) => {
      const id = await created({ outbound_proxy: sent });
      expect((await read(id)).outbound_proxy).toBe(given);
      const listed = (await app.as(account).get(TRUNKS).expect(200)).body.data;
      expect(listed.find((trunk: { id: number }) => trunk.id === id).outbound_proxy).toBe(given);
      // What was read can be sent back, and another form takes its place.
      expect((await update(id, { outbound_proxy: given }).expect(200)).body.data.outbound_proxy).toBe(given);
      await update(id, { nickname: 'x' }).expect(200);
      expect((await read(id)).outbound_proxy).toBe(given);
      for (const other of ['proxy.example.org', true, false]) {
        await update(id, { outbound_proxy: other }).expect(200);
        expect((await read(id)).outbound_proxy).toBe(other);
      }
    });

    it('says what an outbound_proxy may be', async () => {
      const { body } = await create({ outbound_proxy: '10.0.0.1:5060' }).expect(422);
      expect(body.errors.outbound_proxy).toEqual([
        'O campo outbound_proxy deve ser true, false ou o host público de um proxy SIP, como proxy.example.com ou proxy.example.com:5060.',
      ]);
    });

    it('has the defaults no nickname and outbound_proxy false', async () => {
      const { body } = await create().expect(201);
      expect(body.data).toMatchObject({ nickname: null, outbound_proxy: false });
    });

    it.each([
      ['extension', '1000', '1000'],
      ['extension', 'a', 'a'],
      ['extension', '*98#_x.y-z', '*98#_x.y-z'],
      ['extension', '123456789012345', '123456789012345'],
      ['number', '+5511987654321', '+5511987654321'],
      ['number', '+1 (415) 555-1234', '+14155551234'],
      ['number', '+15551234567', '+15551234567'],
    ])('accepts the %s %s', async (type, phoneNumber, stored) => {
      const { body } = await create({ sip_trunk_type: type, phone_number: phoneNumber }).expect(201);
      expect(body.data.phone_number).toBe(stored);
    });

    it('takes the country of a number from the number, of an extension from country_code', async () => {
      const number = await create({ phone_number: '+5511987654321', country_code: 'US' }).expect(201);
      const extension = await create({
        sip_trunk_type: 'extension',
        phone_number: '10',
        country_code: 'de',
      }).expect(201);
      expect([number.body.data.country_code, extension.body.data.country_code]).toEqual(['BR', 'DE']);
    });

    it.each(['disabled', 'allowed', 'required'])('accepts the media encryption %s', async (encryption) => {
      const { body } = await create({ media_encryption: encryption }).expect(201);
      expect(body.data.media_encryption).toBe(encryption);
    });

    it.each([1, 30, null])('accepts %p calls at the same time', async (limit) => {
      const { body } = await create({ max_parallel_calls: limit }).expect(201);
      expect(body.data.max_parallel_calls).toBe(limit);
    });

    it.each(['+e164', 'e164', 'national'])('accepts the calling format %s', async (format) => {
      expect((await create({ sip_calling_format: format }).expect(201)).body.data.sip_calling_format).toBe(
        format,
      );
    });

    it.each([
      'sip.example.com',
      'SIP.Example.COM',
      'a-b.example.co.uk',
      'xn--bcher-kva.example',
      '8.8.8.8',
      'sip.example.com:5080',
      'sip.example.com;transport=tcp',
      'sip.example.com:5061;transport=TLS',
      '8.8.8.8:5060',
      '[2606:4700:4700::1111]:5060',
    ])('accepts the address %s', async (address) => {
      const { body } = await create({ sip_address: address }).expect(201);
      expect(body.data.sip_address).toBe(address.toLowerCase());
    });

    it('accepts a global IPv6 address and a private one the operator allows', async () => {
      await create({ sip_address: '2606:4700:4700::1111' }).expect(201);
      await create({ sip_address: '10.1.2.3' }).expect(201);
    });

    it('keeps the addresses of the authorization by ip, and none of the one by password', async () => {
      const ips = ['198.51.100.20', '203.0.113.0/24', '2001:db8::1', '2001:db8::/48'];
      const byIp = await create({ inbound_authorization_type: 'ip', allowed_inbound_ips: ips }).expect(201);
      const byPassword = await create({ allowed_inbound_ips: ips }).expect(201);
      expect(byIp.body.data.allowed_inbound_ips).toEqual(ips);
      expect(byPassword.body.data.allowed_inbound_ips).toBeNull();
    });

    it.each([
      ['sip_username', 'abc'],
      ['sip_username', 'u'.repeat(128)],
      ['sip_password', 'pä§'],
      ['nickname', 'n'.repeat(50)],
      ['nickname', null],
      ['outbound_proxy', false],
      ['outbound_proxy', true],
      ['outbound_proxy', null],
      ['outbound_proxy', 'edge.operator.example'],
      ['outbound_proxy', 'edge.operator.example:5080;transport=tls'],
      ['outbound_proxy', '8.8.8.8:5060'],
      ['outbound_proxy', '2606:4700:4700::1111'],
      ['outbound_proxy', '[2606:4700:4700::1111]:5070;transport=tcp'],
      ['outbound_proxy', '[2606:4700:4700::1111];transport=tls'],
      ['sip_address', '[2606:4700:4700::1111];transport=tls'],
    ])('accepts the %s %p', async (field, value) => {
      await create({ [field]: value }).expect(201);
    });

    it.each([
      'sip_trunk_type',
      'phone_number',
      'sip_username',
      'sip_password',
      'sip_address',
      'sip_calling_format',
      'inbound_authorization_type',
      'country_code',
    ])('%s is required', async (field) => {
      for (const value of [undefined, null]) {
        expect(Object.keys((await create({ [field]: value }).expect(422)).body.errors)).toEqual([field]);
      }
    });

    it.each<[string, unknown]>([
      ['sip_trunk_type', 'trunk'],
      ['sip_trunk_type', 1],
      ['phone_number', 14_155_550_100],
      ['phone_number', '4155550100'],
      ['phone_number', '+1415'],
      ['phone_number', 'abc'],
      ['nickname', 'n'.repeat(51)],
      ['nickname', 7],
      ['sip_username', 'ab'],
      ['sip_username', 'u'.repeat(129)],
      ['sip_username', 'a b c'],
      ['sip_username', 'abc\r\nVia: x'],
      ['sip_username', 'abc>'],
      ['sip_password', 'ab'],
      ['sip_password', 'ab\ncd'],
      ['sip_password', 'p'.repeat(256)],
      ['sip_address', 'sip.example.com:0'],
      ['sip_address', 'sip.example.com:65536'],
      ['sip_address', 'sip.example.com:'],
      ['sip_address', 'sip.example.com;transport=ws'],
      ['sip_address', 'sip.example.com;lr'],
      ['sip_address', '10.0.0.1:5060'],
      ['sip_address', '[::1]:5060'],
      ['sip_address', 'sip:sip.example.com'],
      ['sip_address', 'https://sip.example.com'],
      ['sip_address', 'user@sip.example.com'],
      ['sip_address', 'sip.example.com/x'],
      ['sip_address', 'sip example.com'],
      ['sip_address', '-sip.example.com'],
      ['sip_address', 'sip..example.com'],
      ['sip_address', 'localhost'],
      ['sip_address', 'pbx'],
      ['sip_address', 'pbx.localhost'],
      ['sip_address', 'pbx.internal'],
      ['sip_address', '127.0.0.1'],
      ['sip_address', '127.1'],
      ['sip_address', '0x7f.1'],
      ['sip_address', '2130706433'],
      ['sip_address', '10.0.0.1'],
      ['sip_address', '192.168.1.10'],
      ['sip_address', '169.254.169.254'],
      ['sip_address', '::1'],
      ['sip_address', '::ffff:10.1.2.3'],
      ['sip_address', '[2606:4700:4700::1111]'],
      ['sip_address', `${'a.'.repeat(130)}com`],
      ['sip_calling_format', 'E164'],
      ['inbound_authorization_type', 'none'],
      ['country_code', 'ZZ'],
      ['country_code', 'USA'],
      ['country_code', 1],
      ['outbound_proxy', 'yes'],
      ['outbound_proxy', ''],
      ['outbound_proxy', 1],
      ['outbound_proxy', {}],
      ['outbound_proxy', ['edge.example.com']],
      ['outbound_proxy', 'true'],
      ['outbound_proxy', 'localhost'],
      ['outbound_proxy', 'proxy.internal'],
      ['outbound_proxy', '127.0.0.1:5060'],
      ['outbound_proxy', '10.0.0.1'],
      ['outbound_proxy', '169.254.169.254'],
      ['outbound_proxy', '0x7f.1'],
      ['outbound_proxy', '[::1]:5060'],
      ['outbound_proxy', '[::ffff:10.1.2.3];transport=tcp'],
      ['outbound_proxy', 'sip:edge.example.com'],
      ['outbound_proxy', 'edge.example.com:0'],
      ['outbound_proxy', 'edge.example.com;lr'],
      ['outbound_proxy', 'edge.example.com;transport=ws'],
      ['outbound_proxy', 'edge.example.com>\r\nVia: x'],
      ['outbound_proxy', `edge.example.${'c'.repeat(250)}`],
      ['media_encryption', 'srtp'],
      ['media_encryption', null],
      ['max_parallel_calls', 0],
      ['max_parallel_calls', 1.5],
      ['max_parallel_calls', 'two'],
      ['allowed_inbound_ips', '8.8.8.8'],
      ['allowed_inbound_ips', ['8.8.8']],
      ['allowed_inbound_ips', ['8.8.8.8/33']],
      ['allowed_inbound_ips', ['10/8']],
      ['allowed_inbound_ips', ['2001:db8::/129']],
      ['allowed_inbound_ips', ['fe80::1%eth0']],
      ['allowed_inbound_ips', ['sip.example.com']],
      ['allowed_inbound_ips', [5]],
      ['allowed_inbound_ips', ['8.8.8.8', '8.8.8.8']],
      ['allowed_inbound_ips', Array.from({ length: 101 }, (_, i) => `8.8.8.${i}`)],
    ])('refuses the %s %p', async (field, value) => {
      expect(Object.keys((await create({ [field]: value }).expect(422)).body.errors)).toEqual([field]);
    });

    it.each(['', '1234567890123456', '10 0', '10@pbx', 'ramal é'])(
      'refuses the extension "%s"',
      async (phoneNumber) => {
        const { body } = await create({ sip_trunk_type: 'extension', phone_number: phoneNumber }).expect(422);
        expect(Object.keys(body.errors)).toEqual(['phone_number']);
      },
    );

    it.each([undefined, null, []])('requires allowed_inbound_ips with ip, %p is none', async (ips) => {
      const { body } = await create({ inbound_authorization_type: 'ip', allowed_inbound_ips: ips }).expect(
        422,
      );
      const text =
        'O campo allowed_inbound_ips deve ter pelo menos um endereço IP quando o tipo de autorização é ip.';
      expect(body).toEqual({ message: text, errors: { allowed_inbound_ips: [text] } });
    });

    it.each(['0.0.0.0/0', '203.0.113.0/23', '::/0', '2001:db8::/47', '::ffff:0.0.0.0/96', '64:ff9b::/96'])(
      'refuses the range %s, which many organizations share',
      async (range) => {
        const request = { inbound_authorization_type: 'ip', allowed_inbound_ips: ['198.51.100.20', range] };
        const { body } = await create(request).expect(422);
        const text = `O campo allowed_inbound_ips tem faixas amplas demais: ${range}. Informe faixas de até /24 (IPv4) ou /48 (IPv6), ou endereços avulsos.`;
        expect(body).toEqual({ message: text, errors: { allowed_inbound_ips: [text] } });
        const id = await created({ ...request, allowed_inbound_ips: ['198.51.100.20'] });
        await update(id, { allowed_inbound_ips: [range] }).expect(422);
        expect((await read(id)).allowed_inbound_ips).toEqual(['198.51.100.20']);
      },
    );

    it('keeps a wide range that was stored before it was refused, and takes no other one', async () => {
      const id = await created({
        inbound_authorization_type: 'ip',
        allowed_inbound_ips: ['198.51.100.20'],
      });
      await database.query("UPDATE sip_trunks SET allowed_inbound_ips = '{10.0.0.0/8}' WHERE id = $1", [id]);
      await update(id, { nickname: 'Matriz' }).expect(200);
      await update(id, { allowed_inbound_ips: ['10.0.0.0/8', '198.51.100.20'] }).expect(200);
      await update(id, { allowed_inbound_ips: ['10.0.0.0/7'] }).expect(422);
      expect((await read(id)).allowed_inbound_ips).toEqual(['10.0.0.0/8', '198.51.100.20']);
      await update(id, { allowed_inbound_ips: ['198.51.100.20'] }).expect(200);
      await update(id, { allowed_inbound_ips: ['10.0.0.0/8'] }).expect(422);
    });

    it('names all wrong fields at once', async () => {
      const { body } = await create({
        phone_number: 'abc',
        sip_address: 'localhost',
        inbound_authorization_type: 'ip',
      }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['phone_number', 'sip_address', 'allowed_inbound_ips']);
    });

    it('answers 409 {error} for the same number, username and address, and keeps one', async () => {
      const request = trunkBody({ phone_number: '+14155550111' });
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
      const request = trunkBody();
      const post = (body: object, who = account) => app.as(who).post(TRUNKS).send(body).expect(201);
      await post(request);
      await post({ ...request, phone_number: '+14155550122' });
      await post({ ...request, sip_username: `${request.sip_username}x` });
      await post({ ...request, sip_address: 'sip2.example.com' });
      await post(request, other);
    });

    it('makes one of many that come at the same time', async () => {
      const request = trunkBody();
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
      const first = trunkBody();
      await app.as(account).post(TRUNKS).send(first).expect(201);
      const id = await created();
      expect((await update(id, { sip_username: first.sip_username }).expect(409)).body).toEqual(EXISTS);
    });

    it('changes number and username together although one of them alone would collide', async () => {
      const first = trunkBody({ phone_number: '+14155550177' });
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
      const request = trunkBody();
      const { body } = await app.as(account).post(TRUNKS).send(request).expect(201);
      await app.as(account).delete(`/api/user/phone-numbers/${body.data.id}`).expect(200);
      await app.as(account).get(`${TRUNKS}/${body.data.id}`).expect(404);
      expect(await database.query('SELECT 1 FROM sip_trunks WHERE id = $1', [body.data.id])).toEqual([]);
      await app.as(account).post(TRUNKS).send(request).expect(201);
    });
  });
});
