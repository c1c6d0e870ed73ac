import { describe, expect, it } from '@jest/globals';
import type { CallCarrier } from '../../../src/providers/telephony/call-carrier.js';
import { ModelError } from '../../../src/providers/llm/model-error.js';
import type { ScriptedTurn } from '../../support/scripted-chat-model.js';
import { ASSISTANT, type CallRules, CUSTOMER, HANGS_UP, messagesOf, type Scene } from './call-rules.js';

const ASKS: ScriptedTurn = { calls: [{ name: 'transfer_to_supervisor' }] };

export function describeWarmTransfers(rules: CallRules): void {
  describe('warm transfers', () => {
    const supervisor = (phone: string, extra: object = {}) => ({
      builtinTools: [
        {
          type: 'warm_call_transfer',
          supervisor_phone: phone,
          outbound_phone_id: 7,
          description: 'When they are angry.',
          custom_sip: false,
          caller_id_mode: 'outbound_number',
          hold_music: 'hold_music',
          hold_music_volume: 60,
          hold_message: 'Please hold.',
          summary_instructions: 'Sum up.',
          briefing_initial_message: 'Hello, a briefing.',
          connected_message: 'You are connected.',
          ...extra,
        },
      ],
    });
    const angry: Scene = {
      replies: [{ say: 'I want your boss!' }, HANGS_UP],
      turns: [ASKS, { text: 'Ana is angry.' }, { text: 'They are busy.' }, { text: 'Bye.' }],
      call: { numbers: new Map([[7, '+551155500077']]) },
    };

    function spying(seen: unknown[]): (carrier: CallCarrier) => void {
      return (carrier) => {
        const transfer = carrier.transfer.bind(carrier);
        carrier.transfer = (callId, request) => {
          seen.push(request);
          return transfer(callId, request);
        };
      };
    }

    it('put the customer on hold, brief the supervisor, and connect the two', async () => {
      const seen: unknown[] = [];
      const { endedBy, lineIsOpen, said, actions, requests } = await rules.play({
        ...angry,
        snapshot: supervisor('+5511987654307'),
        carrier: spying(seen),
      });

      expect(said.slice(1)).toEqual([
        'customer: I want your boss!',
        'assistant: Please hold.',
        'assistant: You are connected.',
      ]);
      expect(seen).toEqual([
        {
          transferId: expect.any(String),
          to: '+5511987654307',
          from: '+551155500077',
          ringingTimeoutMs: 30_000,
          briefing: 'Hello, a briefing. Ana is angry.',
          holdMusicVolume: 60,
        },
      ]);
      expect(messagesOf(requests[1])[0]).toContain('customer: I want your boss!');
      expect(actions[0]).toMatchObject({ type: 'transfer', kind: 'warm', outcome: 'answered' });
      expect({ endedBy, lineIsOpen }).toEqual({ endedBy: 'transfer', lineIsOpen: true });
    });

    it('call the supervisor when no person of the account takes the call', async () => {
      const seen: unknown[] = [];
      const { endedBy, actions } = await rules.play({
        ...angry,
        // Lines without sound are offered to no person, and so ask for one briefing less.
        turns: [ASKS, { text: 'Ana is angry.' }, { text: 'Ana is angry.' }],
        call: {
          ...angry.call,
          offers: { isAnyAvailable: async () => true, ring: async () => 'declined' },
        },
        snapshot: supervisor('+5511987654307', { target: { type: 'members', role: 'operator' } }),
        carrier: spying(seen),
      });

      expect(seen).toEqual([expect.objectContaining({ to: '+5511987654307' })]);
      expect(actions[0]).toMatchObject({ type: 'transfer', kind: 'warm', outcome: 'answered' });
      expect(endedBy).toBe('transfer');
    });

    it('tell the model when no person takes the call and there is no supervisor', async () => {
      const { said, requests } = await rules.play({
        ...angry,
        turns: [ASKS, { text: 'They are busy.' }, { text: 'Bye.' }],
        call: { offers: { isAnyAvailable: async () => false, ring: async () => 'unavailable' } },
        snapshot: supervisor('', { target: { type: 'members', role: 'operator' } }),
      });

      expect(said.slice(1, 3)).toEqual(['customer: I want your boss!', 'assistant: They are busy.']);
      expect(messagesOf(requests[1]).at(-1)).toContain('no colleague is available now');
    });

    it('bring the customer back when the supervisor declines', async () => {
      const { endedBy, said, actions } = await rules.play({
        ...angry,
        snapshot: supervisor('+5511987654305'),
      });

      expect(actions[0]).toMatchObject({ outcome: 'declined' });
      expect(said).toContain('assistant: They are busy.');
      expect(said).not.toContain('assistant: You are connected.');
      expect(endedBy).toBe('customer');
    });

    it.each([
      ['the customer', { caller_id_mode: 'customer_number' }, CUSTOMER],
      [
        'a number of their own',
        { caller_id_mode: 'custom', custom_caller_id: '+551133334444' },
        '+551133334444',
      ],
      ['the assistant, when the number is gone', { outbound_phone_id: 8 }, ASSISTANT],
    ])('show the supervisor as caller: %s', async (_whom, extra, from) => {
      const seen: unknown[] = [];
      await rules.play({ ...angry, snapshot: supervisor('+5511987654307', extra), carrier: spying(seen) });

      expect(seen).toMatchObject([{ from }]);
    });

    it('reach a SIP address, without music', async () => {
      const seen: unknown[] = [];
      const extra = { custom_sip: true, hold_music: 'none' };
      await rules.play({
        ...angry,
        snapshot: supervisor('boss@pbx.example.com', extra),
        carrier: spying(seen),
      });

      expect(seen).toMatchObject([{ to: 'boss@pbx.example.com', holdMusicVolume: null }]);
    });

    it('go on with a short briefing when no model can sum up', async () => {
      const seen: unknown[] = [];
      const failing: ScriptedTurn = { fails: new ModelError('unavailable') };
      const [first = {}] = angry.turns ?? [];
      const { endedBy } = await rules.play({
        ...angry,
        turns: [first, failing],
        snapshot: supervisor('+5511987654307'),
        carrier: spying(seen),
      });

      expect(seen).toMatchObject([{ briefing: 'Hello, a briefing.' }]);
      expect(endedBy).toBe('transfer');
    });
  });
}
