import { describe, expect, it } from '@jest/globals';
import type { CallEvent } from '../../../src/providers/telephony/call/carrier-call.js';
import { CallCarrierError } from '../../../src/providers/telephony/call-carrier-error.js';
import { SANDBOX_TIMES } from '../../../src/providers/telephony/sandbox/sandbox-times.js';
import { readUntil } from '../call-carrier.conformance.js';
import { type CallRules, HANGS_UP } from './call-rules.js';

export function describeTransfers(rules: CallRules): void {
  describe('transfers', () => {
    const wanted = [{ text: 'One moment.', calls: [{ name: 'transfer_call' }] }];
    const to = (phone: string, extra: object = {}) => ({
      builtinTools: [{ type: 'call_transfer', phone_number: phone, description: 'To sales.', ...extra }],
    });

    it('succeed when the far end answers, and leave the line to the two', async () => {
      const { endedBy, lineIsOpen, actions, said, lineEnd, modelUsage, durationMs, callId, carrier } =
        await rules.play({
          replies: [{ say: 'Sales, please.' }],
          turns: wanted,
          snapshot: to('+55 (11) 98765-4307'),
        });
      const end = await rules.until(readUntil(carrier.watch(callId), 'ended'));

      expect({ endedBy, lineIsOpen, lineEnd }).toEqual({
        endedBy: 'transfer',
        lineIsOpen: true,
        lineEnd: null,
      });
      expect(actions[0]).toEqual({
        type: 'transfer',
        kind: 'cold',
        to: '+5511987654307',
        outcome: 'answered',
        atMs: expect.any(Number),
      });
      expect(said.at(-1)).toBe('assistant: One moment.');
      expect(modelUsage).toMatchObject([{ requests: 1 }]);
      expect(rules.offMs(actions[0]?.atMs, durationMs)).toBe(0);
      expect(rules.offMs(answeredMsOf(end), durationMs + SANDBOX_TIMES.talkAfterTransferMs)).toBe(0);
    });

    it.each([
      ['01', 'busy'],
      ['02', 'no-answer'],
      ['04', 'failed'],
    ])(
      'to a number that ends in %s fail as %s, and the assistant has the customer back',
      async (digits, outcome) => {
        const { endedBy, actions, said, requests } = await rules.play({
          replies: [{ say: 'Sales, please.' }, HANGS_UP],
          turns: [...wanted, { text: 'No answer there.' }, { text: 'Bye.' }],
          snapshot: to(`+55119876543${digits}`),
        });

        expect(actions[0]).toMatchObject({ type: 'transfer', outcome });
        expect(requests[1]?.messages.at(-1)?.content).toContain(`"reason":"${outcome}"`);
        expect(said).toContain('assistant: No answer there.');
        expect(endedBy).toBe('customer');
      },
    );

    it('fail when the carrier cannot', async () => {
      const { actions } = await rules.play({
        replies: [{ say: 'Sales, please.' }, HANGS_UP],
        turns: [...wanted, { text: 'It does not work.' }, { text: 'Bye.' }],
        snapshot: to('+5511987654307'),
        carrier: (carrier) => {
          carrier.transfer = () => Promise.reject(new CallCarrierError('not-supported', 'no'));
        },
      });

      expect(actions[0]).toMatchObject({ type: 'transfer', outcome: 'failed' });
      expect(rules.errors).toMatchObject([{ code: 'not-supported' }]);
    });

    it('do not count as silence', async () => {
      const { endedBy } = await rules.play({
        replies: [{ say: 'Sales, please.' }, HANGS_UP],
        turns: [...wanted, { text: 'No answer there.' }, { text: 'Bye.' }],
        snapshot: to('+5511987654302'),
        settings: { maxSilenceMs: 10_000 },
      });

      expect(endedBy).toBe('customer');
    });

    it('end with the call', async () => {
      const { endedBy, durationMs } = await rules.play({
        replies: [{ say: 'Sales, please.' }],
        turns: wanted,
        snapshot: to('+5511987654302'),
        settings: { maxDurationMs: 20_000 },
      });

      expect(endedBy).toBe('limit');
      expect(rules.offMs(durationMs, rules.scaled(20_000))).toBe(0);
      expect(rules.errors).toEqual([]);
    });

    it('tell the model what to say before', async () => {
      const { requests } = await rules.play({
        replies: [HANGS_UP],
        turns: [{ text: 'Bye.' }],
        snapshot: to('+5511987654307', { warm_transfer: true, warm_transfer_message: 'Thank them.' }),
      });

      expect(requests[0]?.tools).toMatchObject([
        { name: 'transfer_call', description: expect.stringMatching(/To sales\..*Thank them\./) },
      ]);
    });

    it.each([
      ['sip:sales@inside.example.com', false],
      ['sales@192.168.0.10', false],
      ['sip:sales@sip.example.com', true],
      ['sip:sales@nowhere.example.com', true],
    ])(
      'ask the carrier for a SIP address unless it leads into a private network: %s',
      async (address, asked) => {
        const wishes: string[] = [];
        const { actions } = await rules.play({
          replies: [{ say: 'Sales, please.' }, HANGS_UP],
          turns: [...wanted, { text: 'It did not work.' }, { text: 'Bye.' }],
          snapshot: to(address),
          carrier: (carrier) => {
            carrier.transfer = (_callId, request) => {
              wishes.push(request.to);
              return Promise.reject(new CallCarrierError('not-supported', 'no'));
            };
          },
        });
        expect(wishes).toEqual(asked ? [address] : []);
        expect(actions[0]).toMatchObject({ type: 'transfer', outcome: 'failed' });
      },
    );

    it.each(['+19005550123', '+881612345678'])(
      'are not tried where the operator lets no calls go, and the customer hears nothing of it: %s',
      async (phone) => {
        const asked: (readonly [string, number | null])[] = [];
        const { actions, requests, said } = await rules.play({
          replies: [{ say: 'Sales, please.' }, HANGS_UP],
          turns: [...wanted, { text: 'I cannot.' }, { text: 'Bye.' }],
          snapshot: to(phone),
          call: {
            destinations: {
              check: (number, phoneNumberId) => {
                asked.push([number, phoneNumberId]);
                return 'kind-of-number';
              },
            },
          },
        });
        expect(actions.filter(({ type }) => type === 'transfer')).toEqual([]);
        expect(asked).toEqual([[phone, null]]);
        expect(requests[1]?.messages.at(-1)?.content).toContain('Numbers of this kind are not allowed');
        expect(rules.wordsOf(said)).toContain('I cannot.');
      },
    );

    const custom = (phone: string) => [{ calls: [{ name: 'transfer_call', args: { phone_number: phone } }] }];

    it('go to a number the model chose, in the country of the assistant', async () => {
      const { actions } = await rules.play({
        replies: [{ say: 'Call my brother.' }],
        turns: custom('(21) 98765-4300'),
        snapshot: to('+5511987654307', { custom: true }),
      });

      expect(actions[0]).toMatchObject({ to: '+5521987654300', outcome: 'answered' });
    });

    it.each([
      ['another country', '+12125550100'],
      ['a premium number', '0900 123456'],
      ['no number', 'sip:me@example.com'],
    ])('never go where the model may not call: %s', async (_what, phone) => {
      const { actions, requests } = await rules.play({
        replies: [{ say: 'Call my brother.' }, HANGS_UP],
        turns: [...custom(phone), { text: 'I cannot.' }, { text: 'Bye.' }],
        snapshot: to('+5511987654307', { custom: true }),
      });

      expect(actions.filter(({ type }) => type === 'transfer')).toEqual([]);
      expect(requests[1]?.messages.at(-1)?.content).toContain('error');
    });

    it('go abroad where the operator allows it', async () => {
      const { actions } = await rules.play({
        replies: [{ say: 'Call my brother.' }],
        turns: custom('+351 912 345 600'),
        snapshot: to('+5511987654307', { custom: true }),
        transferCountries: ['BR', 'PT'],
      });

      expect(actions[0]).toMatchObject({ to: '+351912345600', outcome: 'answered' });
    });

    it('ignore a number the model made up where it has no choice', async () => {
      const { actions } = await rules.play({
        replies: [{ say: 'Sales.' }],
        turns: custom('+12125550100'),
        snapshot: to('+5511987654307'),
      });

      expect(actions[0]).toMatchObject({ to: '+5511987654307' });
    });
  });
}

function answeredMsOf(events: readonly CallEvent[]): number | undefined {
  const last = events.at(-1);
  return last?.type === 'ended' ? last.call.end?.answeredMs : undefined;
}
