import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '../../src/common/observability/logger.js';
import { ServedTrunksService } from '../../src/modules/phone-numbers/trunk-connections/served-trunks.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createSipTrunk } from '../support/builders.js';

describe('SIP trunks that trust a wide range of addresses', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker,voice', SIP_WIDE_RANGES: 'on' });
    account = await app.account();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => app.stop());

  const addTrunk = (phoneNumber: string, addresses: string[]) =>
    createSipTrunk(app, account, {
      phone_number: phoneNumber,
      inbound_authorization_type: 'ip',
      allowed_inbound_ips: addresses,
    });

  it('are taken where the operator allows them, and named in the log once for each change', async () => {
    const wide = await addTrunk('+14155550101', ['0.0.0.0/0', '198.51.100.20', '2001:db8::/32']);
    await addTrunk('+14155550102', ['198.51.100.0/24']);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const trunks = app.app.get(ServedTrunksService, { strict: false });
    const named = async () => {
      warn.mockClear();
      await trunks.load();
      return warn.mock.calls
        .filter(([message]) => String(message).includes('wide range'))
        .map(([, fields]) => fields);
    };
    expect(await named()).toEqual([
      { trunkId: wide, accountId: account.userId, ranges: ['0.0.0.0/0', '2001:db8::/32'] },
    ]);
    expect(await named()).toEqual([]);
    await app.query("UPDATE sip_trunks SET allowed_inbound_ips = '{10.0.0.0/8}' WHERE id = $1", [wide]);
    expect(await named()).toMatchObject([{ trunkId: wide, ranges: ['10.0.0.0/8'] }]);
  });
});
