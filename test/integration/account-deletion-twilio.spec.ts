import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AccountDeletionRunnerService } from '../../src/modules/account-data/deletion/account-deletion-runner.service.js';
import { NumberReturnsService } from '../../src/modules/phone-numbers/carrier-numbers/number-returns.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { askFakes } from '../support/twilio/ask-fakes.js';
import { FakeTwilio } from '../support/twilio/fake-twilio.js';

const NUMBERS = '/api/user/phone-numbers';
const PASSWORD = 'correct horse battery';
const PUBLIC_URL = 'https://prosa.example';
const OWN_SID = `AC${'a'.repeat(32)}`;
const TOKEN = 'own-token-12d7';
const [OURS, BOUGHT] = ['+12125550170', '+12125550171'];
const CONSOLE_NUMBER = '+12125552170';

/** https://www.twilio.com/docs/phone-numbers/api/availablephonenumberlocal-resource */
const inStock = (phone_number: string) =>
  ({ phone_number, iso_country: 'US', type: 'Local', address_requirements: 'none' }) as const;

describe('The numbers at Twilio of an account that is deleted', () => {
  let ours: FakeTwilio;
  let own: FakeTwilio;
  let app: TestApp;
  let account: TestAccount;
  let carrierAccountId: string;

  beforeAll(async () => {
    ours = await FakeTwilio.start([inStock(OURS)]);
    own = await FakeTwilio.start([inStock(BOUGHT)], OWN_SID);
    app = await TestApp.start({
      TWILIO_ACCOUNT_SID: ours.accountSid,
      TWILIO_AUTH_TOKEN: ours.authToken,
      PUBLIC_URL,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    askFakes(app, [ours, own]);
  });
  beforeEach(async () => {
    own.authToken = TOKEN;
    account = await app.account({ balanceUsd: 10, password: PASSWORD });
  });
  afterEach(() => {
    for (const fake of [ours, own]) {
      fake.troubles.length = 0;
      fake.numbers.own.length = 0;
    }
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await app.stop();
    await Promise.all([ours.stop(), own.stop()]);
  });

  const buy = (phoneNumber: string) =>
    app.as(account).post(`${NUMBERS}/purchase`).send({ phone_number: phoneNumber }).expect(201);

  /** A number that Prosa has bought there, and one that was rented in Twilio's console. */
  async function bringTwilio(): Promise<void> {
    const credentials = { account_sid: OWN_SID, auth_token: TOKEN };
    const { body } = await app
      .as(account)
      .put('/api/user/carrier-accounts/twilio')
      .send(credentials)
      .expect(200);
    carrierAccountId = body.data.id;
    await buy(BOUGHT);
    own.numbers.rentInConsole(CONSOLE_NUMBER);
    await app.as(account).post(`${NUMBERS}/adopt`).send({ phone_number: CONSOLE_NUMBER }).expect(200);
  }

  async function begin(): Promise<number> {
    const { body } = await app
      .as(account)
      .delete('/api/user/me')
      .send({ email: account.email, password: PASSWORD })
      .expect(202);
    return body.data.id;
  }

  async function resume(id: number) {
    await app.app.get(AccountDeletionRunnerService, { strict: false }).run({ deletionId: id });
    const [row] = await app.query('SELECT status, is_waiting FROM account_deletions WHERE id = $1', [id]);
    return row;
  }

  const age = (id: number, interval: string) =>
    app.query('UPDATE account_deletions SET created_at = now() - $2::interval WHERE id = $1', [id, interval]);
  const isAway = (fake: FakeTwilio) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      for (let times = 0; times < 20; times++)
        fake.troubles.push({ method, trouble: { kind: 'answer', status: 503 } });
  };
  const urls = () =>
    Object.fromEntries(own.numbers.own.map(({ phone_number: number, voice_url: url }) => [number, url]));
  const callsOf = (url: string) => ({ [BOUGHT]: url, [CONSOLE_NUMBER]: url });
  const voiceUrl = () => `${PUBLIC_URL}/twilio/accounts/${carrierAccountId}/voice`;
  const left = async () =>
    (
      await app.query<{ name: string }>(
        `SELECT 'credentials' AS name FROM carrier_accounts WHERE user_id = $1
         UNION ALL SELECT 'order' FROM carrier_orders WHERE user_id = $1
         UNION ALL SELECT 'number' FROM phone_numbers WHERE user_id = $1
         UNION ALL SELECT 'account' FROM users WHERE id = $1`,
        [account.userId],
      )
    ).map(({ name }) => name);

  it('stay in its own account there, and send their calls here no more; those of the installation are given back', async () => {
    await buy(OURS);
    await bringTwilio();
    expect(urls()).toEqual(callsOf(voiceUrl()));
    const asked = own.requests.length;

    expect(await resume(await begin())).toEqual({ status: 'completed', is_waiting: false });

    expect([urls(), ours.numbers.own]).toEqual([callsOf(''), []]);
    expect(own.requests.slice(asked).map(({ method }) => method)).not.toContain('DELETE');
    expect(await left()).toEqual([]);
  });

  it('stay unchanged when their calls have been directed elsewhere since', async () => {
    await bringTwilio();
    for (const number of own.numbers.own) number.voice_url = 'https://elsewhere.example/voice';
    expect(await resume(await begin())).toMatchObject({ status: 'completed' });
    expect(urls()).toEqual(callsOf('https://elsewhere.example/voice'));
  });

  it('do not keep it from ending where Twilio refuses the credentials', async () => {
    await bringTwilio();
    own.authToken = 'changed-there';
    expect(await resume(await begin())).toEqual({ status: 'completed', is_waiting: false });
    expect([urls(), await left()]).toEqual([callsOf(voiceUrl()), []]);
  });

  it('are waited for while Twilio is away, and let go of when it is there again', async () => {
    await bringTwilio();
    isAway(own);
    const id = await begin();
    expect(await resume(id)).toEqual({ status: 'processing', is_waiting: true });
    expect(await left()).toEqual(['credentials', 'order', 'order', 'account']);
    own.troubles.length = 0;
    await app.query("UPDATE carrier_orders SET attempted_at = now() - interval '1 hour'");
    await app.app.get(NumberReturnsService, { strict: false }).sweepStaleOrders();
    expect(await resume(id)).toEqual({ status: 'completed', is_waiting: false });
    expect([urls(), await left()]).toEqual([callsOf(''), []]);
  });

  it('are waited for no longer than an hour, and the credentials go all the same', async () => {
    await bringTwilio();
    isAway(own);
    const id = await begin();
    await age(id, '59 minutes');
    expect(await resume(id)).toEqual({ status: 'processing', is_waiting: true });
    await age(id, '1 hour');
    expect(await resume(id)).toEqual({ status: 'completed', is_waiting: false });
    expect(await left()).toEqual([]);
    // What was not asked for in time is not asked for with credentials that are gone.
    expect(await app.app.get(NumberReturnsService, { strict: false }).sweepStaleOrders()).toBe(0);
  });

  it('keep it waiting as long as it takes where the installation would go on paying for them', async () => {
    await buy(OURS);
    isAway(ours);
    const id = await begin();
    await age(id, '2 days');
    expect(await resume(id)).toEqual({ status: 'processing', is_waiting: true });
    ours.troubles.length = 0;
    await app.query("UPDATE carrier_orders SET attempted_at = now() - interval '1 hour'");
    await app.app.get(NumberReturnsService, { strict: false }).sweepStaleOrders();
    expect(await resume(id)).toMatchObject({ status: 'completed' });
    expect(ours.numbers.own).toEqual([]);
  });
});
