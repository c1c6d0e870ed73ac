import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { spoken } from '@prosa/testing';
import { VoiceSessionRun } from '../support/voice/voice-session-run.js';
import type { ChatRequest } from '../../src/providers/llm/chat-model.js';
import { objectOutcome, type RuntimeTool, type ToolContext } from '../../src/runtime/tools/tool.js';

function tool(name: string, ms: number, result: string, onRun?: (context: ToolContext) => void): RuntimeTool {
  const parameters = { type: 'object', properties: {}, additionalProperties: false };
  return {
    definition: { name, description: 'Does something.', parameters },
    run: async (_args, context) => {
      onRun?.(context);
      await sleep(ms);
      return objectOutcome({ [name]: result });
    },
  };
}

const askedOf = ({ messages }: ChatRequest) =>
  messages.findLast(({ role }) => role === 'user')?.content ?? '';
const resultsIn = ({ messages }: ChatRequest) =>
  messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : [])).join(' ');

describe('Tools that overlap', () => {
  let run: VoiceSessionRun;
  const requests = () => (run.chatModel as ScriptedChatModel).requests;

  beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
  afterEach(() => run.close());

  it.each([
    ['slower', 2_500],
    ['quicker', 200],
  ])(
    'are each reported as what they are, where the second is %s than the rest of the first',
    async (_how, ms) => {
      const chatModel = new ScriptedChatModel((request) => {
        const results = resultsIn(request);
        if (askedOf(request) === 'E então?') return { text: 'Tudo certo.' };
        if (askedOf(request) === 'Quanto custa?')
          return results.includes('CUSTA') ? { text: 'Custa 150.' } : { calls: [{ name: 'price' }] };
        return results.includes('RESERVA') ? { text: 'Marcado.' } : { calls: [{ name: 'book' }] };
      });
      run = await VoiceSessionRun.start({
        chatModel,
        tools: [tool('book', 1_500, 'RESERVA'), tool('price', ms, 'CUSTA')],
      });
      run.talk.hear('Marque.');
      await until(() => run.states.includes('busy') && requests().length === 1);
      await sleep(400);
      // Typed words wait for tools, spoken ones do not.
      run.speech.stt.expect('Quanto custa?');
      await run.line.speak(await spoken('Quanto custa?', 8_000));
      await until(() => run.calls.length === 2, 12_000);
      await until(() => run.states.at(-1) === 'listening', 12_000);
      await sleep(1_500);
      run.talk.hear('E então?');
      await until(() => run.turns.some(({ text }) => text === 'Tudo certo.'), 12_000);
      for (const request of requests()) expect(resultsIn(request)).not.toMatch(/interrupted|error/i);
      expect(resultsIn(requests().at(-1)!)).toContain('RESERVA');
      expect(resultsIn(requests().at(-1)!)).toContain('CUSTA');
      expect(run.failures).toEqual([]);
    },
  );

  it('are reported, although the customer has interrupted the words before', async () => {
    const chatModel = new ScriptedChatModel((request) => {
      if (resultsIn(request).includes('RESERVA')) return { text: 'Marcado, é a RESERVA 7781.' };
      if (askedOf(request) === 'De manhã, por favor.') return { text: 'Está bem, de manhã.' };
      return {
        text: 'Só um momento, por favor, que eu vou verificar os horários da semana que vem no sistema da clínica.',
        calls: [{ name: 'book' }],
      };
    });
    run = await VoiceSessionRun.start({ chatModel, tools: [tool('book', 6_000, 'RESERVA')] });
    run.talk.hear('Marque.');
    await until(() => run.line.soundAfter(0) !== null);
    await sleep(700);
    run.speech.stt.expect('De manhã, por favor.');
    await run.line.speak(await spoken('De manhã, por favor.', 8_000));
    await until(() => run.turns.some(({ text }) => text.includes('7781')), 15_000);
    expect(run.turns.map(({ text }) => text)).toContain('Está bem, de manhã.');
    expect(run.calls).toHaveLength(1);
    for (const request of requests()) expect(resultsIn(request)).not.toMatch(/interrupted/);
  });

  it('run on when the customer hangs up, and are on record', async () => {
    let context: ToolContext | null = null;
    const chatModel = new ScriptedChatModel(() => ({ calls: [{ name: 'book' }] }));
    const book = tool('book', 1_500, 'RESERVA', (given) => (context = given));
    run = await VoiceSessionRun.start({ chatModel, tools: [book] });
    run.talk.hear('Marque.');
    await until(() => context !== null);
    run.end();
    const hungUpAt = performance.now();
    const { toolsDone } = await run.talk.close();
    expect(performance.now() - hungUpAt).toBeLessThan(1_000);
    expect(run.calls).toEqual([]);
    await toolsDone;
    expect(context!.signal.aborted).toBe(false);
    expect(run.calls).toMatchObject([{ name: 'book', result: { book: 'RESERVA' } }]);
    expect(requests()).toHaveLength(1);
  });

  it('are not waited for where none runs', async () => {
    run = await VoiceSessionRun.start();
    run.end();
    await expect(run.talk.close()).resolves.not.toHaveProperty('toolsDone');
  });
});
