import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';

type Body = Record<string, unknown>;

const NUMBERS = '/api/user/phone-numbers';
const OFFICE = {
  timezone: 'America/Sao_Paulo',
  weekly: [{ days: ['monday', 'tuesday'], from: '09:00', to: '18:00' }],
  closed_dates: ['2026-12-22'],
};
/** Monday, in the hours; and in the evening. */
const OPEN = '2026-12-21T15:00:00Z';
const EVENING = '2026-12-21T22:00:00Z';

describe('the routing of a number', () => {
  let app: TestApp;
  let owner: TestAccount;
  let stranger: TestAccount;
  let numberId: number;
  let store: number;
  let night: number;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 10 });
    stranger = await app.account({ balanceUsd: 10 });
    numberId = await addPhoneNumber(app, owner);
    store = await assistant('Loja', { phone_number_id: numberId });
    night = await assistant('Noite');
  }, 60_000);
  beforeEach(() => app.query('DELETE FROM number_routings'));
  afterAll(() => app.stop());

  async function assistant(name: string, overrides: Body = {}): Promise<number> {
    return (await createAssistant(app, owner, { name, type: 'inbound', ...overrides })).id;
  }
  const path = (id = numberId) => `${NUMBERS}/${id}/routing`;
  const read = async (id = numberId) =>
    (await app.as(owner).get(path(id)).expect(200)).body.data as Body & { now: Body };
  const put = (body: Body, id = numberId) => app.as(owner).put(path(id)).send(body);
  const test = async (at?: string | null) =>
    (await app.as(owner).post(`${path()}/test`).send({ customer_phone: '+5511987650000', at }).expect(200))
      .body.data as Body;
  const stored = () => app.query('SELECT FROM number_routings WHERE phone_number_id = $1', [numberId]);
  const numberOf = async (id: number) =>
    (
      await app.query<{ phone_number: string }>('SELECT phone_number FROM phone_numbers WHERE id = $1', [id])
    )[0]?.phone_number;
  const errorsOf = async (body: Body) => Object.keys((await put(body).expect(422)).body.errors as Body);

  it('is that of its assistant at any time, as long as there is none', async () => {
    expect(await read()).toEqual({
      hours: null,
      closed: { action: 'busy' },
      unavailable: { action: 'busy' },
      lookup_url: null,
      lookup_timeout_ms: 3_000,
      queue: null,
      now: {
        open: null,
        action: 'assistant',
        assistant_id: store,
        assistant_name: 'Loja',
        phone_number: null,
      },
    });
  });

  it('changes by what is sent, and null clears a part', async () => {
    const { body } = await put({
      hours: OFFICE,
      closed: { action: 'assistant', assistant_id: night },
      unavailable: { action: 'assistant', assistant_id: store },
    }).expect(200);
    expect(body).toMatchObject({
      message: 'Roteamento do número atualizado',
      data: { hours: OFFICE, closed: { action: 'assistant', assistant_id: night } },
    });
    await put({ unavailable: null }).expect(200);
    expect(await read()).toMatchObject({
      hours: OFFICE,
      closed: { action: 'assistant', assistant_id: night },
      unavailable: { action: 'busy' },
    });
    await put({}).expect(200);
    await put({ hours: null }).expect(200);
    expect(await read()).toMatchObject({ hours: null, closed: { action: 'assistant', assistant_id: night } });
  });

  it('lets callers wait, until null ends that', async () => {
    await put({ queue: { max_waiting: 5, max_seconds: 120 } }).expect(200);
    expect(await read()).toMatchObject({ queue: { max_waiting: 5, max_seconds: 120, message: null } });
    const queue = { max_waiting: 50, max_seconds: 900, message: 'Um momento, já vamos atender.' };
    await put({ queue }).expect(200);
    await put({ hours: OFFICE }).expect(200);
    const before = await read();
    expect(before).toMatchObject({ queue });
    await put(before).expect(200);
    expect(await read()).toEqual(before);
    await put({ queue: null, hours: null }).expect(200);
    expect(await read()).toMatchObject({ queue: null });
    expect(await stored()).toHaveLength(0);
  });

  it.each([
    ['no one', { max_waiting: 0, max_seconds: 120 }, 'queue.max_waiting'],
    ['too many', { max_waiting: 51, max_seconds: 120 }, 'queue.max_waiting'],
    ['an unknown number of callers', { max_seconds: 120 }, 'queue.max_waiting'],
    ['four seconds', { max_waiting: 5, max_seconds: 4 }, 'queue.max_seconds'],
    ['too long', { max_waiting: 5, max_seconds: 901 }, 'queue.max_seconds'],
    ['for ever', { max_waiting: 5 }, 'queue.max_seconds'],
    ['with a long message', { max_waiting: 5, max_seconds: 120, message: 'x'.repeat(501) }, 'queue.message'],
  ])('cannot let wait: %s', async (_title, queue, field) => {
    expect(await errorsOf({ queue })).toEqual([field]);
    expect(await read()).toMatchObject({ queue: null });
  });

  it('can be sent back as it was read', async () => {
    await put({ hours: OFFICE, closed: { action: 'assistant', assistant_id: night } }).expect(200);
    const before = await read();
    const answer = await put(before).expect(200);
    expect(answer.headers['prosa-ignored-fields']).toBeUndefined();
    expect(await read()).toEqual(before);
  });

  it('is forgotten where it does what a number without one does', async () => {
    await put({ hours: OFFICE }).expect(200);
    expect(await stored()).toHaveLength(1);
    await put({ hours: null, closed: { action: 'busy' } }).expect(200);
    expect(await stored()).toHaveLength(0);
    await put(await read()).expect(200);
    expect(await stored()).toHaveLength(0);
  });

  it('goes with its number', async () => {
    const id = await addPhoneNumber(app, owner);
    await put({ hours: OFFICE }, id).expect(200);
    await app.as(owner).delete(`${NUMBERS}/${id}`).expect(200);
    await app.as(owner).get(path(id)).expect(404, { error: 'Número de telefone não encontrado' });
    expect(await app.query('SELECT FROM number_routings WHERE phone_number_id = $1', [id])).toHaveLength(0);
  });

  const forwardTo = (phone_number: string) => ({ unavailable: { action: 'forward', phone_number } });
  const weekly = (entry: Body) => ({ hours: { ...OFFICE, weekly: [{ ...OFFICE.weekly[0], ...entry }] } });
  it.each<[string, Body, string]>([
    ['a zone that is none', { hours: { ...OFFICE, timezone: 'Mars/Base' } }, 'hours.timezone'],
    ['no weekly hours', { hours: { ...OFFICE, weekly: [] } }, 'hours.weekly'],
    [
      'more than 50 weekly hours',
      { hours: { ...OFFICE, weekly: Array.from({ length: 51 }, () => OFFICE.weekly[0]) } },
      'hours.weekly',
    ],
    ['no days', weekly({ days: [] }), 'hours.weekly.0.days'],
    ['a day that is none', weekly({ days: ['monday', 'segunda'] }), 'hours.weekly.0.days.1'],
    ['a start at 24:00', weekly({ from: '24:00' }), 'hours.weekly.0.from'],
    ['a start with one digit', weekly({ from: '9:00' }), 'hours.weekly.0.from'],
    ['an end after 24:00', weekly({ to: '24:01' }), 'hours.weekly.0.to'],
    ['an end that is the start', weekly({ from: '09:00', to: '09:00' }), 'hours.weekly.0.to'],
    ['hours without an end', weekly({ to: undefined }), 'hours.weekly.0.to'],
    [
      'a day that does not exist',
      { hours: { ...OFFICE, closed_dates: ['2026-02-30'] } },
      'hours.closed_dates.0',
    ],
    [
      'more than 366 closed dates',
      {
        hours: {
          ...OFFICE,
          closed_dates: Array.from({ length: 367 }, (_, day) =>
            new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
          ),
        },
      },
      'hours.closed_dates',
    ],
    ['hours that are a list', { hours: [] }, 'hours'],
    ['an action that is none', { closed: { action: 'sing' } }, 'closed.action'],
    ['an action that is not offered yet', { unavailable: { action: 'queue' } }, 'unavailable.action'],
    ['a message without a text', { closed: { action: 'message' } }, 'closed.text'],
    ['a message of spaces', { unavailable: { action: 'message', text: '  ' } }, 'unavailable.text'],
    ['a message that is too long', { closed: { action: 'message', text: 'x'.repeat(1_001) } }, 'closed.text'],
    ['a forward without a number', { closed: { action: 'forward' } }, 'closed.phone_number'],
    ['a forward to a number in national form', forwardTo('1130000009'), 'unavailable.phone_number'],
    ['a forward to a number that is none', forwardTo('+550000'), 'unavailable.phone_number'],
    ['a forward to a number of another country', forwardTo('+14155550100'), 'unavailable.phone_number'],
    [
      'a forward to a number that charges its callers',
      forwardTo('+559001234567'),
      'unavailable.phone_number',
    ],
    ['a forward to a number that is a SIP address', forwardTo('sip:a@b.example'), 'unavailable.phone_number'],
    ['an assistant without an id', { closed: { action: 'assistant' } }, 'closed.assistant_id'],
    [
      'an assistant that is not there',
      { unavailable: { action: 'assistant', assistant_id: 1_999_999_999 } },
      'unavailable.assistant_id',
    ],
  ])('refuses %s', async (_title, body, field) => {
    expect(await errorsOf(body)).toEqual([field]);
    expect(await stored()).toHaveLength(0);
  });

  it('takes 366 closed dates, 24:00 and hours that run into the next day', async () => {
    const closed_dates = Array.from({ length: 366 }, (_, day) =>
      new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const entries = [
      { days: ['monday'], from: '00:00', to: '24:00' },
      { days: ['friday'], from: '20:00', to: '02:00' },
    ];
    await put({ hours: { timezone: 'UTC', weekly: entries, closed_dates } }).expect(200);
    expect((await read()).hours).toEqual({ timezone: 'UTC', weekly: entries, closed_dates });
    await put({ hours: { timezone: 'UTC', weekly: entries } }).expect(200);
    expect((await read()).hours).toMatchObject({ closed_dates: [] });
  });

  it("refuses another account's assistant as one that is not there", async () => {
    const { id } = await createAssistant(app, stranger);
    expect(await errorsOf({ closed: { action: 'assistant', assistant_id: id } })).toEqual([
      'closed.assistant_id',
    ]);
  });

  it('keeps an assistant that was deleted, and passes it over', async () => {
    const gone = await assistant('Some dia');
    await put({ hours: OFFICE, closed: { action: 'assistant', assistant_id: gone } }).expect(200);
    await app.as(owner).delete(`/api/user/assistant/${gone}`).expect(200);
    await put(await read()).expect(200);
    expect(await test(EVENING)).toMatchObject({
      branch: 'unavailable',
      action: 'busy',
      reason: 'no_assistant',
    });
    expect(await errorsOf({ unavailable: { action: 'assistant', assistant_id: gone } })).toEqual([
      'unavailable.assistant_id',
    ]);
  });

  it('refuses to forward to a number of the account, and keeps one that became its own later', async () => {
    const own = await numberOf(await addPhoneNumber(app, owner));
    const { body } = await put({ closed: { action: 'forward', phone_number: own } }).expect(422);
    expect(body.errors).toEqual({
      'closed.phone_number': ['O campo closed.phone_number não pode ser um número da sua própria conta.'],
    });
    const target = '+551130000123';
    await put({ closed: { action: 'forward', phone_number: target } }).expect(200);
    await app.query(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type) VALUES ($1, $2, 'BR', 'normal')`,
      [owner.userId, target],
    );
    await put(await read()).expect(200);
    expect(await errorsOf({ unavailable: { action: 'forward', phone_number: target } })).toEqual([
      'unavailable.phone_number',
    ]);
  });

  it('is not there for a number that is only shown to those who are called', async () => {
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type)
       VALUES ($1, '+5511911110000', 'BR', 'caller_id') RETURNING id`,
      [owner.userId],
    );
    const id = row?.id ?? 0;
    const { body } = await app.as(owner).get(path(id)).expect(422);
    expect(body.message).toMatch(/só identifica chamadas/);
    await put({ hours: OFFICE }, id).expect(422);
    await app
      .as(owner)
      .post(`${path(id)}/test`)
      .send({ customer_phone: '+5511987650000' })
      .expect(422);
  });

  it.each(['get', 'put'] as const)('is not there for others: %s', async (method) => {
    await app.as(stranger)[method](path()).send({}).expect(404);
    // Who was granted the number sees it, and not who answers.
    await app.query('INSERT INTO phone_number_grants (phone_number_id, user_id) VALUES ($1, $2)', [
      numberId,
      stranger.userId,
    ]);
    await app.as(stranger)[method](path()).send({}).expect(404);
    const { body } = await app.as(stranger).get(`${NUMBERS}/all`).expect(200);
    expect(body.data).toMatchObject([{ id: numberId, routing: null }]);
    await app.query('DELETE FROM phone_number_grants');
  });

  describe('tested at a moment', () => {
    it('says who answers in its hours, and who does outside of them', async () => {
      await put({ hours: OFFICE, closed: { action: 'assistant', assistant_id: night } }).expect(200);
      expect(await test(OPEN)).toEqual({
        open: true,
        branch: 'open',
        action: 'assistant',
        reason: null,
        assistant_id: store,
        assistant_name: 'Loja',
        phone_number: null,
        text: null,
        lookup: null,
      });
      expect(await test(EVENING)).toEqual({
        open: false,
        branch: 'closed',
        action: 'assistant',
        reason: 'hours',
        assistant_id: night,
        assistant_name: 'Noite',
        phone_number: null,
        text: null,
        lookup: null,
      });
      expect(await test('2026-12-22T15:00:00Z')).toMatchObject({ open: false, reason: 'closed_date' });
    });

    it('says what is spoken', async () => {
      const message = { action: 'message', text: 'a'.repeat(1_000) };
      await put({ hours: OFFICE, closed: message }).expect(200);
      expect((await read()).closed).toEqual(message);
      expect(await test(EVENING)).toEqual({
        open: false,
        branch: 'closed',
        reason: 'hours',
        ...message,
        assistant_id: null,
        assistant_name: null,
        lookup: null,
        phone_number: null,
      });
    });

    it('says where a call is forwarded to', async () => {
      const forward = { action: 'forward', phone_number: '+551130000009' };
      await put({ hours: OFFICE, closed: forward }).expect(200);
      expect((await read()).closed).toEqual(forward);
      expect(await test(EVENING)).toEqual({
        open: false,
        branch: 'closed',
        reason: 'hours',
        ...forward,
        text: null,
        assistant_id: null,
        assistant_name: null,
        lookup: null,
      });
    });

    it('says that the caller hears busy outside of its hours, where nothing else is set', async () => {
      await put({ hours: OFFICE }).expect(200);
      expect(await test(EVENING)).toEqual({
        open: false,
        branch: 'closed',
        action: 'busy',
        reason: 'hours',
        assistant_id: null,
        assistant_name: null,
        phone_number: null,
        text: null,
        lookup: null,
      });
    });

    it('passes over an assistant that its owner has deactivated, and takes one that was never used', async () => {
      await put({
        hours: OFFICE,
        closed: { action: 'assistant', assistant_id: night },
        unavailable: { action: 'assistant', assistant_id: store },
      }).expect(200);
      const switched = (status: string) =>
        app.as(owner).put(`/api/user/assistant/${night}`).send({ status }).expect(200);
      expect(await test(EVENING)).toMatchObject({ branch: 'closed', assistant_id: night });
      await switched('active');
      await switched('inactive');
      expect(await test(EVENING)).toMatchObject({
        branch: 'unavailable',
        assistant_id: store,
        reason: 'no_assistant',
      });
      await switched('active');
    });

    it('is tested at once without a moment, and refuses what is none', async () => {
      expect(await test()).toMatchObject({ open: null, assistant_id: store });
      expect(await test(null)).toMatchObject({ open: null, assistant_id: store });
      const bad = (body: Body) => app.as(owner).post(`${path()}/test`).send(body).expect(422);
      expect(
        Object.keys((await bad({ customer_phone: '+5511987650000', at: '2026-12-24' })).body.errors),
      ).toEqual(['at']);
      expect(Object.keys((await bad({})).body.errors)).toEqual(['customer_phone']);
    });
  });

  it('is in the list of numbers, with those that have none', async () => {
    const other = await addPhoneNumber(app, owner);
    const always = { timezone: 'UTC', weekly: [{ days: ['monday'], from: '00:00', to: '00:01' }] };
    const never = Array.from({ length: 366 }, (_, day) =>
      new Date(Date.now() + (day - 1) * 86_400_000).toISOString().slice(0, 10),
    );
    await put({
      hours: { ...always, closed_dates: never },
      closed: { action: 'assistant', assistant_id: night },
    }).expect(200);
    const { body } = await app.as(owner).get(`${NUMBERS}/all`).expect(200);
    const rows = body.data as { id: number; routing: Body }[];
    expect(rows.find(({ id }) => id === numberId)?.routing).toEqual({
      open: false,
      action: 'assistant',
      assistant_id: night,
      assistant_name: 'Noite',
      phone_number: null,
    });
    expect(rows.find(({ id }) => id === other)?.routing).toEqual({
      open: null,
      action: 'busy',
      assistant_id: null,
      assistant_name: null,
      phone_number: null,
    });
  });
});
