import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { describeForwarding } from '../conformance/forwarding.conformance.js';
import { describeInboundLookups } from '../conformance/inbound-lookups.conformance.js';
import { describeInboundRouting } from '../conformance/inbound-routing.conformance.js';
import { describeQueue } from '../conformance/queue.conformance.js';
import type { TestAccount } from '../support/app.js';
import { TwilioProduct } from '../support/twilio/twilio-product.js';
import { until } from '../support/until.js';

describe('calls to numbers of Twilio', () => {
  let product: TwilioProduct;
  let numbers = 0;

  beforeAll(async () => {
    product = await TwilioProduct.open([], { CALL_PRICE_PER_MINUTE: '0.06' });
    await product.app.app.get(SpeechProviderRegistry, { strict: false }).sandbox.ready();
  }, 240_000);
  afterAll(() => product.close());

  /** As if it had been rented. */
  async function addNumber({ userId }: TestAccount) {
    const number = `+1212555${String(1_000 + ++numbers)}`;
    const [row] = await product.app.query<{ id: number }>(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type) VALUES ($1, $2, 'US', 'normal')
       RETURNING id`,
      [userId, number],
    );
    return { id: row?.id ?? 0, number };
  }

  function call(from: string, to: string) {
    const sid = product.callIn(from, to);
    const { calls } = product.twilio;
    const status = () => calls.calls.get(sid)?.status ?? 'queued';
    return {
      meets: async () => {
        await until(async () => !['queued', 'ringing'].includes(status()), 30_000);
        if (status() === 'in-progress') return 'answer';
        return status() === 'no-answer' ? 'unassigned' : 'busy';
      },
      hangUp: () => calls.hangUp(sid),
      hears: async (text: string) => {
        await until(async () => calls.said.has(sid), 10_000);
        expect(calls.said.get(sid)).toEqual({ language: 'pt-BR', text });
      },
    } as const;
  }

  const subject = () => ({
    app: product.app,
    addNumber,
    call,
    tellsUnassigned: true,
    livesInProcess: true,
  });
  describeInboundRouting('Twilio', subject);
  describeInboundLookups('Twilio', subject);

  const forwarding = () => ({
    ...subject(),
    farEnds: {
      answers: '+12025550100',
      isBusy: '+12025550101',
      staysSilent: '+12025550102',
      fails: '+12025550104',
    },
    lastShown: () => [...product.twilio.calls.dialled.values()].at(-1)?.callerId,
    forget: (sid: string) => product.forget(sid),
  });
  describeForwarding('Twilio', forwarding);
  describeQueue('Twilio', forwarding);

  it('without an assistant hear a message in the language of the account', async () => {
    const { app, twilio } = product;
    const owner = await app.account({ balanceUsd: 10 });
    await app.as(owner).put('/api/user/settings').send({ country: 'US' }).expect(200);
    const line = await addNumber(owner);
    await app
      .as(owner)
      .put(`/api/user/phone-numbers/${line.id}/routing`)
      .send({ unavailable: { action: 'message', text: 'We are closed & will "call" back <soon>.' } })
      .expect(200);
    const sid = product.callIn('+14155550100', line.number);
    await until(async () => twilio.calls.said.has(sid), 20_000);
    expect(twilio.calls.said.get(sid)).toEqual({
      language: 'en-US',
      text: 'We are closed &amp; will &quot;call&quot; back &lt;soon>.',
    });
    const latest = async () => (await app.as(owner).get('/api/user/calls').expect(200)).body.data[0];
    await until(async () => (await latest())?.status === 'completed', 40_000);
    // As Twilio counts it, however late its end is noticed.
    expect(await latest()).toMatchObject({
      duration: 2,
      routing: { branch: 'unavailable', action: 'message', reason: 'no_assistant' },
    });
  }, 60_000);
});
