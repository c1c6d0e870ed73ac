import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, connect as dial, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { WebSocket } from 'ws';
import { Database } from '../../src/database/database.js';
import { Transactions } from '../../src/database/transactions.js';
import { CallPlacementService } from '../../src/modules/outbound-calls/call-placement.service.js';
import { OutboundCallsService } from '../../src/modules/outbound-calls/outbound-calls.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { freePort } from '../support/free-port.js';
import { askFakes } from '../support/twilio/ask-fakes.js';
import { FakeTwilio } from '../support/twilio/fake-twilio.js';
import { until } from '../support/until.js';

const CUSTOMER = '+14155550100';
/** Rings until it is given up. */
const SILENT = '+14155550102';

/** An account with a number of its own, an assistant that has it, and where that was rented. */
interface Tenant {
  readonly account: TestAccount;
  readonly twilio: FakeTwilio;
  readonly number: string;
  readonly numberId: number;
  readonly assistantId: number;
  /** Of the row of its credentials; null with the installation's. */
  readonly id: string | null;
}

describe('Calls over accounts at Twilio that accounts have brought', () => {
  let app: TestApp;
  let database: Database;
  let forwarder: Server;
  let publicUrl: string;
  let a: Tenant;
  let b: Tenant;
  let ours: Tenant;

  beforeAll(async () => {
    const numbers = ['+12125550170', '+12125550171', '+12125550172'] as const;
    const fakes = await Promise.all(
      numbers.map(async (phone_number, at) => {
        const stock = {
          phone_number,
          iso_country: 'US',
          type: 'Local',
          address_requirements: 'none',
        } as const;
        const fake = await FakeTwilio.start([stock], `AC${String(at).repeat(32)}`);
        fake.authToken = `token-${at}`;
        return fake;
      }),
    );
    const [first, second, third] = fakes as [FakeTwilio, FakeTwilio, FakeTwilio];
    const publicPort = await freePort();
    publicUrl = `http://127.0.0.1:${publicPort}`;
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      CALLING_HOURS: 'off',
      TWILIO_ACCOUNT_SID: third.accountSid,
      TWILIO_AUTH_TOKEN: third.authToken,
      PUBLIC_URL: publicUrl,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    database = app.app.get(Database);
    askFakes(app, [first, second, third]);
    const { port } = new URL(app.origin);
    forwarder = createServer((near) => {
      const far = dial(Number(port), '127.0.0.1');
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
    }).listen(publicPort, '127.0.0.1');
    a = await tenant(first, numbers[0], true);
    b = await tenant(second, numbers[1], true);
    ours = await tenant(third, numbers[2], false);
  }, 120_000);
  afterAll(async () => {
    await app.stop();
    await Promise.all([a, b, ours].map(({ twilio }) => twilio.stop()));
    forwarder.close();
    jest.restoreAllMocks();
  });

  async function tenant(twilio: FakeTwilio, number: string, isOwn: boolean): Promise<Tenant> {
    const account = await app.account({ balanceUsd: 50 });
    let id: string | null = null;
    if (isOwn) {
      const { body } = await app
        .as(account)
        .put('/api/user/carrier-accounts/twilio')
        .send({ account_sid: twilio.accountSid, auth_token: twilio.authToken })
        .expect(200);
      id = body.data.id;
    }
    const buy = () => app.as(account).post('/api/user/phone-numbers/purchase').send({ phone_number: number });
    let bought = await buy();
    // While the voice process loads its models on a busy machine, answers may be too late for the limits of a request.
    await until(async () => {
      if (bought.status === 503) bought = await buy();
      return bought.status !== 503;
    }, 60_000);
    expect(bought.status).toBe(201);
    const numberId = bought.body.data.id as number;
    const assistantId = (await createAssistant(app, account)).id;
    await database.query(
      `UPDATE assistants SET phone_number_id = $1, status = 'active', type = 'inbound' WHERE id = $2`,
      [numberId, assistantId],
    );
    return { account, twilio, number, numberId, assistantId, id };
  }

  const voiceUrl = (id: string | null) => `${publicUrl}/twilio${id === null ? '' : `/accounts/${id}`}/voice`;
  const hasSpoken = ({ twilio }: Tenant, sid: string) =>
    (twilio.calls.heard.get(sid) ?? []).some((payload) => new Set(Buffer.from(payload, 'base64')).size > 10);
  const makeCall = ({ account, assistantId }: Tenant, to = CUSTOMER) =>
    app.as(account).post('/api/user/make_call').send({ phone_number: to, assistant_id: assistantId });
  const statusOf = async ({ account }: Tenant, id: number) =>
    (await app.as(account).get(`/api/user/calls/${id}`).expect(200)).body.status as string;
  const latest = async ({ account }: Tenant) =>
    (await app.as(account).get('/api/user/calls').expect(200)).body.data[0] as { id: number; status: string };
  const goesOut = ({ assistantId }: Tenant) =>
    database.query(`UPDATE assistants SET type = 'outbound' WHERE id = $1`, [assistantId]);
  const lastOf = ({ twilio }: Tenant) => [...twilio.calls.calls.values()].at(-1);
  /** Sends what `signer` has signed. */
  const post = async (url: string, fields: Record<string, string>, signer: FakeTwilio) => {
    const body = new URLSearchParams(fields);
    const headers = { 'X-Twilio-Signature': signer.calls.sign(url, body) };
    const answer = await fetch(url, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };

  it('come in, are answered, and end when the caller hangs up', async () => {
    const sid = a.twilio.calls.callIn(CUSTOMER, a.number, voiceUrl(a.id));
    await until(() => hasSpoken(a, sid), 30_000);
    expect(
      await database.query('SELECT carrier FROM active_calls WHERE carrier_call_id = $1', [sid]),
    ).toEqual([{ carrier: `twilio:${a.id}` }]);
    a.twilio.calls.hangUp(sid);
    await until(async () => ['ended_by_customer', 'completed'].includes((await latest(a)).status), 30_000);
  });

  it('cost nothing for a spoken message, which needs no balance either', async () => {
    const { body: before } = await app.as(a.account).get(`/api/user/phone-numbers/${a.numberId}/routing`);
    const hours = {
      timezone: 'UTC',
      weekly: [{ days: ['monday'], from: '00:00', to: '00:01' }],
      closed_dates: [-1, 0, 1].map((day) =>
        new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10),
      ),
    };
    const route = (body: object) =>
      app.as(a.account).put(`/api/user/phone-numbers/${a.numberId}/routing`).send(body).expect(200);
    await route({ hours, closed: { action: 'message', text: 'Fechado.' } });
    await database.query('UPDATE wallets SET balance_micros = 0 WHERE user_id = $1', [a.account.userId]);
    try {
      const sid = a.twilio.calls.callIn(CUSTOMER, a.number, voiceUrl(a.id));
      await until(() => a.twilio.calls.said.has(sid), 20_000);
      await until(async () => (await latest(a)).status === 'completed', 40_000);
      expect(await latest(a)).toMatchObject({
        total_cost: 0,
        routing: { branch: 'closed', action: 'message', reason: 'closed_date' },
      });
    } finally {
      await database.query('UPDATE wallets SET balance_micros = 50000000 WHERE user_id = $1', [
        a.account.userId,
      ]);
    }
    await route(before.data);
  }, 60_000);

  it('use its credentials, carry sound, end on request, and cost no line price on this platform', async () => {
    await goesOut(a);
    const before = [ours, b].map(({ twilio }) => twilio.requests.length);
    const { body } = await makeCall(a).expect(200);
    const id = Number(body.call_id ?? body.data?.call_id ?? body.data?.id);
    await until(async () => (await statusOf(a, id)) === 'in-progress', 30_000);
    const { sid = '' } = lastOf(a) ?? {};
    await until(() => hasSpoken(a, sid), 30_000);
    const prices = `SELECT carrier_price_per_minute_micros AS line, price_per_minute_micros > 0 AS "isPaid"
      FROM active_calls WHERE call_id = $1`;
    expect(await database.query(prices, [id])).toEqual([{ line: 0, isPaid: true }]);
    await app.as(a.account).post(`/api/user/calls/${id}/hangup`).expect(200);
    await until(() => a.twilio.calls.calls.get(sid)?.status === 'completed', 30_000);
    await until(async () => (await statusOf(a, id)) !== 'in-progress', 30_000);

    expect([ours, b].map(({ twilio }) => twilio.requests.length)).toEqual(before);
  });

  describe('are walled off from each other', () => {
    let asking = 0;
    const asked = (to: string) => {
      const sid = `CA${String(++asking).padStart(32, 'e')}`;
      return { CallSid: sid, To: to, From: CUSTOMER };
    };

    it('a call that comes in is taken with the token of its account alone', async () => {
      for (const [url, to, signer] of [
        [voiceUrl(a.id), a.number, b.twilio],
        [voiceUrl(a.id), a.number, ours.twilio],
        [voiceUrl(null), a.number, a.twilio],
        [voiceUrl(null), ours.number, b.twilio],
        [voiceUrl(randomUUID()), a.number, a.twilio],
      ] as const) {
        expect({ url, ...(await post(url, asked(to), signer)) }).toEqual({ url, status: 403, text: '' });
      }
    });

    it('who has signed for one account gets no calls of the numbers of another', async () => {
      const wrong = [
        await post(voiceUrl(b.id), asked(a.number), b.twilio),
        await post(voiceUrl(b.id), asked(ours.number), b.twilio),
        await post(voiceUrl(null), asked(a.number), ours.twilio),
      ];
      expect(wrong.map(({ text }) => /<Reject reason="rejected"\/>/.test(text))).toEqual([true, true, true]);
    });

    it('nor says what becomes of its calls, nor hears or speaks on them', async () => {
      await goesOut(a);
      await makeCall(a, SILENT).expect(200);
      await until(() => lastOf(a)?.status === 'ringing' && lastOf(a)?.to === SILENT, 30_000);
      const { sid = '', callback = '', twiml = '' } = lastOf(a) ?? {};
      const over = { CallSid: sid, CallStatus: 'completed' };
      const atB = (callback ?? '').replace(String(a.id), String(b.id));
      const atOurs = (callback ?? '').replace(`/accounts/${a.id}`, '');

      expect((await post(callback ?? '', over, b.twilio)).status).toBe(403);
      expect((await post(callback ?? '', over, ours.twilio)).status).toBe(403);
      expect((await post(atB, over, b.twilio)).status).toBe(404);
      expect((await post(atOurs, over, ours.twilio)).status).toBe(404);
      expect((await latest(a)).status).toBe('ringing');

      const [, url = ''] = /<Stream url="([^"]+)"/.exec(twiml) ?? [];
      const [, token = ''] = /name="token" value="([^"]+)"/.exec(twiml) ?? [];
      const opened = async (at: string, signer: FakeTwilio | null) => {
        const headers = signer && { 'X-Twilio-Signature': signer.calls.sign(at, new URLSearchParams()) };
        const socket = new WebSocket(at, { headers: headers ?? {} });
        const answer = await Promise.race([
          once(socket, 'open').then(() => 101),
          once(socket, 'unexpected-response').then(
            ([, response]: { statusCode: number }[]) => response?.statusCode,
          ),
        ]);
        return { socket, answer };
      };
      expect((await opened(url, null)).answer).toBe(401);
      expect((await opened(url, b.twilio)).answer).toBe(401);
      expect((await opened(url, ours.twilio)).answer).toBe(401);
      // With a stream of its own, and the token of the other's call.
      const { socket, answer } = await opened(url.replace(String(a.id), String(b.id)), b.twilio);
      expect(answer).toBe(101);
      const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8_000 };
      const start = { callSid: sid, accountSid: 'AC', customParameters: { token }, mediaFormat };
      socket.send(JSON.stringify({ event: 'start', streamSid: 'MZ', start }));
      expect((await once(socket, 'close'))[0]).toBe(1008);

      expect((await post(callback ?? '', over, a.twilio)).status).toBe(200);
      await until(async () => (await latest(a)).status !== 'ringing', 30_000);
    });
  });

  it('go on while the token is changed: the old one still signs, and expires', async () => {
    await goesOut(a);
    const { body } = await makeCall(a).expect(200);
    const id = Number(body.call_id ?? body.data?.call_id ?? body.data?.id);
    await until(async () => (await statusOf(a, id)) === 'in-progress', 30_000);
    const { sid = '', callback } = lastOf(a) ?? {};
    const said = { CallSid: sid, CallStatus: 'in-progress' };
    const old = await FakeTwilio.start([], a.twilio.accountSid);
    old.authToken = a.twilio.authToken;
    a.twilio.secondaryToken = 'token-0-new';
    await app
      .as(a.account)
      .put('/api/user/carrier-accounts/twilio')
      .send({ account_sid: a.twilio.accountSid, auth_token: 'token-0-new' })
      .expect(200);

    // Twilio signs with the primary token, which is the old one until the new one is promoted.
    expect((await post(callback ?? '', said, a.twilio)).status).toBe(200);
    a.twilio.promote();
    expect((await post(callback ?? '', said, a.twilio)).status).toBe(200);
    expect((await post(callback ?? '', said, old)).status).toBe(200);
    await database.query(`UPDATE carrier_accounts SET previous_expires_at = now() WHERE id = $1`, [a.id]);
    expect((await post(callback ?? '', said, old)).status).toBe(403);
    await app.as(a.account).post(`/api/user/calls/${id}/hangup`).expect(200);
    await until(() => a.twilio.calls.calls.get(sid)?.status === 'completed', 30_000);
    await old.stop();
  });

  /** A call that a process was about to place which is gone. */
  const leftBehind = async ({ account, assistantId, number, numberId, twilio, id }: Tenant) => {
    const key = randomUUID();
    const callId = await reserve({ account, assistantId, number, numberId }, key);
    const gone = randomUUID();
    await database.query(
      `UPDATE active_calls SET stage = 'placing', voice_process_id = $1 WHERE call_id = $2`,
      [gone, callId],
    );
    const { body } = twilio.calls.create(
      new URLSearchParams([
        ['To', SILENT],
        ['From', number],
        ['StatusCallback', `${publicUrl}/twilio/${gone}/accounts/${id}/calls/${key}`],
        ['StatusCallbackEvent', 'initiated'],
      ]),
    );
    return { callId, sid: (body as { sid: string }).sid };
  };
  const reserve = async (
    {
      account,
      assistantId,
      number,
      numberId,
    }: Pick<Tenant, 'account' | 'assistantId' | 'number' | 'numberId'>,
    key = randomUUID(),
  ) => {
    const reserved = await app.app.get(Transactions).run((tx) =>
      app.app.get(OutboundCallsService).reserve(tx, {
        userId: account.userId,
        assistantId,
        campaign: null,
        attemptId: key,
        leadId: null,
        from: number,
        phoneNumberId: numberId,
        to: SILENT,
        variables: {},
      }),
    );
    return reserved.callId;
  };

  it('are known by their callback when the process died that placed them, and ended with their credentials', async () => {
    const { callId, sid } = await leftBehind(b);
    await until(() => b.twilio.calls.calls.get(sid)?.status === 'canceled', 10_000);
    expect(await app.app.get(CallPlacementService).send(callId)).toBe('sent');
    expect(await database.query(`SELECT status, dial_in_doubt FROM calls WHERE id = $1`, [callId])).toEqual([
      { status: 'failed', dial_in_doubt: false },
    ]);
  });

  it('are paused while Twilio refuses the credentials, and other accounts keep calling', async () => {
    await Promise.all([a, b, ours].map(goesOut));
    a.twilio.authToken = 'changed-there';
    const callId = await reserve(a);
    const placement = app.app.get(CallPlacementService);
    for (let tries = 0; tries < 3; tries++) expect(await placement.send(callId)).toBe('unknown');

    const open = `SELECT carrier, reason FROM carrier_breakers WHERE retry_at IS NOT NULL`;
    expect(await database.query(open)).toEqual([{ carrier: `twilio:${a.id}`, reason: 'unavailable' }]);
    await makeCall(a).expect(503);
    for (const other of [b, ours]) {
      const { body } = await makeCall(other).expect(200);
      const id = Number(body.call_id ?? body.data?.call_id ?? body.data?.id);
      await until(async () => (await statusOf(other, id)) === 'in-progress', 30_000);
      await app.as(other.account).post(`/api/user/calls/${id}/hangup`).expect(200);
    }
    // Trouble of one tenant does not change the readiness of the process.
    const { body: health } = await app.http.get('/health/ready').expect(200);
    expect(JSON.stringify(health)).not.toContain('unavailable');
  });
});
