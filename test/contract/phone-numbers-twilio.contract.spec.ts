import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EgressClient } from '../../src/common/egress/egress-client.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { FakeTwilio } from '../support/twilio/fake-twilio.js';

const NUMBERS = '/api/user/phone-numbers';

describe('phone numbers of Twilio', () => {
  const [FIRST, SECOND, THIRD] = ['+12125550160', '+12125550161', '+12125550162'] as const;
  let twilio: FakeTwilio;
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    const stock = [FIRST, SECOND, THIRD].map((phone_number) => ({
      phone_number,
      iso_country: 'US',
      type: 'Local' as const,
      address_requirements: 'none' as const,
    }));
    twilio = await FakeTwilio.start(stock);
    app = await TestApp.start({
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      PUBLIC_URL: 'https://prosa.example',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    account = await app.account({ balanceUsd: 10 });
    const egress = app.app.get(EgressClient);
    const request = egress.request.bind(egress);
    // All requests to Twilio go to the fake server of this test.
    jest
      .spyOn(egress, 'request')
      .mockImplementation((asked) =>
        request({ ...asked, url: asked.url.replace(/^https:\/\/(api|pricing)\.twilio\.com/, twilio.url) }),
      );
  });
  afterAll(async () => {
    await app.stop();
    await twilio.stop();
    jest.restoreAllMocks();
  });

  const buy = (phoneNumber: string) =>
    app.as(account).post(`${NUMBERS}/purchase`).send({ phone_number: phoneNumber });
  const rented = () => twilio.numbers.own.map(({ phone_number }) => phone_number);

  it('are found, rented at the price Twilio names, and given back to it', async () => {
    const found = await app.as(account).get(`${NUMBERS}/search`).query({ country_code: 'US' }).expect(200);
    const { body } = await buy(FIRST).expect(201);

    expect(found.body.data.map(({ price }: { price: number }) => price)).toEqual([1.15, 1.15, 1.15]);
    expect([await app.balanceUsd(account), rented()]).toEqual([8.85, [FIRST]]);
    await app.as(account).delete(`${NUMBERS}/${body.data.id}`).expect(200);
    expect(rented()).toEqual([]);
  });

  it('are rented once when the answer of Twilio was lost', async () => {
    const before = await app.balanceUsd(account);
    twilio.troubles.push({ method: 'POST', trouble: { kind: 'lost-answer' } });
    await buy(SECOND).expect(201);

    expect(rented()).toEqual([SECOND]);
    expect(await app.balanceUsd(account)).toBeCloseTo(before - 1.15, 6);
  });

  it('cost nothing while Twilio takes no requests', async () => {
    const before = await app.balanceUsd(account);
    twilio.troubles.push({
      method: 'POST',
      trouble: { kind: 'answer', status: 429, headers: { 'Retry-After': '30' } },
    });
    await buy(THIRD).expect(503);

    expect([await app.balanceUsd(account), rented()]).toEqual([before, [SECOND]]);
  });
});
