import { describe, expect, it } from '@jest/globals';
import type { TokenUsage } from '../../../providers/llm/chat-model.js';
import { ScriptedChatModel, type ScriptedTurn } from '#test/support/scripted-chat-model.js';
import type { PlayedCustomer } from '../scenario.js';
import { playedVoice, scriptedVoice } from './customer-voices.js';
import type { TalkTurn } from './talk.js';

const CUSTOMER: PlayedCustomer = { type: 'model', persona: 'Ana, padeira', goal: 'Remarcar a visita' };
const turn = (role: TalkTurn['role'], text: string): TalkTurn => ({ role, text, function_calls: [] });
const { signal } = new AbortController();

function voice(customer: PlayedCustomer, ...turns: ScriptedTurn[]) {
  const chatModel = ScriptedChatModel.saying(...turns);
  const usages: (TokenUsage | null)[] = [];
  const played = playedVoice(customer, {
    chatModel,
    model: { code: 'any' },
    timeoutMs: 1_000,
    onUsage: (usage) => usages.push(usage),
  });
  return { chatModel, played, usages };
}

describe('A customer played by a model', () => {
  it('sees the conversation from the other side, and its prompt says who it is and what it wants', async () => {
    const { chatModel, played, usages } = voice(CUSTOMER, { text: 'Quero remarcar' });
    const said = [turn('assistant', 'Olá!'), turn('customer', 'Oi'), turn('assistant', 'Como posso ajudar?')];
    expect(await played.next(said, signal)).toEqual({ text: 'Quero remarcar', leaves: false });
    const [request] = chatModel.requests;
    expect(request?.messages.slice(1)).toEqual([
      { role: 'user', content: 'Olá!' },
      { role: 'assistant', content: 'Oi' },
      { role: 'user', content: 'Como posso ajudar?' },
    ]);
    expect(request?.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/Ana, padeira[^]*Remarcar a visita/),
    });
    expect(request?.tools).toEqual([]);
    expect(usages).toEqual([null]);
  });

  it('leaves after the words that stand before its mark', async () => {
    const { played } = voice(CUSTOMER, { text: ['Obrigada, tchau! [E', 'ND]\nassistant: mais?'] });
    expect(await played.next([turn('customer', 'Oi')], signal)).toEqual({
      text: 'Obrigada, tchau!',
      leaves: true,
    });
  });

  it('has nothing left to say when it writes its mark alone, or nothing', async () => {
    const { played } = voice(CUSTOMER, { text: '[END]' }, { text: '' });
    expect(await played.next([turn('customer', 'Oi')], signal)).toEqual({ text: null, leaves: true });
    expect(await played.next([turn('customer', 'Oi')], signal)).toEqual({ text: null, leaves: false });
  });

  it('begins with the first message it was given, without asking the model', async () => {
    const { chatModel, played } = voice({ ...CUSTOMER, first_message: 'Bom dia' }, { text: 'Depois' });
    const greeting = turn('assistant', 'Olá!');
    expect(await played.next([greeting], signal)).toEqual({ text: 'Bom dia', leaves: false });
    expect(chatModel.requests).toEqual([]);
    const later = [greeting, turn('customer', 'Bom dia'), turn('assistant', 'Sim?')];
    expect(await played.next(later, signal)).toEqual({ text: 'Depois', leaves: false });
  });

  it('writes no more than a message of a customer may hold', async () => {
    const { played } = voice(CUSTOMER, { text: 'x'.repeat(5_000) });
    const { text } = await played.next([turn('customer', 'Oi')], signal);
    expect(text).toHaveLength(2_000);
  });
});

describe('A scripted customer', () => {
  it('says its lines in order, and leaves with the last', async () => {
    const scripted = scriptedVoice({ type: 'script', lines: ['Um', 'Dois'] });
    expect(await scripted.next([], signal)).toEqual({ text: 'Um', leaves: false });
    expect(await scripted.next([], signal)).toEqual({ text: 'Dois', leaves: true });
    expect(await scripted.next([], signal)).toEqual({ text: null, leaves: true });
  });
});
