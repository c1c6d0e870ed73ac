import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallCarriers } from '../../src/providers/telephony/call-carriers.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import {
  addPhoneNumber,
  createCampaign,
  createLead,
  createOutboundAssistant,
} from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const COUNTRY = 'Chamadas para o país deste número não são permitidas';
const KIND =
  'Chamadas para este tipo de número não são permitidas: tarifa especial, satélite e serviços semelhantes';

/** Owners of such numbers earn by each call to them. */
const COSTLY = [
  ['an international premium number', '+979123456789'],
  ['a satellite phone of Iridium', '+881612345678'],
  ['a satellite phone of Inmarsat', '+870773111632'],
  ['a personal number without a country', '+878101234567890'],
  ['an international network', '+882421234567'],
  ['another international network', '+883510012345'],
  ['relief operations', '+88812345678901'],
  ['a premium number, BR', '+559001234567'],
  ['a premium number, BR, with a digit too many', '+5590012345678'],
  ['a premium number, US', '+19005550123'],
  ['a premium number, GB', '+449098790123'],
  ['a premium number, DE', '+499001234567'],
  ['shared cost, BR', '+5540041234'],
  ['a personal number, GB', '+447012345678'],
  ['a pager, GB', '+447640123456'],
] as const;

/** Of the examples of the specification, of the documents, and of the sandbox. */
const ORDINARY = [
  ['a mobile', '+5511987654300'],
  ['a fixed line', '+551133334444'],
  ['a mobile without its ninth digit', '+551187654321'],
  ['toll-free, BR', '+558001234567'],
  ['toll-free, US', '+18005550199'],
  ['a number for fiction, US', '+12125550150'],
  ['a number of no known range', '+15551234567'],
  ['a mobile, PT', '+351912345678'],
] as const;

describe('the destinations of calls on carriers that accounts share', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '50' });
  });
  beforeEach(async () => {
    jest.restoreAllMocks();
    owner = await app.account({ balanceUsd: 100 });
    assistant = await createAssistant(app, owner, { type: 'outbound', max_duration: 60 });
  });
  afterAll(() => app.stop());

  const call = (to: string) =>
    app.as(owner).post('/api/user/make_call').send({ phone_number: to, assistant_id: assistant.id });
  const callsMade = () => app.query('SELECT 1 FROM calls WHERE user_id = $1', [owner.userId]);

  it.each(COSTLY)('make_call refuses %s with the reason, and holds no money', async (_what, to) => {
    const { body } = await call(to).expect(422);
    expect(body).toEqual({ message: KIND });
    expect(await callsMade()).toEqual([]);
    const [wallet] = await app.query('SELECT held_micros::int AS held FROM wallets WHERE user_id = $1', [
      owner.userId,
    ]);
    expect(wallet).toEqual({ held: 0 });
  });

  it.each(ORDINARY)('make_call takes %s', async (_what, to) => {
    await call(to).expect(200);
  });

  it('are free on a carrier that the account pays itself', async () => {
    const { fallback } = app.app.get(CallCarriers, { strict: false });
    jest.spyOn(fallback, 'isSharedByAccounts', 'get').mockReturnValue(false);
    await call('+19005550123').expect(200);
  });

  it('end a lead with the reason, without an attempt', async () => {
    const assistantId = await createOutboundAssistant(app, owner, { max_duration: 60 });
    await app.as(owner).put(`/api/user/assistant/${assistantId}`).send({ status: 'active' }).expect(200);
    const campaign = await createCampaign(app, owner, {
      assistant_id: assistantId,
      phone_number_ids: [await addPhoneNumber(app, owner)],
    });
    const premium = await createLead(app, owner, campaign, { phone_number: '+19005550123' });
    const satellite = await createLead(app, owner, campaign, { phone_number: '+881612345678' });
    const ordinary = await createLead(app, owner, campaign, { phone_number: '+5511987654301' });
    const listed = await createLead(app, owner, campaign, { phone_number: '+5511987654300' });
    await app.as(owner).post('/api/user/do-not-call').send({ phone_number: '+5511987654300' }).expect(201);
    await app
      .as(owner)
      .post('/api/user/campaigns/update-status')
      .send({ campaign_id: campaign, action: 'start' })
      .expect(200);
    const read = async (id: number) => (await app.as(owner).get(`/api/user/leads/${id}`).expect(200)).body;
    for (const id of [premium, satellite, listed])
      await until(async () => (await read(id)).status !== 'created', 20_000);
    const outcome = async (id: number) => {
      const { status, refusal_reason: reason } = await read(id);
      return [status, reason];
    };
    expect(await outcome(premium)).toEqual(['reached-max-retries', 'number_type']);
    expect(await outcome(satellite)).toEqual(['reached-max-retries', 'number_type']);
    expect(await outcome(listed)).toEqual(['reached-max-retries', 'do_not_call']);
    await until(
      async () => (await app.query('SELECT 1 FROM dial_attempts WHERE lead_id = $1', [ordinary])).length > 0,
      20_000,
    );
    expect((await outcome(ordinary))[1]).toBeNull();
    const attempts = await app.query('SELECT 1 FROM dial_attempts WHERE lead_id = ANY($1)', [
      [premium, satellite, listed],
    ]);
    expect(attempts).toEqual([]);
    await app.as(owner).put(`/api/user/leads/${premium}`).send({ phone_number: '+12125550150' }).expect(200);
    expect((await read(premium)).refusal_reason).toBeNull();
  }, 60_000);
});

describe('destinations that the operator names', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    app = await TestApp.start({
      CALL_COUNTRIES: 'BR,US,881',
      CALL_NUMBER_TYPES: 'MOBILE,FIXED_LINE_OR_MOBILE',
    });
    owner = await app.account({ balanceUsd: 100 });
    assistant = await createAssistant(app, owner, { type: 'outbound', max_duration: 60 });
  });
  afterAll(() => app.stop());

  it.each([
    ['a mobile', '+5511987654300', 200, undefined],
    ['another country', '+12125550150', 200, undefined],
    ['a named service', '+881612345678', 200, undefined],
    ['a service that is not named', '+870773111632', 422, KIND],
    ['a country that is not named', '+351912345678', 422, COUNTRY],
    ['a neighbour with the same country code', '+18765230123', 422, COUNTRY],
    ['a number of no known country', '+15551234567', 422, COUNTRY],
    ['a kind that is not named', '+551133334444', 422, KIND],
    ['a number of no known range', '+551187654321', 422, KIND],
  ])('admit or refuse %s', async (_what, to, status, message) => {
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: to, assistant_id: assistant.id })
      .expect(status);
    if (message !== undefined) expect(body).toEqual({ message });
  });
});
