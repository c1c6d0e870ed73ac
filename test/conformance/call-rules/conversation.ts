import { describe, expect, it } from '@jest/globals';
import type { CallCarrier } from '../../../src/providers/telephony/call-carrier.js';
import type { CallEnd } from '../../../src/providers/telephony/call/carrier-call.js';
import { NO_TOKENS } from '../../../src/common/figures/token-sum.js';
import type { BoundTool } from '../../../src/runtime/assistant-snapshot.js';
import { objectOutcome } from '../../../src/runtime/tools/tool.js';
import { ScriptedChatModel } from '../../support/scripted-chat-model.js';
import { ASSISTANT, type CallRules, CUSTOMER, GREETING, HANGS_UP, messagesOf } from './call-rules.js';

export function describeConversation(rules: CallRules): void {
  describe('a conversation', () => {
    it('greets, answers turn by turn, and ends when the customer hangs up', async () => {
      const { endedBy, said, requests, lineIsOpen, answeredBy } = await rules.play({
        replies: [{ say: 'Hi, who is it?' }, HANGS_UP],
        turns: [{ text: 'This is Bia.' }, { text: 'Goodbye.' }],
      });

      expect({ endedBy, lineIsOpen, answeredBy }).toEqual({
        endedBy: 'customer',
        lineIsOpen: false,
        answeredBy: 'human',
      });
      expect(said.slice(0, 4)).toEqual([
        `assistant: ${GREETING}`,
        'customer: Hi, who is it?',
        'assistant: This is Bia.',
        'customer: Bye!',
      ]);
      expect(messagesOf(requests[0])).toEqual([`assistant: ${GREETING}`, 'user: Hi, who is it?']);
      expect(messagesOf(requests[1])).toEqual([
        `assistant: ${GREETING}`,
        'user: Hi, who is it?',
        'assistant: This is Bia.',
        'user: Bye!',
      ]);
      expect(requests[0]?.messages[0]?.content).toContain('phone call');
    });

    it('waits for the customer when it should', async () => {
      const { said } = await rules.play({
        opening: 'Hello?',
        replies: [HANGS_UP],
        turns: [{ text: 'Good day.' }, { text: 'Bye.' }],
        settings: { waitForCustomer: true },
      });

      expect(said.slice(0, 2)).toEqual(['customer: Hello?', 'assistant: Good day.']);
    });

    it('waits also when it has no initial message', async () => {
      const { said } = await rules.play({
        opening: 'Hello?',
        replies: [HANGS_UP],
        turns: [{ text: 'Good day.' }, { text: 'Bye.' }],
        snapshot: { initialMessage: '' },
      });

      expect(said[0]).toBe('customer: Hello?');
    });

    it('gives tools the ids of the call, whatever the model asks for', async () => {
      const origin = {
        userId: 5,
        assistantId: 1,
        conversationId: null,
        callId: 812,
        leadId: 9,
        campaignId: 3,
        customerPhone: CUSTOMER,
      };
      const seen: unknown[] = [];
      const tool: BoundTool = {
        channels: ['call'],
        definition: {
          name: 'find_card',
          description: 'Finds a card',
          parameters: { type: 'object', properties: {} },
        },
        run: async (_args, context) => {
          seen.push(context.origin);
          return objectOutcome({ found: true });
        },
      };
      const forged = { name: 'find_card', args: { origin: { userId: 6 }, userId: 6, callId: 1 } };
      await rules.play({
        replies: [{ say: 'My points?' }, HANGS_UP],
        turns: [{ calls: [forged] }, { text: 'Ten.' }, { text: 'Bye.' }],
        snapshot: { boundTools: [tool] },
        call: { origin },
      });

      expect(seen).toEqual([origin]);
    });

    it('fills variables, and tells which it used', async () => {
      const { variables } = await rules.play({ replies: [{ hangUp: 'instead' }] });

      expect(variables).toMatchObject({ name: 'Ana', customer_phone: CUSTOMER, assistant_phone: ASSISTANT });
    });

    it('tells of each turn while it happens, and when', async () => {
      const turns: string[] = [];
      const { transcript } = await rules.play({
        replies: [{ say: 'Hi.', hangUp: 'afterwards' }],
        turns: [{ text: 'Oh.' }],
        call: { listener: { onTurn: ({ text }, earlier) => void (earlier ?? turns.push(text)) } },
      });

      expect(turns).toEqual(transcript.map(({ text }) => text));
      expect(rules.offMs(transcript[0]?.startMs, 0)).toBe(0);
      expect(
        rules.offMs(transcript[1]?.endMs, rules.speechMs(GREETING) + rules.thinksMs + rules.speechMs('Hi.')),
      ).toBe(0);
    });

    it('answers several sayings at once', async () => {
      const { requests } = await rules.play({
        replies: [{ say: 'One.', press: '12#' }, HANGS_UP],
        model: new ScriptedChatModel((_request, turn) => ({ text: `Answer ${turn}.` })),
        settings: { keypad: { timeoutMs: 5_000, stopKey: '#' } },
      });

      const together = rules.subject.wordByWord ? 'user: One.\n[Keypad: 12]' : 'user: One. [Keypad: 12]';
      expect(requests.map((request) => messagesOf(request).at(-1))).toContain(together);
    });

    it('counts what models were asked', async () => {
      const { modelUsage } = await rules.play({
        replies: [{ say: 'Hi.' }, HANGS_UP],
        turns: [{ text: 'This is Bia.' }, { text: 'Bye.' }],
      });

      expect(modelUsage).toEqual([{ model: 'main', requests: expect.any(Number), ...NO_TOKENS }]);
      expect(modelUsage[0]?.requests).toBeGreaterThanOrEqual(1);
    });

    it('lasts as long as the carrier says', async () => {
      const { durationMs, lineEnd } = await rules.play({
        replies: [{ say: 'Hi.', hangUp: 'afterwards' }],
        turns: [{ text: 'x' }],
      });

      expect(lineEnd).toMatchObject({ by: 'customer' });
      expect(rules.offMs(durationMs, (lineEnd as CallEnd).answeredMs)).toBe(0);
    });
  });
}

export function describeAdoption(rules: CallRules): void {
  describe('an adopted call', () => {
    const turns = [
      { speaker: 'assistant', text: GREETING, startMs: 0, endMs: 1_500, interrupted: false },
      { speaker: 'customer', text: 'Hi, I want shoes.', startMs: 3_000, endMs: 4_000, interrupted: false },
      { speaker: 'customer', text: 'Red ones.', startMs: 4_500, endMs: 5_000, interrupted: false },
    ] as const;

    it('goes on where the other process was: no second greeting, all that was said', async () => {
      const { said, requests } = await rules.play({
        opening: 'Are you there?',
        replies: [HANGS_UP],
        turns: [{ text: 'Yes.' }, { text: 'Bye.' }],
        call: { resumed: { turns, elapsedMs: rules.scaled(10_000), isOnHold: false } },
      });

      expect(said.slice(0, 5)).toEqual([
        ...turns.map(({ speaker, text }) => `${speaker}: ${text}`),
        'customer: Are you there?',
        'assistant: Yes.',
      ]);
      const [first, ...words] = messagesOf(requests[0]);
      expect(first).toBe(`assistant: ${GREETING}`);
      expect(words.join('\n').replaceAll('user: ', '')).toBe('Hi, I want shoes.\nRed ones.\nAre you there?');
    });

    /** A process that died has begun a transfer; the customer is on hold when the call is adopted. */
    const transferTo = (to: string) => (carrier: CallCarrier) => {
      const place = carrier.place.bind(carrier);
      carrier.place = async (request) => {
        const placed = await place(request);
        const transfer = { transferId: 'of-the-dead', to, from: ASSISTANT, ringingTimeoutMs: 30_000 };
        rules.after(3_001, () => {
          void carrier.transfer(placed.callId, { ...transfer, briefing: null, holdMusicVolume: null });
        });
        return placed;
      };
    };

    it('leaves the customer to the far end of a transfer that another process began', async () => {
      const { endedBy, lineIsOpen, said, requests } = await rules.play({
        carrier: transferTo('+5511987654307'),
        call: { resumed: { turns, elapsedMs: rules.scaled(10_000), isOnHold: true } },
      });

      expect({ endedBy, lineIsOpen }).toEqual({ endedBy: 'transfer', lineIsOpen: true });
      expect(said).toHaveLength(turns.length);
      expect(requests).toEqual([]);
    });

    it('takes the customer back when that transfer fails, however long it rang', async () => {
      const { endedBy, said, requests } = await rules.play({
        carrier: transferTo('+5511987654302'),
        replies: [HANGS_UP],
        turns: [{ text: 'No answer there.' }, { text: 'Bye.' }],
        settings: { maxSilenceMs: 10_000 },
        call: { resumed: { turns, elapsedMs: rules.scaled(10_000), isOnHold: true } },
      });

      expect(said.slice(turns.length)).toEqual(expect.arrayContaining(['assistant: No answer there.']));
      expect(requests[0]?.messages.at(-1)?.content).toContain('did not succeed (no-answer)');
      expect(endedBy).toBe('customer');
    });

    it.each([
      ['leaves a machine its message', [], ['assistant: Please call back.']],
      [
        'does not leave it again where the other process had',
        [
          {
            speaker: 'assistant',
            text: 'Please call back.',
            startMs: 4_000,
            endMs: 5_000,
            interrupted: false,
          },
        ],
        [],
      ],
    ] as const)('%s', async (_title, left, expected) => {
      const { endedBy, answeredBy, said } = await rules.play({
        persona: { answers: 'machine' },
        settings: { voicemailMessage: 'Please call back.' },
        call: {
          answeredBy: 'machine',
          resumed: { turns: left, elapsedMs: rules.scaled(6_000), isOnHold: false },
        },
      });

      expect({ endedBy, answeredBy }).toEqual({ endedBy: 'assistant', answeredBy: 'machine' });
      expect(said.slice(left.length)).toEqual(expected);
    });

    it('has only the time that is left', async () => {
      const { endedBy, durationMs } = await rules.play({
        settings: { maxDurationMs: 20_000 },
        call: { resumed: { turns, elapsedMs: rules.scaled(15_000), isOnHold: false } },
      });

      expect(endedBy).toBe('limit');
      expect(rules.offMs(durationMs, rules.scaled(20_000))).toBe(0);
    });
  });
}
