import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LeadCountsService } from '../../src/modules/leads/counts/lead-counts.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { settleCounts } from '../support/counts.js';
import { createCampaign, createLead, phoneNumber } from '../support/campaign-builders.js';

let app: TestApp;
let owner: TestAccount;
let campaign: number;

beforeAll(async () => {
  app = await TestApp.start();
});

beforeEach(async () => {
  owner = await app.account();
  campaign = await createCampaign(app, owner, { name: 'Renovação' });
});

afterAll(() => app.stop());

describe('GET /api/user/leads', () => {
  const list = (query = '') => app.as(owner).get(`/api/user/leads${query}`);
  const idsOf = async (query: string) =>
    (await list(query).expect(200)).body.data.map(({ id }: { id: number }) => id);

  it('answers the page object, newest first, with the query kept in its URLs', async () => {
    const ids = [];
    for (let i = 0; i < 5; i++) {
      ids.push(await createLead(app, owner, campaign, { phone_number: phoneNumber(i) }));
    }
    const { body } = await list('?per_page=2&page=2&status=created').expect(200);
    const url = (page: number) =>
      `${new URL(body.path).origin}/api/user/leads?per_page=2&page=${page}&status=created`;
    expect(body).toMatchObject({
      current_page: 2,
      first_page_url: url(1),
      from: 3,
      last_page: 3,
      last_page_url: url(3),
      next_page_url: url(3),
      per_page: 2,
      prev_page_url: url(1),
      to: 4,
      total: 5,
    });
    expect(body.links).toHaveLength(5);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[1]]);
    expect(body.data[0]).toEqual((await app.as(owner).get(`/api/user/leads/${ids[2]}`).expect(200)).body);
  });

  it('has 15 leads a page, and an empty page past the end', async () => {
    const { body } = await list().expect(200);
    expect(body).toMatchObject({ per_page: 15, total: 0, data: [], from: null, to: null });
    await createLead(app, owner, campaign);
    expect((await list('?page=9').expect(200)).body).toMatchObject({ total: 1, data: [], current_page: 9 });
  });

  it("shows neither another account's leads nor those of its campaign", async () => {
    const stranger = await app.account();
    const foreignCampaign = await createCampaign(app, stranger);
    await createLead(app, stranger, foreignCampaign);
    expect((await app.as(stranger).get('/api/user/leads')).body.total).toBeGreaterThan(0);
    expect(await idsOf('')).toEqual([]);
    expect(await idsOf(`?campaign_id=${foreignCampaign}`)).toEqual([]);
  });

  // spec: lead.status, states.lead-created-completed
  it('filters by status, campaign, part of the number and day of creation, alone and together', async () => {
    const other = await createCampaign(app, owner);
    const a = await createLead(app, owner, campaign, { phone_number: '+5511987654321' });
    const b = await createLead(app, owner, campaign, { phone_number: '+5521912345678' });
    const c = await createLead(app, owner, other, { phone_number: '+4930901820' });
    await app.query("UPDATE leads SET status = 'completed' WHERE id = $1", [b]);
    await app.query("UPDATE leads SET created_at = '2026-03-02T02:59:59.9Z' WHERE id = $1", [c]);
    await app.query("UPDATE leads SET created_at = '2026-03-02T03:00:00Z' WHERE id = $1", [a]);

    expect(await idsOf('?status=completed')).toEqual([b]);
    expect(await idsOf('?status=reached-max-retries')).toEqual([]);
    expect(await idsOf(`?campaign_id=${campaign}`)).toEqual([b, a]);
    expect(await idsOf(`?campaign_id=${campaign}&status=created`)).toEqual([a]);

    expect(await idsOf('?phone_number=8765')).toEqual([a]);
    expect(await idsOf('?phone_number=%2B55')).toEqual([b, a]);
    expect(await idsOf('?phone_number=(21)%2091234-5678')).toEqual([b]);
    expect(await idsOf('?phone_number=%25')).toEqual([]);
    expect(await idsOf('?phone_number=_')).toEqual([]);
    expect(await idsOf(`?phone_number=9&campaign_id=${other}`)).toEqual([c]);

    expect(await idsOf('?date_from=2026-03-02&date_to=2026-03-02')).toEqual([a]);
    expect(await idsOf('?date_to=2026-03-01')).toEqual([c]);
    expect(await idsOf('?date_from=2026-03-01&date_to=2026-03-02')).toEqual([a, c]);
    expect(await idsOf('?date_from=2026-03-03&date_to=2026-03-01')).toEqual([]);
    expect(
      await idsOf(`?date_from=2026-03-02&campaign_id=${campaign}&status=completed&phone_number=5521`),
    ).toEqual([b]);
    expect((await list('?phone_number=55&per_page=1')).body).toMatchObject({ total: 2, last_page: 2 });
  });

  it.each([
    ['status=unknown', 'status'],
    ['status=created&status=completed', 'status'],
    ['campaign_id=x', 'campaign_id'],
    ['campaign_id=0', 'campaign_id'],
    ['date_from=2026-02-30', 'date_from'],
    ['date_to=today', 'date_to'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['page=0', 'page'],
    [`phone_number=${'1'.repeat(41)}`, 'phone_number'],
  ])('answers 422 for ?%s', async (query, field) => {
    const { body } = await list(`?${query}`).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it('shows secondary contacts as leads of their own, and with their parent', async () => {
    const lead = await createLead(app, owner, campaign, {
      secondary_contacts: [{ phone_number: phoneNumber(2) }],
    });
    const { body } = await list().expect(200);
    expect(body.total).toBe(2);
    const parent = body.data.find(({ id }: { id: number }) => id === lead);
    const contact = body.data.find(({ id }: { id: number }) => id !== lead);
    expect(parent.secondary_contacts).toMatchObject([{ id: contact.id, phone_number: phoneNumber(2) }]);
    expect(contact).toMatchObject({ parent_id: lead, secondary_contacts: [] });
  });
});

describe('The total of a list of leads', () => {
  let other: number;
  beforeEach(async () => {
    other = await createCampaign(app, owner);
  });

  const change = (id: number, body: object) =>
    app.as(owner).put(`/api/user/leads/${id}`).send(body).expect(200);
  const totalOf = async (query: string) =>
    (await app.as(owner).get(`/api/user/leads?per_page=1&${query}`).expect(200)).body.total;
  const rowsOf = async (where: string) =>
    Number(
      (
        await app.query(`SELECT count(*) AS leads FROM leads WHERE user_id = $1 AND ${where}`, [owner.userId])
      )[0]?.leads,
    );
  /** Both before and after what is left of the changes is settled. */
  const expectExact = async () => {
    for (const settle of [false, true]) {
      if (settle) await settleCounts(app);
      for (const [query, where] of [
        ['', 'true'],
        ['status=created', "status = 'created'"],
        ['status=completed', "status = 'completed'"],
        [`campaign_id=${campaign}`, `campaign_id = ${campaign}`],
        [`campaign_id=${other}`, `campaign_id = ${other}`],
        [`campaign_id=${other}&status=completed`, `campaign_id = ${other} AND status = 'completed'`],
      ] as const) {
        expect([query, settle, await totalOf(query)]).toEqual([query, settle, await rowsOf(where)]);
      }
      const { total, completed } = (
        await app.as(owner).get(`/api/user/campaigns/${other}/progress`).expect(200)
      ).body.leads;
      expect([total, completed]).toEqual([
        await rowsOf(`campaign_id = ${other}`),
        await rowsOf(`campaign_id = ${other} AND status = 'completed'`),
      ]);
    }
  };

  it('follows each way in which leads come, change and go, whatever part of the counts is settled', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 4; i++) {
      const secondary = { secondary_contacts: [{ phone_number: phoneNumber(100 + i) }] };
      ids.push(await createLead(app, owner, campaign, { phone_number: phoneNumber(i), ...secondary }));
    }
    await expectExact();
    await change(ids[0]!, { campaign_id: other });
    await change(ids[1]!, { variables: { name: 'Ana' } });
    await expectExact();
    await app.query("UPDATE leads SET status = 'completed' WHERE id = ANY($1)", [ids.slice(0, 2)]);
    await expectExact();
    await app.as(owner).delete(`/api/user/leads/${ids[2]}`).expect(200);
    await expectExact();
    await app.query('DELETE FROM leads WHERE user_id = $1', [owner.userId]);
    await expectExact();
    expect(await app.query('SELECT FROM lead_counts WHERE user_id = $1', [owner.userId])).toEqual([]);
  });

  it('is exact in the end, while many write and one settles', async () => {
    const work = { isDone: false };
    const write = async (writer: number) => {
      for (let i = 0; i < 12; i++) {
        const number = phoneNumber(writer * 100 + i);
        const id = await createLead(app, owner, i % 2 ? campaign : other, { phone_number: number });
        if (i % 3 === 0) await app.query("UPDATE leads SET status = 'completed' WHERE id = $1", [id]);
        if (i % 4 === 0) await change(id, { campaign_id: other });
        if (i % 5 === 0) await app.as(owner).delete(`/api/user/leads/${id}`).expect(200);
      }
    };
    const settler = (async () => {
      while (!work.isDone) await app.app.get(LeadCountsService).settle();
    })();
    await Promise.all(Array.from({ length: 5 }, (_, writer) => write(writer))).finally(() => {
      work.isDone = true;
    });
    await settler;
    await expectExact();
  });
});
