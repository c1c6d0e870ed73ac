import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { Transactions } from '../../src/database/transactions.js';
import { OutboundCallsService } from '../../src/modules/outbound-calls/outbound-calls.service.js';
import { DialClaimsRepository } from '../../src/modules/campaigns/dialler/claims/dial-claims.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createSipTrunk } from '../support/builders.js';
import { addCall, addRun } from '../support/call-rows.js';
import {
  addPhoneNumber,
  createCampaign,
  createLead,
  createOutboundAssistant,
} from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const CUSTOMER = '+5521976543210';

describe('one person, whom two campaigns of an account call', () => {
  let app: TestApp;
  let owner: TestAccount;
  let stranger: TestAccount;
  let assistantId: number;
  let campaigns: number[];

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 50 });
    stranger = await app.account({ balanceUsd: 50 });
    assistantId = await createOutboundAssistant(app, owner);
    campaigns = [await createCampaign(app, owner), await createCampaign(app, owner)];
  }, 60_000);
  beforeEach(() => app.query('DELETE FROM active_calls'));
  afterAll(() => app.stop());

  /** As a claim of the campaign does it; null: as `make_call`. */
  const reserve = (campaignId: number | null, ...numbers: string[]) =>
    app.app.get(Transactions).run(async (tx) => {
      const order = {
        userId: owner.userId,
        assistantId,
        campaign: campaignId === null ? null : { id: campaignId, name: 'Renovação' },
      };
      const callees = numbers.map((to) => ({
        attemptId: randomUUID(),
        leadId: null,
        from: '+551130000000',
        phoneNumberId: null,
        to,
        variables: {},
      }));
      const { calls, onThePhone, refused } = await app.app
        .get(OutboundCallsService, { strict: false })
        .reserveAll(tx, order, callees);
      expect(refused.size).toBe(0);
      return callees.map(({ attemptId }) =>
        calls.has(attemptId) ? 'reserved' : onThePhone.has(attemptId) ? 'waits' : 'no room',
      );
    });

  async function callWith(customer: string, set: string, account = owner): Promise<void> {
    const database = app.app.get(Database);
    const callId = await addCall(database, account.userId);
    await app.query('UPDATE calls SET client_phone_number = $2 WHERE id = $1', [callId, customer]);
    await addRun(database, callId, account.userId, set);
  }

  it('is called by one of them, however close they come to each other', async () => {
    for (let round = 0; round < 10; round++) {
      await app.query('DELETE FROM active_calls');
      const results = await Promise.all(
        [...campaigns, ...campaigns].map((campaign) => reserve(campaign, CUSTOMER)),
      );
      expect(results.flat().toSorted()).toEqual(['reserved', 'waits', 'waits', 'waits']);
    }
  }, 60_000);

  it.each([
    ["stage = 'waiting'", 'waits'],
    ["stage = 'placing'", 'waits'],
    ["stage = 'open'", 'waits'],
    ["stage = 'evaluating'", 'reserved'],
    ["stage = 'open', end_requested_at = now()", 'waits'],
    ["stage = 'open', end_requested_at = now() - interval '7 seconds'", 'reserved'],
  ])('while another call with it has %s: %s', async (set, result) => {
    await callWith(CUSTOMER, set);
    expect(await reserve(campaigns[0]!, CUSTOMER)).toEqual([result]);
  });

  it('waits for a call that came in, and not for one of another account', async () => {
    await callWith(CUSTOMER, "stage = 'open'", stranger);
    expect(await reserve(campaigns[0]!, CUSTOMER)).toEqual(['reserved']);
    await app.query('DELETE FROM active_calls');
    await callWith(CUSTOMER, "stage = 'open'");
    await app.query("UPDATE calls SET type = 'inbound' WHERE client_phone_number = $1", [CUSTOMER]);
    expect(await reserve(campaigns[0]!, CUSTOMER)).toEqual(['waits']);
  });

  it('is one person in each form of the number, also within one claim', async () => {
    const old = '+552176543210';
    expect(await reserve(campaigns[0]!, old, CUSTOMER, '+5521976543211')).toEqual([
      'reserved',
      'waits',
      'reserved',
    ]);
    expect(await reserve(campaigns[1]!, CUSTOMER, old)).toEqual(['waits', 'waits']);
  });

  it('may be called by the API while a campaign talks to it, as the caller of the API has decided so', async () => {
    expect(await reserve(campaigns[0]!, CUSTOMER)).toEqual(['reserved']);
    expect(await reserve(null, CUSTOMER)).toEqual(['reserved']);
  });
});

describe('a number that an account has on two trunks', () => {
  let app: TestApp;
  let owner: TestAccount;
  let trunks: number[];

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 50 });
    trunks = [await trunk('one.example.com'), await trunk('two.example.com')];
  }, 60_000);
  beforeEach(() => app.query('DELETE FROM active_calls'));
  afterAll(() => app.stop());

  const trunk = (host: string) =>
    createSipTrunk(app, owner, { phone_number: '+551130001234', sip_username: 'prosa', sip_address: host });

  const placedBy = async () =>
    (await app.query<{ phone_number_id: number }>('SELECT phone_number_id FROM active_calls')).map(
      (row) => row.phone_number_id,
    );

  it.each([0, 1])('calls from the one that a campaign names: %i', async (chosen) => {
    const id = await createCampaign(app, owner, { phone_number_ids: [trunks[chosen]] });
    await createLead(app, owner, id, { phone_number: CUSTOMER });
    await app.app.get(Transactions).run(async (tx) => {
      const campaign = {
        id,
        name: 'C',
        userId: owner.userId,
        assistantId: 0,
        maxCallsInParallel: 5,
        maxRetries: 1,
      };
      const [lead] = await new DialClaimsRepository(app.app.get(Database)).pickDue(campaign, null, 5, [], tx);
      expect(lead).toMatchObject({ from: '+551130001234', phoneNumberId: trunks[chosen] });
    });
  });

  it.each([0, 1])('calls from the one that the assistant of a campaign has: %i', async (chosen) => {
    const assistant = await createOutboundAssistant(app, owner, { phone_number_id: trunks[chosen] });
    const id = await createCampaign(app, owner, { assistant_id: assistant });
    await createLead(app, owner, id, { phone_number: CUSTOMER });
    await app.app.get(Transactions).run(async (tx) => {
      const campaign = {
        id,
        name: 'C',
        userId: owner.userId,
        assistantId: 0,
        maxCallsInParallel: 5,
        maxRetries: 1,
      };
      const [lead] = await new DialClaimsRepository(app.app.get(Database)).pickDue(campaign, null, 5, [], tx);
      expect(lead).toMatchObject({ from: '+551130001234', phoneNumberId: trunks[chosen] });
    });
  });

  it.each([0, 1])('calls from the one that the assistant has, by the API: %i', async (chosen) => {
    const assistant = await createOutboundAssistant(app, owner, { phone_number_id: trunks[chosen] });
    const request = { phone_number: `+552197654321${chosen}`, assistant_id: assistant };
    const { body } = await app.as(owner).post('/api/user/make_call').send(request);
    expect(body).toMatchObject({ status: 'initiated' });
    expect(await placedBy()).toEqual([trunks[chosen]]);
  });
});

describe('two campaigns with the same lead, on the sandbox carrier', () => {
  let app: TestApp;
  let owner: TestAccount;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-one-phone-'));
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '20', DATA_DIR: dataDir });
    owner = await app.account({ balanceUsd: 50 });
  }, 60_000);
  afterAll(async () => {
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('call it one after the other, and both complete', async () => {
    const ids: number[] = [];
    for (let at = 0; at < 2; at++) {
      const assistant = await createOutboundAssistant(app, owner);
      await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
      const id = await createCampaign(app, owner, {
        assistant_id: assistant,
        phone_number_ids: [await addPhoneNumber(app, owner)],
      });
      await createLead(app, owner, id, { phone_number: CUSTOMER.replace(/..$/, '00') });
      ids.push(id);
    }
    for (const id of ids) {
      await app
        .as(owner)
        .post('/api/user/campaigns/update-status')
        .send({ campaign_id: id, action: 'start' })
        .expect(200);
    }
    let most = 0;
    await until(async () => {
      const [row] = await app.query<{ open: number; done: number }>(
        `SELECT (SELECT count(*)::int FROM active_calls WHERE stage <> 'evaluating') AS open,
           (SELECT count(*)::int FROM campaigns WHERE status = 'completed') AS done`,
      );
      most = Math.max(most, row?.open ?? 0);
      return row?.done === 2;
    }, 60_000);
    expect(most).toBe(1);
    const calls = await app.query<{ attempts: number }>(
      'SELECT count(*)::int AS attempts FROM dial_attempts GROUP BY lead_id',
    );
    expect(calls).toEqual([{ attempts: 1 }, { attempts: 1 }]);
  }, 90_000);
});
