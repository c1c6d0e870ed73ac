import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { rmsOf } from '@prosa/audio';
import type { SipCall } from '@prosa/sip';
import { nextEvent } from '@prosa/sip/testing';
import { type CallBody, SipProduct } from '../support/sip-product.js';
import { SipTelephone } from '../support/sip-telephone.js';
import { until } from '../support/until.js';
import { strengthOf, tone } from '@prosa/testing';

const CUSTOMER = '+5511987650000';
const SUPERVISOR = '+5511987657707';
const GREETING = 'Olá! Como posso ajudar?';
const HOLD_MESSAGE = 'Um momento, vou chamar alguém.';
const CONNECTED = 'Pronto, pode falar.';
/** Says nothing by itself while a slow machine thinks. */
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };
const PITCH_HZ = 600;
const OTHER_PITCH_HZ = 1_100;
/** A busy machine tears sound, and is slow to speak. */
const WAIT_MS = 90_000;
const LOOK_MS = 250;

jest.setTimeout(300_000);

describe('transfers over SIP trunks', () => {
  let product: SipProduct;
  const telephones: SipTelephone[] = [];
  const calls: SipCall[] = [];

  beforeAll(async () => {
    product = await SipProduct.open(24_000);
  }, 240_000);
  afterEach(() => {
    product.operator.refusesRefer = null;
    product.operator.answered.length = 0;
    product.operator.dialled.length = 0;
    for (const call of calls.splice(0)) call.hangUp();
    for (const telephone of telephones.splice(0)) telephone.close();
  });
  afterAll(() => product.close());

  function telephoneOf(call: SipCall): SipTelephone {
    const telephone = new SipTelephone(call);
    telephones.push(telephone);
    return telephone;
  }

  async function reads(callId: number, isWanted: (call: CallBody) => boolean): Promise<CallBody> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const call = await product.read(callId);
      if (isWanted(call)) return call;
      if (performance.now() > deadline) throw new Error(`call ${callId} is ${JSON.stringify(call)}`);
      await sleep(LOOK_MS);
    }
  }

  /** A customer who is transferred once they press a key. */
  async function customerCalls(tool: Record<string, unknown>) {
    const { id, number } = await product.addTrunk();
    const tools = [{ type: 'collect_keypad' }, { description: 'Keypad', outbound_phone_id: id, ...tool }];
    await product.addAssistant(id, { ...PATIENT, initial_message: GREETING, tools });
    const call = product.operator.call(CUSTOMER, number);
    calls.push(call);
    await nextEvent(call, 'answered', 20_000);
    const customer = telephoneOf(call);
    const callId = await product.latestCallId();
    await reads(callId, ({ turns }) => turns.length > 0);
    customer.press('42#');
    return { number, call, customer, callId };
  }

  const warm = (extra: Record<string, unknown> = {}) => ({
    type: 'warm_call_transfer',
    supervisor_phone: SUPERVISOR,
    hold_message: HOLD_MESSAGE,
    connected_message: CONNECTED,
    ...extra,
  });

  async function heardSomething(telephone: SipTelephone): Promise<void> {
    await until(() => rmsOf(telephone.heardLast(200)) > 0.02, WAIT_MS);
  }

  /** Until each hears a tone of the other. */
  async function hearEachOther(one: SipTelephone, other: SipTelephone): Promise<void> {
    const hears = async (listener: SipTelephone, speaker: SipTelephone, pitchHz: number) => {
      const isHeard = () => strengthOf(pitchHz, listener.heardLast(200), 8_000) > 0.15;
      const humming = new AbortController();
      const hums = hum(speaker, pitchHz, humming.signal);
      await until(isHeard, WAIT_MS).finally(() => humming.abort());
      await hums;
    };
    await Promise.all([hears(other, one, PITCH_HZ), hears(one, other, OTHER_PITCH_HZ)]);
  }

  const assistantSaid = ({ turns }: CallBody) =>
    turns.filter(({ role }) => role === 'assistant').map(({ text }) => text);

  it('connect the customer with a briefed supervisor by key 1, and end with the supervisor', async () => {
    const { number, call, customer, callId } = await customerCalls(warm());
    const called = await product.operator.answeredAt(SUPERVISOR, WAIT_MS);
    expect(product.operator.callers.at(-1)).toBe(number);
    const supervisor = telephoneOf(called);
    await heardSomething(supervisor);
    supervisor.press('1');
    await hearEachOther(customer, supervisor);
    await reads(callId, (read) => assistantSaid(read).includes(CONNECTED));
    const over = nextEvent(call, 'ended', WAIT_MS);
    called.hangUp();
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    const listed = await product.finished(callId);
    expect(listed.status).toBe('completed');
    expect(assistantSaid(listed)).toEqual([GREETING, HOLD_MESSAGE, CONNECTED]);
  });

  it('connect the customer with the supervisor when no person of the account takes calls', async () => {
    const target = { type: 'members', role: 'operator' };
    const { customer } = await customerCalls(warm({ target }));
    const supervisor = telephoneOf(await product.operator.answeredAt(SUPERVISOR, WAIT_MS));
    await heardSomething(supervisor);
    supervisor.press('1');
    await hearEachOther(customer, supervisor);
  });

  it('bring the customer back when the supervisor declines by key 2, and the assistant says so', async () => {
    const { call, customer, callId } = await customerCalls(warm({ caller_id_mode: 'customer_number' }));
    const called = await product.operator.answeredAt(SUPERVISOR, WAIT_MS);
    expect(product.operator.callers.at(-1)).toBe(CUSTOMER);
    const supervisor = telephoneOf(called);
    await heardSomething(supervisor);
    // The music.
    await heardSomething(customer);
    const over = nextEvent(called, 'ended', WAIT_MS);
    supervisor.press('2');
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    await reads(callId, (read) => assistantSaid(read)[2]?.includes('declined') === true);
    call.hangUp();
    expect((await product.finished(callId)).status).toBe('completed');
  });

  it('bring the customer back from a number that is busy', async () => {
    const { call, callId } = await customerCalls(warm({ supervisor_phone: '+5511987657701' }));
    await reads(callId, (read) => assistantSaid(read)[2]?.includes('busy') === true);
    call.hangUp();
    await product.finished(callId);
  });

  it.each([
    ['while it rings', '+5511987657702'],
    ['while it is briefed', SUPERVISOR],
  ])('end the second leg when the customer hangs up %s', async (_when, supervisor_phone) => {
    const { call, callId } = await customerCalls(warm({ supervisor_phone }));
    const isRung = () => product.operator.dialled.at(-1) === supervisor_phone;
    await until(isRung, WAIT_MS);
    if (supervisor_phone === SUPERVISOR) {
      await heardSomething(telephoneOf(await product.operator.answeredAt(SUPERVISOR, WAIT_MS)));
    }
    call.hangUp();
    expect((await product.finished(callId)).status).toBe('completed');
    await until(() => product.operator.agent.callCount === 0);
    expect(product.carrier.callCounts).toEqual({ inbound: 0, outbound: 0 });
  });

  it.each(['in', 'out'] as const)(
    'leave the trunk to others once the operator has connected whom it was asked to (REFER), of a call %s',
    async (direction) => {
      const { id, number } = await product.addTrunk(product.account, { max_parallel_calls: 1 });
      const tools = [
        { type: 'collect_keypad' },
        { type: 'call_transfer', phone_number: SUPERVISOR, description: 'Keypad' },
      ];
      const settings = { ...PATIENT, initial_message: GREETING, tools };
      const caller = await product.addAssistant(id, { ...settings, type: 'outbound' });
      const another = () =>
        product.app
          .as(product.account)
          .post('/api/user/make_call')
          .send({ phone_number: '+5511987657701', assistant_id: caller.id });
      let call: SipCall;
      if (direction === 'in') {
        await product.addAssistant(id, { ...settings, type: 'inbound' });
        call = product.operator.call(CUSTOMER, number);
        await nextEvent(call, 'answered', WAIT_MS);
      } else {
        await product.makeCall(caller.id, CUSTOMER);
        call = await product.operator.answeredAt(CUSTOMER, WAIT_MS);
      }
      calls.push(call);
      const customer = telephoneOf(call);
      const callId = await product.latestCallId();
      await reads(callId, ({ turns }) => turns.length > 0);
      await another().expect(422);

      // The operator connects them, and leaves it to us to hang up.
      const over = nextEvent(call, 'ended', WAIT_MS);
      customer.press('42#');
      expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
      expect((await product.finished(callId)).status).toBe('completed');
      const { body } = await another().expect(200);
      await product.finished(body.call_id as number);
      expect(product.operator.dialled).not.toContain(SUPERVISOR);
    },
  );

  it('go without a briefing where the operator refuses REFER, and carry the customer’s keys', async () => {
    product.operator.refusesRefer = 405;
    const { call, customer, callId, number } = await customerCalls({
      type: 'call_transfer',
      phone_number: SUPERVISOR,
    });
    const called = await product.operator.answeredAt(SUPERVISOR, WAIT_MS);
    expect(product.operator.callers.at(-1)).toBe(number);
    const supervisor = telephoneOf(called);
    await hearEachOther(customer, supervisor);
    const keys: string[] = [];
    called.on('key', (key) => keys.push(key));
    customer.press('7');
    await until(() => keys.length > 0);
    expect(keys).toEqual(['7']);
    const over = nextEvent(called, 'ended', WAIT_MS);
    call.hangUp();
    await over;
    expect(await product.finished(callId)).toMatchObject({ status: 'completed' });
  });
});

async function hum(speaker: SipTelephone, pitchHz: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await speaker.play(tone(pitchHz, 8_000, 1_000, 0.3));
}
