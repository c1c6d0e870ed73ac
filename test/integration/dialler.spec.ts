import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  addPhoneNumber,
  createCampaign,
  createLead,
  createOutboundAssistant,
} from '../support/campaign-builders.js';

let app: TestApp;
let owner: TestAccount;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'prosa-dialler-'));
  app = await TestApp.start({
    PROSA_ROLES: 'api,worker',
    SANDBOX_SPEED: '2000',
    DATA_DIR: dataDir,
    DATABASE_POOL_SIZE: '16',
  });
  owner = await app.account({ balanceUsd: 50 });
}, 60_000);

afterAll(async () => {
  await app.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A number that the sandbox answers by its last two digits. */
const ending = (digits: string, n = 0) => `+551191${String(10_000 + n)}${digits}`;

async function campaignOf(
  numbers: readonly string[],
  settings: Record<string, unknown> = {},
): Promise<{ id: number; leads: number[] }> {
  const assistant = await createOutboundAssistant(app, owner);
  await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
  const phoneNumbers = [await addPhoneNumber(app, owner), await addPhoneNumber(app, owner)];
  const id = await createCampaign(app, owner, {
    assistant_id: assistant,
    phone_number_ids: phoneNumbers,
    max_retries: 2,
    retry_interval: 10,
    ...settings,
  });
  const leads: number[] = [];
  for (const phone of numbers) leads.push(await createLead(app, owner, id, { phone_number: phone }));
  return { id, leads };
}

const start = (id: number) =>
  app
    .as(owner)
    .post('/api/user/campaigns/update-status')
    .send({ campaign_id: id, action: 'start' })
    .expect(200);

const statusOf = async (id: number) =>
  (await app.query<{ status: string }>('SELECT status FROM campaigns WHERE id = $1', [id]))[0]?.status;

async function until(what: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const attemptsOf = (leadId: number) =>
  app.query<{ number: number; outcome: string; from_phone_number: string }>(
    'SELECT number, outcome, from_phone_number FROM dial_attempts WHERE lead_id = $1 ORDER BY number',
    [leadId],
  );

const leadStatus = async (id: number) =>
  (await app.query<{ status: string }>('SELECT status FROM leads WHERE id = $1', [id]))[0]?.status;

describe('a campaign on the sandbox carrier', () => {
  it('calls every lead to its end, retries the unreached and completes', async () => {
    const { id, leads } = await campaignOf(
      ['00', '01', '02', '03', '04', '05', '06'].map((end) => ending(end)),
    );
    await start(id);
    await until(async () => (await statusOf(id)) === 'completed');

    const outcomes = await Promise.all(
      leads.map(async (lead) => (await attemptsOf(lead)).map(({ outcome }) => outcome)),
    );
    expect(outcomes).toEqual([
      ['answered'],
      ['busy', 'busy', 'busy'],
      ['no-answer', 'no-answer', 'no-answer'],
      ['voicemail'],
      ['failed', 'failed', 'failed'],
      ['answered'],
      ['busy', 'answered'],
    ]);
    expect(await Promise.all(leads.map(leadStatus))).toEqual([
      'completed',
      'reached-max-retries',
      'reached-max-retries',
      'completed',
      'reached-max-retries',
      'completed',
      'completed',
    ]);
  }, 40_000);

  it('calls from the numbers of the pool in turn', async () => {
    const { id, leads } = await campaignOf([ending('01', 50)]);
    await start(id);
    await until(async () => (await statusOf(id)) === 'completed');
    const used = (await attemptsOf(leads[0] ?? 0)).map((attempt) => attempt.from_phone_number);
    expect(new Set(used).size).toBe(2);
    expect(used[0]).toBe(used[2]);
  }, 40_000);

  it('calls secondary contacts in their order when the lead was not reached, and no further than needed', async () => {
    const { id } = await campaignOf([], { max_retries: 1 });
    const lead = await createLead(app, owner, id, {
      phone_number: ending('01', 60),
      secondary_contacts: [
        { phone_number: ending('02', 61) },
        { phone_number: ending('00', 62) },
        { phone_number: ending('00', 63) },
      ],
    });
    await start(id);
    await until(async () => (await statusOf(id)) === 'completed');
    const dialled = await app.query<{ to: string }>(
      'SELECT to_phone_number AS to FROM dial_attempts WHERE campaign_id = $1 ORDER BY created_at',
      [id],
    );
    expect(dialled.map(({ to }) => to)).toEqual([
      ending('01', 60),
      ending('01', 60),
      ending('02', 61),
      ending('02', 61),
      ending('00', 62),
    ]);
    const statuses = await app.query<{ status: string }>(
      'SELECT status FROM leads WHERE id = $1 OR parent_id = $1 ORDER BY position',
      [lead],
    );
    expect(statuses.map(({ status }) => status)).toEqual([
      'reached-max-retries',
      'reached-max-retries',
      'completed',
      'created',
    ]);
  }, 40_000);

  it('stays within its parallel limit and stops at once', async () => {
    const numbers = Array.from({ length: 40 }, (_, n) => ending('02', 100 + n));
    const { id } = await campaignOf(numbers, { max_calls_in_parallel: 2 });
    await start(id);
    await until(async () => {
      const [row] = await app.query<{ count: string }>(
        'SELECT count(*) FROM dial_attempts WHERE campaign_id = $1',
        [id],
      );
      return Number(row?.count) > 4;
    });
    await app
      .as(owner)
      .post('/api/user/campaigns/update-status')
      .send({ campaign_id: id, action: 'stop' })
      .expect(200);
    const attempts = async () =>
      (await app.query<{ id: string }>('SELECT id FROM dial_attempts WHERE campaign_id = $1', [id])).map(
        (attempt) => attempt.id,
      );
    const atStop = await attempts();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    // One that was reserved and not sent yet is taken back; none comes anew.
    expect(atStop).toEqual(expect.arrayContaining(await attempts()));
    const live = await app.query(
      "SELECT FROM calls WHERE campaign_id = $1 AND status IN ('initiated', 'ringing', 'in-progress')",
      [id],
    );
    expect(live).toHaveLength(0);
  }, 40_000);
});
