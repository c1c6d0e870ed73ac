import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { createCampaign } from '../support/campaign-builders.js';

const PATH = '/api/user/analytics';
const NO_STATUS = {
  initiated: 0,
  ringing: 0,
  busy: 0,
  'in-progress': 0,
  ended: 0,
  completed: 0,
  ended_by_customer: 0,
  ended_by_assistant: 0,
  'no-answer': 0,
  failed: 0,
};
const NO_CALLS = {
  count: 0,
  by_status: NO_STATUS,
  duration: 0,
  minutes: 0,
  carrier_cost: 0,
  total_cost: 0,
  tokens: null,
  response_ms: null,
};
const NO_CONVERSATIONS = {
  count: 0,
  tests: 0,
  ended: 0,
  with_person: 0,
  messages: 0,
  total_cost: 0,
  tokens: null,
};

/** Input, of it from the cache, output. */
type Tokens = readonly [input: number, cached: number | null, output: number];

interface CallRow {
  readonly at: string;
  readonly status?: string;
  readonly assistant?: number | null;
  readonly campaign?: number | null;
  readonly seconds?: number;
  readonly carrierMicros?: number;
  readonly aiMicros?: number;
  readonly tokens?: Tokens;
  /** Waits of its turns, in milliseconds. */
  readonly waits?: readonly number[];
}

describe('GET /api/user/analytics', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    owner = await app.account();
  });

  async function addCall(row: CallRow, { userId } = owner): Promise<void> {
    const { at, status = 'completed', assistant = null, campaign = null, tokens = [], waits } = row;
    const quality = waits && {
      response_ms: { p50: 0, p95: 0, max: 0 },
      turns: waits.map((ms) => ({ at_ms: 0, response_ms: ms })),
    };
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, assistant_id, campaign_id, created_at, duration_seconds,
         carrier_cost_micros, ai_cost_micros, quality, input_tokens, cached_input_tokens, output_tokens)
       VALUES ($1, 'Loja', 'outbound', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        userId,
        status,
        assistant,
        campaign,
        at,
        row.seconds ?? 0,
        row.carrierMicros ?? 0,
        row.aiMicros ?? 0,
        quality ? JSON.stringify(quality) : null,
        tokens[0],
        tokens[1],
        tokens[2],
      ],
    );
  }

  async function addConversation(
    at: string,
    { id }: CreatedAssistant,
    row: {
      type?: string;
      messages?: number;
      micros?: number;
      ended?: boolean;
      ai?: boolean;
      tokens?: Tokens;
    } = {},
  ): Promise<void> {
    const { type = 'widget', messages = 1, micros = 0, ended = false, ai = true, tokens = [] } = row;
    await app.query(
      `INSERT INTO conversations (id, user_id, assistant_id, type, created_at, message_count, total_cost_micros, ended_at,
         ai_enabled, input_tokens, cached_input_tokens, output_tokens)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, CASE WHEN $7 THEN now() END, $8, $9, $10, $11)`,
      [owner.userId, id, type, at, messages, micros, ended, ai, tokens[0], tokens[1], tokens[2]],
    );
  }

  const read = async (query: string) => (await app.as(owner).get(`${PATH}?${query}`).expect(200)).body;

  it('counts by day, in the time zone of the account, also days without anything', async () => {
    const assistant = await createAssistant(app, owner);
    // Midnight in São Paulo is 03:00 in UTC.
    await addCall({ at: '2026-03-01T02:59:59Z', seconds: 1 });
    await addCall({ at: '2026-03-01T03:00:00Z', seconds: 61, carrierMicros: 12_200, aiMicros: 61_000 });
    await addCall({ at: '2026-03-02T02:59:59.999Z', seconds: 30, carrierMicros: 6_000, aiMicros: 30_000 });
    await addCall({ at: '2026-03-02T01:00:00Z', status: 'busy' });
    await addCall({ at: '2026-03-03T12:00:00Z', status: 'no-answer' });
    await addCall({ at: '2026-03-04T03:00:00Z', seconds: 1 });
    await addConversation('2026-03-03T03:00:00Z', assistant, { messages: 5, micros: 20_000, ended: true });
    await addConversation('2026-03-04T02:00:00Z', assistant, { messages: 3, micros: 10_000, ai: false });
    await addConversation('2026-03-03T12:00:00Z', assistant, { type: 'test', messages: 2 });
    await addConversation('2026-03-04T03:00:00Z', assistant);
    const day = (date: string, calls: object, conversations: object = {}) => ({
      day: date,
      id: null,
      name: null,
      calls: { ...NO_CALLS, ...calls },
      conversations: { ...NO_CONVERSATIONS, ...conversations },
    });
    const first = {
      count: 3,
      by_status: { ...NO_STATUS, completed: 2, busy: 1 },
      duration: 91,
      minutes: 1.52,
      carrier_cost: 0.0182,
      total_cost: 0.1092,
    };
    const third = { count: 1, by_status: { ...NO_STATUS, 'no-answer': 1 } };
    const chats = {
      count: 3,
      tests: 1,
      ended: 1,
      with_person: 1,
      messages: 10,
      total_cost: 0.03,
      tokens: null,
    };
    const response = await app
      .as(owner)
      .get(`${PATH}?from=2026-03-01&to=2026-03-03&group_by=day`)
      .expect(200);
    expect(response.headers['x-prosa-time-zone']).toBe('America/Sao_Paulo');
    expect(response.body).toEqual({
      timezone: 'America/Sao_Paulo',
      from: '2026-03-01',
      to: '2026-03-03',
      group_by: 'day',
      totals: {
        calls: {
          ...NO_CALLS,
          ...first,
          count: 4,
          by_status: { ...NO_STATUS, completed: 2, busy: 1, 'no-answer': 1 },
        },
        conversations: chats,
      },
      groups: [day('2026-03-01', first), day('2026-03-02', {}), day('2026-03-03', third, chats)],
    });
  });

  it('knows days of 23 and of 25 hours', async () => {
    await app.query("UPDATE users SET timezone = 'America/New_York' WHERE id = $1", [owner.userId]);
    for (const at of ['2026-03-08T05:00:00Z', '2026-03-09T03:59:59Z', '2026-03-09T04:00:00Z'])
      await addCall({ at });
    for (const at of ['2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z', '2026-11-02T05:00:00Z'])
      await addCall({ at });
    const countsOf = async (query: string) =>
      (await read(query)).groups.map(({ day, calls }: { day: string; calls: { count: number } }) => [
        day,
        calls.count,
      ]);
    expect(await countsOf('from=2026-03-08&to=2026-03-09')).toEqual([
      ['2026-03-08', 2],
      ['2026-03-09', 1],
    ]);
    expect(await countsOf('from=2026-11-01&to=2026-11-02')).toEqual([
      ['2026-11-01', 2],
      ['2026-11-02', 1],
    ]);
  });

  it('counts by assistant, those with the most first, and deleted ones together', async () => {
    const [shop, help] = [
      await createAssistant(app, owner, { name: 'Loja' }),
      await createAssistant(app, owner, { name: 'Ajuda' }),
    ];
    const at = '2026-03-02T12:00:00Z';
    await addCall({ at, assistant: help.id, seconds: 60, aiMicros: 60_000 });
    await addCall({ at, assistant: help.id });
    await addCall({ at });
    for (let index = 0; index < 3; index++) await addConversation(at, shop, { messages: 2, micros: 10_000 });
    const { groups, totals } = await read('from=2026-03-01&to=2026-03-03&group_by=assistant');
    expect(groups).toMatchObject([
      {
        day: null,
        id: shop.id,
        name: 'Loja',
        calls: NO_CALLS,
        conversations: { count: 3, messages: 6, total_cost: 0.03 },
      },
      {
        id: help.id,
        name: 'Ajuda',
        calls: { count: 2, minutes: 1, total_cost: 0.06 },
        conversations: NO_CONVERSATIONS,
      },
      { id: null, name: null, calls: { count: 1 }, conversations: NO_CONVERSATIONS },
    ]);
    expect(totals).toMatchObject({ calls: { count: 3 }, conversations: { count: 3 } });
  });

  it('counts calls by campaign, and no conversations', async () => {
    const campaign = await createCampaign(app, owner, { name: 'Renovação' });
    const at = '2026-03-02T12:00:00Z';
    await addCall({ at, campaign, seconds: 6 });
    await addCall({ at, campaign, status: 'failed' });
    await addCall({ at });
    const { groups, totals } = await read('from=2026-03-02&to=2026-03-02&group_by=campaign');
    expect(groups).toMatchObject([
      {
        id: campaign,
        name: 'Renovação',
        calls: { count: 2, minutes: 0.1, by_status: { completed: 1, failed: 1 } },
        conversations: null,
      },
      { id: null, name: null, calls: { count: 1 }, conversations: null },
    ]);
    expect(totals.conversations).toBeNull();
  });

  it('says how long customers waited: of all answers, not of averages of calls', async () => {
    const waits = Array.from({ length: 100 }, (_, index) => (index + 1) * 10);
    await addCall({ at: '2026-03-01T12:00:00Z', waits: waits.slice(0, 99) });
    await addCall({ at: '2026-03-02T12:00:00Z', waits: waits.slice(99) });
    await addCall({ at: '2026-03-02T12:00:00Z' });
    const { groups, totals } = await read('from=2026-03-01&to=2026-03-03');
    expect(totals.calls.response_ms).toEqual({ p50: 500, p95: 950, calls: 2, every_nth: 1 });
    expect(groups.map(({ calls }: { calls: { response_ms: unknown } }) => calls.response_ms)).toEqual([
      { p50: 500, p95: 950, calls: 1, every_nth: 1 },
      { p50: 1000, p95: 1000, calls: 1, every_nth: 1 },
      null,
    ]);
  });

  it('adds up the tokens of conversations, and is null where no provider reported any', async () => {
    const [shop, help] = [await createAssistant(app, owner), await createAssistant(app, owner)];
    await addConversation('2026-03-01T12:00:00Z', shop, { tokens: [1_000, null, 100] });
    await addConversation('2026-03-01T13:00:00Z', help, { tokens: [500, 400, 0] });
    await addConversation('2026-03-01T14:00:00Z', help);
    await addConversation('2026-03-02T12:00:00Z', help);
    await addConversation('2026-03-03T12:00:00Z', shop, { tokens: [7, 0, 3] });
    const tokensOf = (body: { groups: { conversations: { tokens: unknown } }[] }) =>
      body.groups.map(({ conversations }) => conversations.tokens);
    const byDay = await read('from=2026-03-01&to=2026-03-03');
    expect(tokensOf(byDay)).toEqual([
      { input: 1_500, cached_input: 400, output: 100, counted: 2 },
      null,
      { input: 7, cached_input: 0, output: 3, counted: 1 },
    ]);
    expect(byDay.totals.conversations.tokens).toEqual({
      input: 1_507,
      cached_input: 400,
      output: 103,
      counted: 3,
    });
    const byAssistant = await read('from=2026-03-01&to=2026-03-03&group_by=assistant');
    expect(tokensOf(byAssistant)).toEqual([
      { input: 500, cached_input: 400, output: 0, counted: 1 },
      { input: 1_007, cached_input: 0, output: 103, counted: 2 },
    ]);
  });

  it('adds up the tokens of calls, of whatever status', async () => {
    const at = '2026-03-02T12:00:00Z';
    const campaign = await createCampaign(app, owner);
    await addCall({ at, campaign, tokens: [3_000_000_000, null, 100] });
    await addCall({ at, campaign, status: 'ended', tokens: [500, 400, 0] });
    await addCall({ at, campaign, status: 'busy' });
    await addCall({ at });
    const { groups, totals } = await read('from=2026-03-02&to=2026-03-02&group_by=campaign');
    const tokens = { input: 3_000_000_500, cached_input: 400, output: 100, counted: 2 };
    expect(groups.map(({ calls }: { calls: { tokens: unknown } }) => calls.tokens)).toEqual([tokens, null]);
    expect(totals.calls.tokens).toEqual(tokens);
  });

  it('tells of the last 30 days, today included, where no days are named', async () => {
    await app.query("UPDATE users SET timezone = 'UTC' WHERE id = $1", [owner.userId]);
    const today = new Date().toISOString().slice(0, 10);
    await addCall({ at: new Date().toISOString() });
    const body = await read('');
    expect(body).toMatchObject({ timezone: 'UTC', group_by: 'day', totals: { calls: { count: 1 } } });
    expect(body.groups).toHaveLength(30);
    expect([body.to, body.groups.at(-1).day]).toEqual([today, today]);
  });

  it.each([
    ['more than 92 days', 'from=2026-01-01&to=2026-04-03', 'from', 'O período pode ter no máximo 92 dias.'],
    [
      'days in the wrong order',
      'from=2026-01-02&to=2026-01-01',
      'from',
      'O campo from não pode ser posterior a to.',
    ],
    ['a day that there is not', 'from=2026-02-30', 'from', expect.any(String)],
    ['another group', 'group_by=hour', 'group_by', expect.any(String)],
  ])('refuses %s', async (_what, query, field, text) => {
    const { body } = await app.as(owner).get(`${PATH}?${query}`).expect(422);
    expect(body.errors).toEqual({ [field]: [text] });
  });

  it('takes 92 days', async () => {
    expect((await read('from=2026-01-01&to=2026-04-02')).groups).toHaveLength(92);
  });

  it('counts nothing of another account', async () => {
    const neighbour = await app.account();
    await addCall({ at: '2026-03-02T12:00:00Z', waits: [10] }, neighbour);
    const { totals } = await read('from=2026-03-01&to=2026-03-03');
    expect(totals).toEqual({ calls: NO_CALLS, conversations: NO_CONVERSATIONS });
  });
});
