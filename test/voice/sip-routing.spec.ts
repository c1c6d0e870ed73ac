import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { OutgoingCall } from '@prosa/sip';
import { nextEvent } from '@prosa/sip/testing';
import { describeInboundLookups } from '../conformance/inbound-lookups.conformance.js';
import { describeInboundRouting } from '../conformance/inbound-routing.conformance.js';
import type { TestAccount } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { SipTelephone } from '../support/sip-telephone.js';
import { SipProduct } from '../support/sip-product.js';
import { until } from '../support/until.js';

// The voice and the ears take a minute to be there on a busy machine.
jest.setTimeout(240_000);

describe('calls to numbers of SIP trunks', () => {
  let product: SipProduct;

  beforeAll(async () => {
    product = await SipProduct.open(44_000);
  }, 240_000);
  afterAll(() => product.close());

  async function firstOf(call: OutgoingCall): Promise<'answer' | 'busy' | 'unassigned'> {
    const ended = nextEvent(call, 'ended', 30_000).then(([{ status }]) => status);
    const answered = nextEvent(call, 'answered', 30_000).then(() => 'answered' as const);
    // The one that does not come fails after its time.
    answered.catch(() => undefined);
    ended.catch(() => undefined);
    const first = await Promise.race([ended, answered]);
    if (first === 'answered') return 'answer';
    return first === 404 ? 'unassigned' : 'busy';
  }

  function call(from: string, to: string) {
    const placed = product.operator.call(from, to);
    const met = firstOf(placed);
    return {
      meets: () => met,
      hangUp: () => placed.hangUp(),
      hears: async () => {
        const telephone = new SipTelephone(placed);
        await telephone.heardAgain();
        telephone.close();
      },
    };
  }

  const subject = () => ({
    app: product.app,
    addNumber: (owner: TestAccount) => product.addTrunk(owner),
    call,
    tellsUnassigned: true,
    livesInProcess: true,
  });
  describeInboundRouting('SIP trunks', subject);
  describeInboundLookups('SIP trunks', subject);

  it('are looked up with what the operator says of them', async () => {
    const { app } = product;
    const owner = await app.account({ balanceUsd: 10 });
    const line = await product.addTrunk(owner);
    const asked: Record<string, unknown>[] = [];
    const crm = await LocalServer.start(({ body }, response) => {
      asked.push(JSON.parse(body) as Record<string, unknown>);
      answerJson(response, { action: 'reject' });
    });
    await app
      .as(owner)
      .put(`/api/user/phone-numbers/${line.id}/routing`)
      .send({ lookup_url: `${crm.url}/who` })
      .expect(200);
    const diversion = '<sip:+551130009999@operator.example>;reason=no-answer';
    const headers = { Diversion: diversion, 'X-Queue': 'vip', Subject: 'hello' };
    const placed = product.operator.call('+5511987650003', line.number, headers);
    expect(await firstOf(placed)).toBe('busy');
    await crm.stop();
    expect(asked).toMatchObject([{ sip_headers: { diversion, 'x-queue': 'vip' } }]);
    expect(asked[0]?.sip_headers).not.toHaveProperty('subject');
  });

  it('are turned away when the lines of the trunk are taken', async () => {
    const { app } = product;
    const owner = await app.account({ balanceUsd: 10 });
    const line = await product.addTrunk(owner, { max_parallel_calls: 1 });
    const patient = { max_silence_duration: 300, reengagement_interval: 300 };
    await createAssistant(app, owner, { phone_number_id: line.id, ...patient });
    const other = await createAssistant(app, owner, patient);
    await app
      .as(owner)
      .put(`/api/user/phone-numbers/${line.id}/routing`)
      .send({ unavailable: { action: 'assistant', assistant_id: other.id } })
      .expect(200);
    const first = call('+5511987650001', line.number);
    expect(await first.meets()).toBe('answer');
    expect(await call('+5511987650002', line.number).meets()).toBe('busy');
    const listed = async () => (await app.as(owner).get('/api/user/calls').expect(200)).body.data;
    await until(async () => (await listed()).length === 2);
    expect((await listed())[0]).toMatchObject({
      status: 'busy',
      client_phone_number: '+5511987650002',
      routing: { branch: 'unavailable', action: 'busy', reason: 'trunk_full' },
    });
    first.hangUp();
  });
});
