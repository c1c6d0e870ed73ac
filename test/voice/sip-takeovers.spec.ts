import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { SipCall } from '@prosa/sip';
import { nextEvent } from '@prosa/sip/testing';
import { strengthOf, tone } from '@prosa/testing';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { SipProduct } from '../support/sip-product.js';
import { SipTelephone } from '../support/sip-telephone.js';
import { until } from '../support/until.js';

const CUSTOMER = '+5511987650000';
const COLLEAGUE = '+5511987657707';
const PITCH_HZ = 600;
const WAIT_MS = 60_000;

jest.setTimeout(240_000);

describe('people who take over a call of a SIP trunk', () => {
  let product: SipProduct;
  const telephones: SipTelephone[] = [];
  const calls: SipCall[] = [];

  beforeAll(async () => {
    product = await SipProduct.open(26_000);
  }, 240_000);
  afterEach(() => {
    product.operator.refusesRefer = null;
    for (const call of calls.splice(0)) call.hangUp();
    for (const telephone of telephones.splice(0)) telephone.close();
  });
  afterAll(() => product.close());

  async function customerCalls() {
    const { id, number } = await product.addTrunk();
    await product.addAssistant(id, {
      max_silence_duration: 300,
      reengagement_interval: 300,
      initial_message: 'Olá! Como posso ajudar?',
    });
    const call = product.operator.call(CUSTOMER, number);
    calls.push(call);
    await nextEvent(call, 'answered', 20_000);
    const customer = new SipTelephone(call);
    telephones.push(customer);
    const callId = await product.latestCallId();
    await customer.heardSpeech();
    return { call, callId, customer };
  }

  async function listen(callId: number): Promise<CallListener> {
    const { body } = await product.app
      .as(product.account)
      .post(`/api/user/calls/${callId}/monitor`)
      .expect(201);
    return CallListener.connect(body.data as MonitorGrant);
  }

  const hears = (telephone: SipTelephone) => strengthOf(PITCH_HZ, telephone.heardLast(200), 8_000) > 0.15;

  it.each([
    ['over a second leg where the operator refuses REFER', 405],
    ['by REFER', null],
  ] as const)('are heard, and transfer the customer %s', async (_how, refusal) => {
    product.operator.refusesRefer = refusal;
    const { call, callId, customer } = await customerCalls();
    const desk = await listen(callId);
    desk.send({ type: 'take_over', id: 1 });
    await desk.sees(({ type, command }) => type === 'done' && command === 'take_over');
    const hum = tone(PITCH_HZ, 24_000, 1_500, 0.4);
    const speaking = desk.say(hum);
    await until(() => hears(customer), WAIT_MS);
    await speaking;
    await customer.play(tone(PITCH_HZ, 8_000, 600, 0.4));
    await until(() => desk.customerMs > 300, WAIT_MS);

    const over = nextEvent(call, 'ended', WAIT_MS);
    desk.send({ type: 'transfer', phone_number: COLLEAGUE, id: 2 });
    expect(await desk.sees(({ id }) => id === 2)).toEqual({ type: 'done', command: 'transfer', id: 2 });
    if (refusal !== null) {
      const called = await product.operator.answeredAt(COLLEAGUE, WAIT_MS);
      const colleague = new SipTelephone(called);
      telephones.push(colleague);
      await sleep(500);
      const humming = colleague.play(tone(PITCH_HZ, 8_000, 2_000, 0.4));
      await until(() => hears(customer), WAIT_MS);
      await humming;
      called.hangUp();
      await over;
    } else {
      // The operator connects them, and leaves it to us to hang up.
      expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    }
    const { status } = await product.finished(callId);
    expect(status).toBe('completed');
    const [row] = await product.app.query<{ desk: { event: string; text: string | null }[] }>(
      'SELECT desk FROM calls WHERE id = $1',
      [callId],
    );
    expect(row?.desk.at(-1)).toMatchObject({ event: 'transferred', text: COLLEAGUE });
  });
});
