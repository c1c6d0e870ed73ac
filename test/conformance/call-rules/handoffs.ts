import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CallSpeaker } from '../../../src/runtime/call/session/call-setup.js';
import type { HandoffTarget } from '../../../src/runtime/tools/handoff-target.js';
import { answerJson, LocalServer } from '../../support/http-server.js';
import { ScriptedChatModel } from '../../support/scripted-chat-model.js';
import { type CallRules, GREETING, HANGS_UP, messagesOf, type Played } from './call-rules.js';

const SALES: HandoffTarget = {
  assistantId: 7,
  name: 'Sales',
  description: 'Buying',
  message: 'I get {{name}} our sales.',
};
const SUPPORT: HandoffTarget = { assistantId: 8, name: 'Support', description: 'Trouble', message: '' };
const BACK: HandoffTarget = { assistantId: 5, name: 'Bia', description: 'Anything else', message: '' };
const toSales = { name: 'handoff_to_assistant', args: { assistant: 'Sales' } };
const toSupport = { name: 'handoff_to_assistant', args: { assistant: 'Support' } };
const askStock = { name: 'stock' };
const toBia = { name: 'handoff_to_assistant', args: { assistant: 'Bia' } };

const stockAt = (url: string) => ({
  name: 'stock',
  description: 'How many pairs there are',
  endpoint: `${url}/stock`,
  method: 'GET' as const,
  bodyFormat: 'json' as const,
  headers: [],
  staticFields: [],
  timeoutMs: 5_000,
  parameters: [],
});

export function describeHandoffs(rules: CallRules): void {
  describe('a hand-over', () => {
    let sales: CallSpeaker;
    let noted: (readonly [id: number, count: number])[];
    beforeEach(() => {
      noted = [];
      sales = rules.speakerOf({
        id: 7,
        name: 'Sales',
        systemPrompt: 'You take orders.',
        model: { code: 'sales-model' },
        builtinTools: [{ type: 'end_call' }],
        handoffs: [BACK],
      });
    });

    const handoffs = (count = 0, found: readonly CallSpeaker[] = [sales]) => ({
      count,
      find: async (id: number) => found.find(({ assistant }) => assistant.id === id) ?? null,
      record: async ({ assistant }: CallSpeaker, now: number) => noted.push([assistant.id, now]) > 0,
    });
    /** Who said what, in one line for each stretch of an assistant. */
    const spoken = ({ transcript }: Pick<Played, 'transcript'>) =>
      transcript.map(({ speaker, text, assistant }) => `${assistant?.name ?? speaker}: ${text}`);

    /** The same in lines, where the subject says in one piece what was said in two. */
    const linesOf = (played: Played) => spoken(played).join('\n').split(/\n+/);

    it('goes on with the words, the prompt, the tools and the model of the other one', async () => {
      const played = await rules.play({
        replies: [{ say: 'I want shoes.' }, { say: 'Size forty.' }, HANGS_UP],
        turns: [
          { text: 'Of course.', calls: [toSales] },
          { text: 'Which size?' },
          { text: 'They are yours.' },
          { text: 'Bye.' },
        ],
        snapshot: { handoffs: [SALES] },
        call: { handoffs: handoffs() },
      });

      const lines = spoken(played)
        .slice(0, 9)
        .join('\n')
        .replace('Of course.\n\nI get', 'Of course.\nassistant: I get');
      expect(lines.split('\n').slice(0, 7)).toEqual([
        `assistant: ${GREETING}`,
        'customer: I want shoes.',
        'assistant: Of course.',
        'assistant: I get Ana our sales.',
        'Sales: Which size?',
        'customer: Size forty.',
        'Sales: They are yours.',
      ]);
      const [asked, taken, next] = played.requests;
      expect(asked).toMatchObject({ model: 'main' });
      expect(asked?.tools?.map(({ name }) => name)).toEqual(['handoff_to_assistant']);
      for (const request of [taken, next]) {
        expect(request).toMatchObject({ model: 'sales-model' });
        expect(request?.messages[0]?.content).toContain('You take orders.');
        expect(request?.tools?.map(({ name }) => name)).toEqual(['end_call', 'handoff_to_assistant']);
      }
      expect(taken?.messages.filter(({ content }) => content.includes('You are Sales now.'))).toHaveLength(1);
      expect(messagesOf(next)).toEqual(
        expect.arrayContaining([`assistant: ${GREETING}`, 'user: I want shoes.', 'user: Size forty.']),
      );
      expect(noted).toEqual([[7, 1]]);
    });

    it('leads back, and the call knows its own assistant again', async () => {
      const own = rules.speakerOf({ handoffs: [SALES] });
      const played = await rules.play({
        replies: [{ say: 'I want shoes.' }, { say: 'And my bill?' }, HANGS_UP],
        turns: [
          { calls: [toSales] },
          { text: 'Which size?' },
          { calls: [toBia] },
          { text: 'It is paid.' },
          { text: 'Bye.' },
        ],
        snapshot: { handoffs: [{ ...SALES, message: '' }] },
        call: { handoffs: handoffs(0, [sales, own]) },
      });

      expect(spoken(played).slice(0, 5)).toEqual([
        `assistant: ${GREETING}`,
        'customer: I want shoes.',
        'Sales: Which size?',
        'customer: And my bill?',
        'assistant: It is paid.',
      ]);
      expect(noted).toEqual([
        [7, 1],
        [5, 2],
      ]);
    });

    it.each([
      ['no assistant can take over', 0, [] as const, 'Sales is not available'],
      ['there have been ten', 10, null, 'too often'],
    ])('does not happen when %s: the model hears why', async (_title, count, found, reason) => {
      const played = await rules.play({
        replies: [{ say: 'I want shoes.' }, HANGS_UP],
        turns: [{ calls: [toSales] }, { text: 'I can help as well.' }, { text: 'Bye.' }],
        snapshot: { handoffs: [SALES] },
        call: { handoffs: handoffs(count, found ?? [sales]) },
      });

      expect(spoken(played)[2]).toBe('assistant: I can help as well.');
      expect(played.requests[1]).toMatchObject({ model: 'main' });
      expect(played.requests[1]?.messages.at(-1)?.content).toContain(reason);
      expect(noted).toEqual([]);
    });

    it.each([
      ['before it', [askStock, toSales]],
      ['after it', [toSales, askStock]],
    ])('is answered once when the model calls a tool %s in the same step', async (_title, calls) => {
      const server = await LocalServer.start((_request, response) => answerJson(response, { pairs: 3 }));
      const played = await rules.play({
        replies: [{ say: 'I want shoes.' }, { say: 'Size forty.' }, HANGS_UP],
        model: new ScriptedChatModel((_request, turn) =>
          turn === 0 ? { calls } : { text: `Answer ${turn}.` },
        ),
        // Something must happen in virtual time while the real request is under way.
        carrier: () => {
          for (let ms = 0; ms < 60_000; ms += 250) rules.after(ms, () => {});
        },
        snapshot: { handoffs: [SALES], httpTools: [stockAt(server.url)] },
        call: { handoffs: handoffs() },
      });
      await server.stop();

      expect(server.requests).toHaveLength(1);
      expect(linesOf(played).slice(0, 6)).toEqual([
        `assistant: ${GREETING}`,
        'customer: I want shoes.',
        'assistant: I get Ana our sales.',
        'Sales: Answer 1.',
        'customer: Size forty.',
        'Sales: Answer 2.',
      ]);
      const [, taken] = played.requests;
      expect(taken).toMatchObject({ model: 'sales-model' });
      expect(taken?.messages[0]?.content).toContain('You take orders.');
      expect(JSON.stringify(taken?.messages)).toContain('pairs');
      expect(JSON.stringify(taken?.messages)).toContain('You are Sales now.');
      expect(noted).toEqual([[7, 1]]);
      expect(rules.errors).toEqual([]);
    });

    it('happens once when the model asks for two in the same step, and is answered once', async () => {
      const support = rules.speakerOf({ id: 8, name: 'Support', model: { code: 'support-model' } });
      const played = await rules.play({
        replies: [{ say: 'I want shoes.' }, { say: 'Size forty.' }, HANGS_UP],
        model: new ScriptedChatModel((_request, turn) =>
          turn === 0 ? { calls: [toSales, toSupport] } : { text: `Answer ${turn}.` },
        ),
        snapshot: { handoffs: [{ ...SALES, message: '' }, SUPPORT] },
        call: { handoffs: handoffs(0, [sales, support]) },
      });

      expect(linesOf(played).slice(0, 5)).toEqual([
        `assistant: ${GREETING}`,
        'customer: I want shoes.',
        'Sales: Answer 1.',
        'customer: Size forty.',
        'Sales: Answer 2.',
      ]);
      expect(played.requests[1]).toMatchObject({ model: 'sales-model' });
      expect(noted).toEqual([[7, 1]]);
    });

    it('lets the other one end the call', async () => {
      const played = await rules.play({
        replies: [{ say: 'I want shoes.' }],
        turns: [
          { calls: [toSales] },
          { text: 'We have none. Goodbye.', calls: [{ name: 'end_call' }] },
          { text: '' },
        ],
        snapshot: { handoffs: [{ ...SALES, message: '' }] },
        call: { handoffs: handoffs() },
      });

      expect(played.endedBy).toBe('assistant');
      expect(spoken(played)[2]).toBe('Sales: We have none. Goodbye.');
    });

    it('stays when another process goes on with the call', async () => {
      const turns = [
        { speaker: 'customer', text: 'I want shoes.', startMs: 3_000, endMs: 4_000, interrupted: false },
        {
          speaker: 'assistant',
          text: 'Which size?',
          startMs: 5_000,
          endMs: 6_000,
          interrupted: false,
          assistant: { id: 7, name: 'Sales' },
        },
      ] as const;
      const played = await rules.play({
        opening: 'Size forty.',
        replies: [HANGS_UP],
        turns: [{ text: 'They are yours.' }, { text: 'Bye.' }],
        snapshot: { handoffs: [SALES] },
        call: {
          handoffs: handoffs(1),
          resumed: { turns, elapsedMs: rules.scaled(10_000), isOnHold: false, speaker: sales },
        },
      });

      expect(spoken(played).slice(1, 4)).toEqual([
        'Sales: Which size?',
        'customer: Size forty.',
        'Sales: They are yours.',
      ]);
      expect(played.requests[0]).toMatchObject({ model: 'sales-model' });
      expect(played.requests[0]?.messages[0]?.content).toContain('You take orders.');
    });
  });
}
