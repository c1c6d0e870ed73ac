import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NumberLookupsService } from '../../src/modules/inbound-routing/lookups/number-lookups.service.js';
import { NO_ROUTING } from '../../src/modules/inbound-routing/number-routing.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';

describe('the lookup of a call that several processes hear of', () => {
  let app: TestApp;
  let crm: LocalServer;
  let owner: TestAccount;
  let phoneNumberId: number;
  let lookups: NumberLookupsService;
  let asked = 0;

  beforeAll(async () => {
    app = await TestApp.start({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    crm = await LocalServer.start((_request, response) => {
      asked++;
      answerJson(response, { nome: 'Ana' });
    });
    owner = await app.account();
    phoneNumberId = await addPhoneNumber(app, owner);
    lookups = app.app.get(NumberLookupsService, { strict: false });
  }, 120_000);
  beforeEach(async () => {
    asked = 0;
    await app.query('DELETE FROM number_lookups');
  });
  afterAll(async () => {
    await app.stop();
    await crm.stop();
  });

  /** As a process asks. */
  const ask = (offerId: string) =>
    lookups.ask(
      {
        id: phoneNumberId,
        userId: owner.userId,
        phoneNumber: '+551130000000',
        routing: { ...NO_ROUTING, lookupUrl: `${crm.url}/who` },
      },
      { offerId, customerPhone: 'anonymous', at: new Date(), callId: 1, sipHeaders: {} },
    );

  it('is asked by one of them', async () => {
    const answers = await Promise.all([ask('call'), ask('call'), ask('call'), ask('another')]);
    expect(asked).toBe(2);
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(2);
    expect(await ask('call')).toBe('taken');
  });

  it('is asked again by another one when the first has died with it', async () => {
    await ask('call');
    await app.query("UPDATE number_lookups SET at = now() - interval '11 seconds', status = NULL");
    expect(await ask('call')).toMatchObject({ status: 'ok', answer: { variables: { nome: 'Ana' } } });
    expect(asked).toBe(2);
  });
});
