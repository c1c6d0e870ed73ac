import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { Transactions } from '../../src/database/transactions.js';
import { CallPlacementService } from '../../src/modules/outbound-calls/call-placement.service.js';
import { OutboundCallsService } from '../../src/modules/outbound-calls/outbound-calls.service.js';
import type { TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import type { FakeTwilio } from '../support/twilio/fake-twilio.js';
import { TwilioProduct } from '../support/twilio/twilio-product.js';
import { until } from '../support/until.js';

const NUMBER = '+12125550160';
const CUSTOMER = '+14155550100';
/** Rings until it is given up. */
const SILENT = '+14155550102';

describe('Calls of Twilio', () => {
  let product: TwilioProduct;
  let twilio: FakeTwilio;
  let app: TestApp;
  let account: TestAccount;
  let assistantId: number;
  let numberId: number;

  beforeAll(async () => {
    product = await TwilioProduct.open([
      { phone_number: NUMBER, iso_country: 'US', type: 'Local', address_requirements: 'none' },
    ]);
    ({ app, twilio } = product);
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
  afterAll(() => product.close());

  const callOf = async (id: number) =>
    (await app.as(account).get(`/api/user/calls/${id}`).expect(200)).body as { status: string };
  const hasSpoken = (sid: string) =>
    (twilio.calls.heard.get(sid) ?? []).some((payload) => new Set(Buffer.from(payload, 'base64')).size > 10);

  it('come in by the voice URL of the number, are answered, and end when the caller hangs up', async () => {
    const sid = product.callIn(CUSTOMER, NUMBER);
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
        ['StatusCallback', `${product.publicUrl}/twilio/${gone}/calls/${key}`],
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
      const answer = await fetch(`${product.publicUrl}/twilio/voice`, {
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
