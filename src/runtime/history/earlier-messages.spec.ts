import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../../providers/llm/chat-model.js';
import { type EarlierMessage, earlierMessages } from './earlier-messages.js';

const said = (id: number, role: 'user' | 'assistant', content: string): EarlierMessage => ({
  id,
  role,
  content,
});
const ticket = (id: number, result: Record<string, unknown> = { ticket: 'TK-8831' }): EarlierMessage => ({
  ...said(id, 'assistant', 'Pronto.'),
  functionCalls: [{ name: 'open_ticket', arguments: { subject: 'Entrega' }, result }],
});

/** Calls without results, and results without calls. */
function unpaired(messages: readonly ChatMessage[]): string[] {
  const calls = messages
    .flatMap((m) => (m.role === 'assistant' ? (m.toolCalls ?? []) : []))
    .map(({ id }) => id);
  const results = messages.flatMap((m) => (m.role === 'tool' ? [m.toolCallId] : []));
  return [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
}

describe('earlierMessages', () => {
  it('shows the calls of an answer, with their results, before it', () => {
    const two = ticket(2);
    const messages = earlierMessages(
      [
        said(1, 'user', 'Abra um chamado.'),
        {
          ...two,
          functionCalls: [...(two.functionCalls ?? []), { name: 'a b', arguments: {}, result: { ok: true } }],
        },
      ],
      true,
    );
    expect(messages).toEqual([
      { role: 'user', content: 'Abra um chamado.' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          {
            id: expect.stringMatching(/^[A-Za-z0-9]{9}$/),
            name: 'open_ticket',
            arguments: '{"subject":"Entrega"}',
          },
          { id: expect.stringMatching(/^[A-Za-z0-9]{9}$/), name: 'a_b', arguments: '{}' },
        ],
      },
      expect.objectContaining({ role: 'tool', name: 'open_ticket', content: '{"ticket":"TK-8831"}' }),
      expect.objectContaining({ role: 'tool', name: 'a_b', content: '{"ok":true}' }),
      { role: 'assistant', content: 'Pronto.' },
    ]);
    expect(unpaired(messages)).toEqual([]);
  });

  it('names calls alike in each turn, and no two alike', () => {
    const all = [ticket(1), said(2, 'user', 'E?'), ticket(3)];
    const ids = (messages: readonly ChatMessage[]) =>
      messages.flatMap((m) => (m.role === 'tool' ? [m.toolCallId] : []));
    const [first, second] = ids(earlierMessages(all, true));
    expect(first).not.toBe(second);
    expect(ids(earlierMessages(all.slice(1), true))).toEqual([second]);
  });

  it('cuts long results between characters, and says so', () => {
    const [, result] = earlierMessages([ticket(1, { text: 'ã'.repeat(9_000) })], true);
    expect(Buffer.byteLength(result?.content ?? '')).toBeLessThanOrEqual(4_096);
    expect(result?.content).toMatch(/^\{"text":"ã+\n\[The rest of this earlier answer is left out\.\]$/);
  });

  it('leaves the oldest out where there are too many, and breaks no pair', () => {
    const many = Array.from({ length: 60 }, (_, id) => ticket(id, { text: `${id} ${'x'.repeat(3_000)}` }));
    const messages = earlierMessages(many, true);
    const results = messages.filter(({ role }) => role === 'tool');
    expect(results.length).toBeGreaterThan(3);
    expect(results.length).toBeLessThan(10);
    expect(results.at(-1)?.content).toContain('59 x');
    expect(messages.filter(({ content }) => content === 'Pronto.')).toHaveLength(60);
    expect(unpaired(messages)).toEqual([]);
  });

  it('leaves out the oldest calls of one answer that has too many', () => {
    const calls = Array.from({ length: 12 }, (_, at) => ({
      name: 'find_free_times',
      arguments: { page: at },
      result: { text: `${at} ${'x'.repeat(3_000)}` },
    }));
    const booked = { name: 'book_appointment', arguments: {}, result: { booked: true } };
    const messages = earlierMessages(
      [ticket(1), { ...said(2, 'assistant', 'Marcado.'), functionCalls: [...calls, booked] }],
      true,
    );
    const results = messages.flatMap((message) => (message.role === 'tool' ? [message] : []));
    expect(results.at(-1)).toMatchObject({ name: 'book_appointment', content: '{"booked":true}' });
    expect(results.at(-2)?.content).toContain('11 x');
    expect(results.length).toBeGreaterThan(3);
    expect(results.length).toBeLessThan(10);
    expect(unpaired(messages)).toEqual([]);
  });

  it('tells of them in a note where the request has no tools', () => {
    expect(earlierMessages([ticket(1)], false)).toEqual([
      {
        role: 'system',
        content:
          'Tools answered at this point of the conversation:\nopen_ticket({"subject":"Entrega"}) answered: {"ticket":"TK-8831"}',
      },
      { role: 'assistant', content: 'Pronto.' },
    ]);
  });

  it('leaves hand-overs out, and messages without calls as they are', () => {
    const handOver = {
      name: 'handoff_to_assistant',
      arguments: { assistant: 'Bia' },
      result: { handed_over: true },
    };
    expect(
      earlierMessages(
        [
          { ...said(1, 'assistant', 'Oi'), functionCalls: [handOver] },
          { ...said(2, 'user', 'x'), functionCalls: null },
        ],
        true,
      ),
    ).toEqual([
      { role: 'assistant', content: 'Oi' },
      { role: 'user', content: 'x' },
    ]);
  });
});
