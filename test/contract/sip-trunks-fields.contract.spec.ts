import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createSipTrunk, sipTrunkBody } from '../support/builders.js';

const TRUNKS = '/api/user/phone-numbers/sip-trunks';

describe('SIP trunks', () => {
  let app: TestApp;
  let database: Database;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({ EGRESS_ALLOW_CIDRS: '10.1.0.0/16' });
    database = app.app.get(Database);
    account = await app.account();
  });
  afterAll(() => app.stop());

  const create = (overrides: Record<string, unknown> = {}) =>
    app.as(account).post(TRUNKS).send(sipTrunkBody(overrides));
  const created = (overrides: Record<string, unknown> = {}) => createSipTrunk(app, account, overrides);
  const update = (id: number, body: object) => app.as(account).put(`${TRUNKS}/${id}`).send(body);
  const read = async (id: number) => (await app.as(account).get(`${TRUNKS}/${id}`).expect(200)).body.data;

  describe('Create SIP trunk', () => {
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
  });
});
