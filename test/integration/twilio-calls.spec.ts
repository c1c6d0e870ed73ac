import { randomUUID } from 'node:crypto';
import { createServer, connect as dial, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EgressClient } from '../../src/common/egress/egress-client.js';
import { Database } from '../../src/database/database.js';
import { Transactions } from '../../src/database/transactions.js';
import { CallPlacementService } from '../../src/modules/outbound-calls/call-placement.service.js';
import { OutboundCallsService } from '../../src/modules/outbound-calls/outbound-calls.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { freePort } from '../support/free-port.js';
import { FakeTwilio } from '../support/twilio/fake-twilio.js';
import { until } from '../support/until.js';

const NUMBER = '+12125550160';
const CUSTOMER = '+14155550100';
/** Rings until it is given up. */
const SILENT = '+14155550102';

describe('Calls of Twilio', () => {
  let twilio: FakeTwilio;
  let app: TestApp;
  let account: TestAccount;
  let forwarder: Server;
  let assistantId: number;
  let numberId: number;
  let publicUrl: string;

  beforeAll(async () => {
    twilio = await FakeTwilio.start([
      { phone_number: NUMBER, iso_country: 'US', type: 'Local', address_requirements: 'none' },
    ]);
    const publicPort = await freePort();
    publicUrl = `http://127.0.0.1:${publicPort}`;
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      CALLING_HOURS: 'off',
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      PUBLIC_URL: publicUrl,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    const egress = app.app.get(EgressClient);
    const request = egress.request.bind(egress);
    jest
      .spyOn(egress, 'request')
      .mockImplementation((asked) =>
        request({ ...asked, url: asked.url.replace(/^https:\/\/(api|pricing)\.twilio\.com/, twilio.url) }),
      );
    const { port } = new URL(app.origin);
    forwarder = createServer((near) => {
      const far = dial(Number(port), '127.0.0.1');
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
    }).listen(publicPort, '127.0.0.1');
    account = await app.account({ balanceUsd: 50 });
    const buy = () => app.as(account).post('/api/user/phone-numbers/purchase').send({ phone_number: NUMBER });
    let bought = await buy();
    // While the voice process loads its models on a busy machine, answers may be too late for the limits of a request.
    await until(async () => {
      if (bought.status === 503) bought = await buy();
      return bought.status !== 503;
    }, 60_000);
    expect(bought.status).toBe(201);
    numberId = bought.body.data.id;
    assistantId = (await createAssistant(app, account)).id;
    await app.app
      .get(Database)
      .query(
        `UPDATE assistants SET phone_number_id = $1, status = 'active', type = 'inbound' WHERE id = $2`,
        [numberId, assistantId],
      );
  }, 120_000);
  afterAll(async () => {
    await app.stop();
    await twilio.stop();
    forwarder.close();
    jest.restoreAllMocks();
  });

  const callOf = async (id: number) =>
    (await app.as(account).get(`/api/user/calls/${id}`).expect(200)).body as { status: string };
  const hasSpoken = (sid: string) =>
    (twilio.calls.heard.get(sid) ?? []).some((payload) => new Set(Buffer.from(payload, 'base64')).size > 10);

  it('come in by the voice URL of the number, are answered, and end when the caller hangs up', async () => {
    const sid = twilio.calls.callIn(CUSTOMER, NUMBER, `${publicUrl}/twilio/voice`);
    await until(() => hasSpoken(sid), 30_000);
    twilio.calls.hangUp(sid);
    const latest = async () =>
      (await app.as(account).get('/api/user/calls').expect(200)).body.data[0] as {
        id: number;
        status: string;
      };

    await until(async () => ['ended_by_customer', 'completed'].includes((await latest()).status), 30_000);
  });

  it('go out from the number, and the customer hears the assistant', async () => {
    await app.app.get(Database).query(`UPDATE assistants SET type = 'outbound' WHERE id = $1`, [assistantId]);
    const { body } = await app
      .as(account)
      .post('/api/user/make_call')
      .send({ phone_number: CUSTOMER, assistant_id: assistantId })
      .expect((answer) => expect(answer.status).toBeLessThan(300));
    const id = Number(body.call_id ?? body.data?.call_id ?? body.data?.id);
    await until(async () => (await callOf(id)).status === 'in-progress', 30_000);
    const sid = [...twilio.calls.calls.keys()].at(-1) ?? '';
    await until(() => hasSpoken(sid), 30_000);
    await app.as(account).post(`/api/user/calls/${id}/hangup`).expect(200);
    await until(() => twilio.calls.calls.get(sid)?.status === 'completed', 30_000);
  });

  /** A call that a process was about to place which is gone. */
  const leftBehind = async (isDialled: boolean) => {
    const key = randomUUID();
    const { callId } = await app.app.get(Transactions).run((tx) =>
      app.app.get(OutboundCallsService).reserve(tx, {
        userId: account.userId,
        assistantId,
        campaign: null,
        attemptId: key,
        leadId: null,
        from: NUMBER,
        phoneNumberId: numberId,
        to: SILENT,
        variables: {},
      }),
    );
    const gone = randomUUID();
    await app.app
      .get(Database)
      .query(`UPDATE active_calls SET stage = 'placing', voice_process_id = $1 WHERE call_id = $2`, [
        gone,
        callId,
      ]);
    if (!isDialled) return { callId, sid: '' };
    const { body } = twilio.calls.create(
      new URLSearchParams([
        ['To', SILENT],
        ['From', NUMBER],
        ['StatusCallback', `${publicUrl}/twilio/${gone}/calls/${key}`],
        ['StatusCallbackEvent', 'initiated'],
      ]),
    );
    return { callId, sid: (body as { sid: string }).sid };
  };
  const inDoubt = async (callId: number) =>
    (await app.app.get(Database).query(`SELECT status, dial_in_doubt FROM calls WHERE id = $1`, [callId]))[0];

  it('are known by their callback when the process that placed them has died, and are cancelled at the carrier', async () => {
    const { callId, sid } = await leftBehind(true);
    await until(() => twilio.calls.calls.get(sid)?.status === 'canceled', 10_000);

    expect(await app.app.get(CallPlacementService).send(callId)).toBe('sent');
    expect(await inDoubt(callId)).toEqual({ status: 'failed', dial_in_doubt: false });
  });

  it('stay in doubt, and are not dialled again, without a callback', async () => {
    const { callId } = await leftBehind(false);
    const before = twilio.calls.calls.size;

    expect(await app.app.get(CallPlacementService).send(callId)).toBe('unknown');
    expect(await inDoubt(callId)).toEqual({ status: 'failed', dial_in_doubt: true });
    expect(twilio.calls.calls.size).toBe(before);
  });

  it('are not touched by a callback that Twilio has not signed, or that is too long', async () => {
    const send = async (headers: Record<string, string>, more = '') => {
      const form = { CallSid: `CA${'a'.repeat(32)}`, To: NUMBER, From: CUSTOMER, more };
      const answer = await fetch(`${publicUrl}/twilio/voice`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(form),
      });
      return answer.status;
    };
    const wrong = { 'X-Twilio-Signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' };

    expect([await send({}), await send(wrong), await send(wrong, 'x'.repeat(70_000))]).toEqual([
      403, 403, 413,
    ]);
  });
});
