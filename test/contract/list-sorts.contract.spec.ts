import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { createCampaign, createLead, phoneNumber } from '../support/campaign-builders.js';

describe('the order of lists', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 5 });
  });
  afterAll(() => app.stop());

  const get = async (path: string, query: object) =>
    (await app.as(owner).get(path).query(query).expect(200)).body;
  const idsOf = ({ data }: { data: readonly { id: number | string }[] }) => data.map(({ id }) => id);
  async function expectRefused(path: string, values: string) {
    const { body } = await app.as(owner).get(path).query({ sort: 'price' }).expect(422);
    expect(body.errors.sort[0]).toContain(values);
  }

  describe('of calls', () => {
    const PATH = '/api/user/calls';

    beforeAll(async () => {
      // More than one day and more than a thousand: pages that are far down are found by the counts of days.
      await app.query(
        `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, created_at)
         SELECT $1, 'Vendas', CASE WHEN n % 7 = 0 THEN 'inbound' ELSE 'outbound' END, 'completed', '+5511987650000',
           timestamptz '2026-01-01' + n * interval '1 hour' FROM generate_series(1, 1204) AS n`,
        [owner.userId],
      );
    });

    it.each([
      {},
      { type: 'inbound' },
      { type: 'inbound', status: 'completed' },
      { phone_number: '+5511987650000' },
    ])(
      'turns the whole list around with %j',
      async (filter) => {
        const { total } = await get(PATH, filter);
        const all = async (sort: string) => {
          const ids: (number | string)[] = [];
          for (let page = 1; ids.length < total; page++) {
            ids.push(...idsOf(await get(PATH, { ...filter, sort, per_page: 100, page })));
          }
          return ids;
        };
        expect(await all('oldest')).toEqual((await all('newest')).toReversed());
        expect(await get(PATH, filter)).toMatchObject({
          data: (await get(PATH, { ...filter, sort: 'newest' })).data,
        });
      },
      60_000,
    );

    it('keeps the page object, its addresses and the last page, which is not full', async () => {
      const body = await get(PATH, { sort: 'oldest', per_page: 100, page: 13 });
      expect(body).toMatchObject({ total: 1204, last_page: 13, from: 1201, to: 1204, next_page_url: null });
      expect(body.prev_page_url).toContain('sort=oldest');
      expect(body.data).toHaveLength(4);
      expect(await get(PATH, { sort: 'oldest', per_page: 100, page: 14 })).toMatchObject({
        data: [],
        total: 1204,
      });
    });

    it('refuses another one', () => expectRefused(PATH, 'newest, oldest'));
  });

  it('of leads is turned around, within a campaign', async () => {
    const campaign = await createCampaign(app, owner);
    const leads = [];
    for (const n of [3, 1, 2])
      leads.push(await createLead(app, owner, campaign, { phone_number: phoneNumber(n) }));
    const list = (query: object) => get('/api/user/leads', { campaign_id: campaign, ...query });
    expect(idsOf(await list({}))).toEqual(leads.toReversed());
    expect(idsOf(await list({ sort: 'oldest' }))).toEqual(leads);
    expect(idsOf(await list({ sort: 'oldest', per_page: 2, page: 2 }))).toEqual([leads[2]]);
    await expectRefused('/api/user/leads', 'newest, oldest');
  });

  it('of numbers that are never called is turned around, or by number', async () => {
    const PATH = '/api/user/do-not-call';
    const numbers = ['+5511987650003', '+5511987650001', '+5511987650002'];
    for (const phone_number of numbers) await app.as(owner).post(PATH).send({ phone_number }).expect(201);
    const listed = async (query: object) =>
      (await get(PATH, query)).data.map(({ phone_number }: { phone_number: string }) => phone_number);
    expect(await listed({})).toEqual(numbers.toReversed());
    expect(await listed({ sort: 'oldest' })).toEqual(numbers);
    expect(await listed({ sort: 'number' })).toEqual(numbers.toSorted());
    await expectRefused(PATH, 'newest, oldest, number');
  });

  it('of conversations is turned around, and paged by a cursor of its own', async () => {
    const PATH = '/api/user/conversations';
    const assistant = await createAssistant(app, owner);
    const uuids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const uuid = await openConversation(app, assistant, {}, owner);
      await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
      uuids.push(uuid);
    }
    // Without a message of the customer: in no list by activity.
    await openConversation(app, assistant, {}, owner);
    expect(idsOf(await get(PATH, { sort: 'activity' }))).toEqual(uuids.toReversed());
    const first = await get(PATH, { sort: 'oldest_activity', per_page: 2 });
    expect(idsOf(first)).toEqual(uuids.slice(0, 2));
    expect(first.prev_cursor).toBeNull();
    const second = await get(PATH, { sort: 'oldest_activity', per_page: 2, cursor: first.next_cursor });
    expect(idsOf(second)).toEqual([uuids[2]]);
    expect(second.next_cursor).toBeNull();
    const back = await get(PATH, { sort: 'oldest_activity', per_page: 2, cursor: second.prev_cursor });
    expect(back.data).toEqual(first.data);
    await app.as(owner).get(PATH).query({ sort: 'activity', cursor: first.next_cursor }).expect(422);
    await expectRefused(PATH, 'created, activity, oldest_activity');
  });
});
