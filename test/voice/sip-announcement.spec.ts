import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { SipCall } from '@prosa/sip';
import { nextEvent } from '@prosa/sip/testing';
import { tone } from '@prosa/testing';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { SipProduct } from '../support/sip-product.js';
import { SipTelephone } from '../support/sip-telephone.js';
import { until } from '../support/until.js';

const CUSTOMER = '+5511987650000';
const ANNOUNCEMENT = 'Aviso: nossa equipe pode acompanhar esta ligação.';
const WAIT_MS = 60_000;

jest.setTimeout(240_000);

describe('the announcement that people listen to a call of a SIP trunk', () => {
  let product: SipProduct;
  const telephones: SipTelephone[] = [];
  const calls: SipCall[] = [];

  beforeAll(async () => {
    product = await SipProduct.open(26_400);
  }, 240_000);
  afterEach(async () => {
    for (const call of calls.splice(0)) call.hangUp();
    for (const telephone of telephones.splice(0)) telephone.close();
    await product.app.query('UPDATE plans SET max_calls_in_parallel = 10');
  });
  afterAll(() => product.close());

  async function addNumber(): Promise<{ readonly id: number; readonly number: string }> {
    const line = await product.addTrunk();
    await product.addAssistant(line.id, {
      max_silence_duration: 300,
      reengagement_interval: 300,
      initial_message: 'Olá! Como posso ajudar?',
      monitoring_announcement: { text: ANNOUNCEMENT, tone: false },
    });
    return line;
  }

  async function dial(number: string): Promise<{ readonly id: number; readonly customer: SipTelephone }> {
    const call = product.operator.call(CUSTOMER, number);
    calls.push(call);
    await nextEvent(call, 'answered', 20_000);
    const customer = new SipTelephone(call);
    telephones.push(customer);
    return { id: await product.latestCallId(), customer };
  }

  async function listen(id: number): Promise<CallListener> {
    const { body } = await product.app.as(product.account).post(`/api/user/calls/${id}/monitor`).expect(201);
    return CallListener.connect(body.data as MonitorGrant);
  }

  const isNotified = async (id: number) =>
    (await product.read(id)).turns.some(({ role, text }) => role === 'assistant' && text === ANNOUNCEMENT);

  it('is heard by the customer before the listener hears them', async () => {
    const { number } = await addNumber();
    const { id, customer } = await dial(number);
    await customer.heardSpeech();
    const listener = await listen(id);
    await customer.heardAgain(WAIT_MS);
    // The customer speaks into it, which does not cut it.
    await customer.play(tone(600, 8_000, 800, 0.4));
    expect(listener.frames).toBe(0);
    await until(() => isNotified(id), WAIT_MS);
    await until(() => listener.frames > 5, 3_000);
    await customer.play(tone(600, 8_000, 600, 0.4));
    await until(() => listener.customerMs > 300, WAIT_MS);
  });

  it('keeps a caller who waits in the queue from being heard, until the assistant has notified them', async () => {
    const { id: numberId, number } = await addNumber();
    await product.app
      .as(product.account)
      .put(`/api/user/phone-numbers/${numberId}/routing`)
      .send({ queue: { max_waiting: 5, max_seconds: 300 } })
      .expect(200);
    await product.app.query('UPDATE plans SET max_calls_in_parallel = 0');
    const { id, customer } = await dial(number);
    await until(async () => (await product.read(id)).status === 'in-progress', WAIT_MS);
    const listener = await listen(id);
    expect(listener.shown[0]).toMatchObject({ type: 'ready', holder: 'queue' });
    await customer.play(tone(600, 8_000, 600, 0.4));
    await sleep(2_000);
    expect(listener.frames).toBe(0);
    await product.app.query('UPDATE plans SET max_calls_in_parallel = 10');
    await until(() => isNotified(id), WAIT_MS);
    await until(() => listener.frames > 5, 3_000);
    await customer.play(tone(600, 8_000, 600, 0.4));
    await until(() => listener.customerMs > 300, WAIT_MS);
  });
});
