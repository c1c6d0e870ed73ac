import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { answerJson, LocalServer, type ReceivedRequest } from '../support/http-server.js';

type Body = Record<string, unknown>;

const NUMBERS = '/api/user/phone-numbers';
const OFFICE = {
  timezone: 'America/Sao_Paulo',
  weekly: [{ days: ['monday'], from: '09:00', to: '18:00' }],
  closed_dates: [],
};
/** Monday, in the hours; and in the evening. */
const OPEN = '2026-12-21T15:00:00Z';
const EVENING = '2026-12-21T22:00:00Z';
const CALLER = '+5511987650000';
const ANSWERED = { status: 'ok', http_status: 200, error: null };

describe('the lookup of a number', () => {
  let app: TestApp;
  let crm: LocalServer;
  let owner: TestAccount;
  let stranger: TestAccount;
  let numberId: number;
  let phoneNumber: string;
  let store: number;
  let night: number;
  let answer: (response: ServerResponse, request: ReceivedRequest) => void;
  let asked: ReceivedRequest[];

  beforeAll(async () => {
    app = await TestApp.start({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    crm = await LocalServer.start((request, response) => {
      asked.push(request);
      answer(response, request);
    });
    owner = await app.account({ balanceUsd: 10 });
    stranger = await app.account({ balanceUsd: 10 });
    numberId = await addPhoneNumber(app, owner);
    const [row] = await app.query<{ phone_number: string }>(
      'SELECT phone_number FROM phone_numbers WHERE id = $1',
      [numberId],
    );
    phoneNumber = row?.phone_number ?? '';
    store = (await createAssistant(app, owner, { name: 'Loja', type: 'inbound', phone_number_id: numberId }))
      .id;
    night = (await createAssistant(app, owner, { name: 'Noite', type: 'inbound' })).id;
  }, 60_000);
  beforeEach(async () => {
    asked = [];
    says({});
    await app.query('DELETE FROM number_routings');
    await app.query('DELETE FROM number_lookups');
  });
  afterAll(async () => {
    await app.stop();
    await crm.stop();
  });

  const says = (body: unknown, status = 200) => {
    answer = (response) => answerJson(response, body, status);
  };
  const path = (id = numberId) => `${NUMBERS}/${id}/routing`;
  const read = async (id = numberId) => (await app.as(owner).get(path(id)).expect(200)).body.data as Body;
  const put = (body: Body, id = numberId) => app.as(owner).put(path(id)).send(body);
  const asks = (body: Body = {}) => put({ lookup_url: `${crm.url}/who`, ...body }).expect(200);
  const test = async (at = OPEN, customer_phone = CALLER) =>
    (await app.as(owner).post(`${path()}/test`).send({ customer_phone, at }).expect(200)).body.data as Body;
  const listed = async (id = numberId) =>
    (
      await app
        .as(owner)
        .get(`${path(id)}/lookups`)
        .expect(200)
    ).body.data as Body[];

  describe('as a setting', () => {
    const settings = async () => {
      const { lookup_url, lookup_timeout_ms } = await read();
      return { lookup_url, lookup_timeout_ms };
    };

    it('changes by what is sent, and null clears it', async () => {
      const lookup_url = 'https://crm.example/who?key=s3cret';
      await put({ lookup_url }).expect(200);
      expect(await settings()).toEqual({ lookup_url, lookup_timeout_ms: 3_000 });
      await put({ lookup_timeout_ms: 7_500 }).expect(200);
      expect(await settings()).toEqual({ lookup_url, lookup_timeout_ms: 7_500 });
      await put({ hours: OFFICE, lookup_timeout_ms: null }).expect(200);
      expect(await settings()).toEqual({ lookup_url, lookup_timeout_ms: 3_000 });
      await put({ lookup_url: null }).expect(200);
      expect(await settings()).toEqual({ lookup_url: null, lookup_timeout_ms: 3_000 });
      expect(await read()).toMatchObject({ hours: OFFICE });
    });

    it('is a routing by itself, and can be sent back as it was read', async () => {
      await put({ lookup_url: 'https://crm.example/who', lookup_timeout_ms: 500 }).expect(200);
      const before = await read();
      const { headers } = await put(before).expect(200);
      expect(headers['prosa-ignored-fields']).toBeUndefined();
      expect(await read()).toEqual(before);
      expect(await app.query('SELECT FROM number_routings')).toHaveLength(1);
      await put({ lookup_url: null }).expect(200);
      expect(await app.query('SELECT FROM number_routings')).toHaveLength(0);
    });

    it.each<[string, Body, string]>([
      ['an address that is none', { lookup_url: 'crm' }, 'lookup_url'],
      ['another protocol', { lookup_url: 'ftp://crm.example/who' }, 'lookup_url'],
      ['credentials in the address', { lookup_url: 'https://a:b@crm.example/who' }, 'lookup_url'],
      ['a time-out that is too short', { lookup_timeout_ms: 499 }, 'lookup_timeout_ms'],
      ['a time-out that is too long', { lookup_timeout_ms: 7_501 }, 'lookup_timeout_ms'],
    ])('refuses %s', async (_title, body, field) => {
      const { body: refused } = await put(body).expect(422);
      expect(Object.keys(refused.errors as Body)).toEqual([field]);
      expect(await app.query('SELECT FROM number_routings')).toHaveLength(0);
    });
  });

  describe('tested', () => {
    it('asks once, signed, and says that it is a test', async () => {
      await asks();
      expect(await test()).toMatchObject({ branch: 'open', assistant_id: store });
      expect(asked).toHaveLength(1);
      const secret = (await app.as(owner).get('/api/user/webhook-secret').expect(200)).body.secret;
      const [request] = asked as [ReceivedRequest];
      const headers = request.headers as Record<string, string>;
      expect(new Webhook(secret).verify(request.body, headers)).toEqual({
        event: 'call.incoming',
        type: 'inbound',
        at: expect.any(String),
        customer_phone: CALLER,
        assistant_phone: phoneNumber,
        phone_number_id: numberId,
        assistant_id: store,
        call_id: null,
        sip_headers: {},
        test: true,
      });
      expect(await app.query('SELECT FROM calls')).toHaveLength(0);
    });

    it('names the assistant that answers at that moment', async () => {
      await asks({ hours: OFFICE, closed: { action: 'assistant', assistant_id: night } });
      await test(EVENING);
      await put({ closed: { action: 'busy' } }).expect(200);
      await test(EVENING);
      const named = asked.map(({ body }) => (JSON.parse(body) as Body).assistant_id);
      expect(named).toEqual([night, null]);
    });

    it('asks no one without a lookup', async () => {
      await put({ hours: OFFICE }).expect(200);
      expect(await test()).toMatchObject({ branch: 'open', lookup: null });
      expect(asked).toEqual([]);
      expect(await listed()).toEqual([]);
    });

    it('leaves the hours to decide where the answer does not, and shows it', async () => {
      await asks({ hours: OFFICE });
      says({ variables: { nome: 'Ana' }, initial_message: 'Olá, {{nome}}!' });
      expect(await test(EVENING)).toMatchObject({
        open: false,
        branch: 'closed',
        action: 'busy',
        reason: 'hours',
        lookup: {
          ...ANSWERED,
          ms: expect.any(Number),
          answer: {
            variables: { nome: 'Ana' },
            assistant_id: null,
            initial_message: 'Olá, {{nome}}!',
            action: null,
            phone_number: null,
          },
        },
      });
    });

    it('wins over the hours with an assistant, or by saying that the call is answered', async () => {
      await asks({ hours: OFFICE });
      const decided = { open: false, branch: 'lookup', action: 'assistant', reason: 'lookup' };
      says({ assistant_id: night });
      expect(await test(EVENING)).toMatchObject({ ...decided, assistant_id: night });
      says({ action: 'answer' });
      expect(await test(EVENING)).toMatchObject({ ...decided, assistant_id: store, assistant_name: 'Loja' });
    });

    it('turns a caller away', async () => {
      await asks();
      says({ action: 'reject', assistant_id: night });
      expect(await test()).toMatchObject({
        open: null,
        branch: 'lookup',
        action: 'reject',
        reason: 'lookup',
        assistant_id: null,
      });
    });

    it.each<[string, (response: ServerResponse) => void, Body]>([
      [
        'an error',
        (response) => answerJson(response, {}, 500),
        { status: 'failed', http_status: 500, error: 'http_status' },
      ],
      [
        'no object',
        (response) => answerJson(response, [1]),
        { status: 'failed', http_status: 200, error: 'not_object' },
      ],
      ['nothing in time', () => undefined, { status: 'timeout', http_status: null, error: null }],
    ])('goes by the hours where the server answers %s', async (_title, answers, outcome) => {
      await asks({ lookup_timeout_ms: 500 });
      answer = answers;
      expect(await test()).toMatchObject({
        branch: 'open',
        assistant_id: store,
        lookup: { ...outcome, answer: null },
      });
      expect(await listed()).toMatchObject([outcome]);
    });

    it("drops an answer that names another account's assistant", async () => {
      await asks();
      const { id } = await createAssistant(app, stranger, { type: 'inbound' });
      says({ assistant_id: id, variables: { nome: 'Ana' } });
      expect(await test()).toMatchObject({
        branch: 'open',
        assistant_id: store,
        lookup: { status: 'ignored', http_status: 200, error: 'unknown_assistant', answer: null },
      });
    });
  });

  describe('in the list of lookups', () => {
    it('is there with its outcome, the newest first, and only ten are kept', async () => {
      await asks();
      for (let status = 200; status < 212; status++) {
        says({}, status);
        await test();
      }
      const lookups = await listed();
      expect(lookups.map(({ http_status }) => http_status)).toEqual(
        Array.from({ length: 10 }, (_, at) => 211 - at),
      );
      expect(lookups[0]).toEqual({
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        call_id: null,
        status: 'ok',
        http_status: 211,
        ms: expect.any(Number),
        error: null,
      });
      expect(await app.query('SELECT FROM number_lookups')).toHaveLength(10);
    });

    it('is not there while it runs', async () => {
      await asks();
      await app.query('INSERT INTO number_lookups (phone_number_id, offer_id, user_id) VALUES ($1, $2, $3)', [
        numberId,
        'running',
        owner.userId,
      ]);
      expect(await listed()).toEqual([]);
    });

    it('is not there for others, and goes with its number', async () => {
      const id = await addPhoneNumber(app, owner);
      await put({ lookup_url: `${crm.url}/who` }, id).expect(200);
      await app
        .as(owner)
        .post(`${path(id)}/test`)
        .send({ customer_phone: CALLER })
        .expect(200);
      expect(await listed(id)).toHaveLength(1);
      expect(await listed()).toEqual([]);
      await app
        .as(stranger)
        .get(`${path(id)}/lookups`)
        .expect(404);
      await app.as(owner).delete(`${NUMBERS}/${id}`).expect(200);
      await app
        .as(owner)
        .get(`${path(id)}/lookups`)
        .expect(404);
      expect(await app.query('SELECT FROM number_lookups WHERE phone_number_id = $1', [id])).toEqual([]);
    });
  });
});
