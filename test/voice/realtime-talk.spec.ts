import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, type llm } from '@livekit/agents';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { OpenAiRealtimeFake } from '../support/speech-fakes/openai-realtime-fake.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import type { ScriptedSpeech } from '../support/voice/scripted-speech.js';
import { VoiceSessionRun, type VoiceSessionRunOptions } from '../support/voice/voice-session-run.js';
import { strengthOf, tone } from '@prosa/testing';
import { rmsOf } from '@prosa/audio';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { objectOutcome, refusedArguments, type RuntimeTool } from '../../src/runtime/tools/tool.js';

const REALTIME = { provider: 'openai', code: 'gpt-realtime' };

describe('VoiceSession with a realtime model', () => {
  let fake: OpenAiRealtimeFake;
  let model: llm.RealtimeModel;
  let run: VoiceSessionRun;

  beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
  beforeEach(async () => {
    fake = new OpenAiRealtimeFake();
    await fake.start();
  });
  afterEach(async () => {
    await run.close();
    await model.close();
    await fake.stop();
  });

  async function start(mode: 'multimodal' | 'dualplex', options: VoiceSessionRunOptions = {}): Promise<void> {
    const { speech, security } = configFrom(
      parseEnvironment({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${fake.url}/v1` }),
    );
    model = await new SpeechProviderRegistry(speech, security).installation.realtime({
      provider: 'openai',
      model: REALTIME.code,
      modality: mode === 'multimodal' ? 'audio' : 'text',
      languages: ['pt-BR'],
    });
    run = await VoiceSessionRun.start({
      ...options,
      voice: { mode, realtime: REALTIME },
      speech: (scripted) => ({
        stt: null,
        tts: mode === 'multimodal' ? null : scripted.tts,
        realtime: model,
        voiceFor: async () => null,
        phraseVoice: async () => scripted.tts,
        close: async () => {},
      }),
    });
    await until(() => fake.received.some(({ type }) => type === 'session.update'));
    await sleep(200);
  }

  function sockets(): Set<WebSocket> {
    return (fake as unknown as { sockets: { clients: Set<WebSocket> } }).sockets.clients;
  }

  /** The customer speaks: the vendor's server hears it, and its model answers. */
  async function customerSays(words: string): Promise<void> {
    const [socket] = sockets();
    await fake.hear(socket!, words);
  }

  it('answers in the voice of the model, in the mode multimodal', async () => {
    fake.answers = [{ text: 'Claro, para quando?', seconds: 1 }];
    await start('multimodal');
    const saidAtMs = run.line.nowMs;
    await customerSays('Quero marcar uma consulta');
    await until(() => run.turns.length === 2);
    expect(run.turns).toMatchObject([
      { speaker: 'customer', text: 'Quero marcar uma consulta' },
      { speaker: 'assistant', text: 'Claro, para quando?', interrupted: false },
    ]);
    const startMs = run.line.soundAfter(saidAtMs)!;
    expect(Math.abs(run.line.lastSoundBefore()! - startMs - 1_000)).toBeLessThan(400);
    expect(run.failures).toEqual([]);
  });

  it('counts what each answer took, as the server tells it', async () => {
    fake.answers = [
      { text: 'Claro, para quando?', seconds: 0.5 },
      { text: 'Certo.', seconds: 0.5 },
    ];
    await start('multimodal');
    await customerSays('Quero marcar uma consulta');
    await until(() => run.turns.length === 2);
    await customerSays('Amanhã');
    await until(() => run.turns.length === 4);
    expect((await run.talk.close()).modelUsage).toEqual([
      { model: REALTIME.code, requests: 2, inputTokens: 20, cachedInputTokens: 0, outputTokens: 20 },
    ]);
  });

  it('says given words through the model, which has no other voice', async () => {
    fake.answers = [{ text: 'Bom dia!', seconds: 0.5 }];
    await start('multimodal');
    await expect(run.talk.say('Bom dia!')).resolves.toBe('heard');
    expect(run.line.soundAfter(0)).not.toBeNull();
    expect(JSON.stringify(fake.received)).toContain('Say exactly these words');
  });

  it('is silent and deaf while a person speaks, and answers afterwards what it has not heard', async () => {
    fake.answers = [{ text: 'Sim, no domingo também.', seconds: 0.5 }];
    await start('multimodal');
    run.talk.takeOver({ memberName: 'Ana Souza' });
    run.personHearing.expect('E no domingo?');
    await sleep(500);
    const sent = fake.received.filter(({ type }) => type === 'response.create').length;
    await run.line.speak(tone(440, 8_000, 1_000, 0.4));
    await until(() => run.turns.length === 1);
    expect(run.turns[0]).toMatchObject({ speaker: 'customer', text: 'E no domingo?' });
    await sleep(500);
    expect(fake.received.filter(({ type }) => type === 'response.create')).toHaveLength(sent);
    await run.talk.handBack(() => true);
    await until(() => run.turns.length === 2);
    expect(run.turns[1]).toMatchObject({ speaker: 'assistant', text: 'Sim, no domingo também.' });
    expect(JSON.stringify(fake.received)).toContain('E no domingo?');
    expect(run.failures).toEqual([]);
  });

  it('falls silent when the server hears the customer', async () => {
    fake.answers = [
      { text: 'Uma resposta muito longa.', seconds: 5 },
      { text: 'Sim.', seconds: 0.5 },
    ];
    await start('multimodal');
    await customerSays('Conte tudo');
    await until(() => run.line.soundAfter(0) !== null);
    await sleep(500);
    const beganAtMs = run.line.nowMs;
    await customerSays('Pare');
    await until(() => run.turns.length === 4);

    expect(run.turns).toContainEqual(expect.objectContaining({ speaker: 'assistant', interrupted: true }));
    expect(run.line.lastSoundBefore(beganAtMs + 4_000)! - beganAtMs).toBeLessThan(2_500);
    const cut = fake.received.find(({ type }) => type === 'conversation.item.truncate');
    expect(cut).toMatchObject({ audio_end_ms: expect.any(Number) });
  });

  it('counts as heard of an answer that breaks off only the words of its sound', async () => {
    const text =
      'Temos horários na segunda às três, na terça às quatro, na quarta às cinco e na sexta às nove.';
    fake.answers = [
      { text, seconds: 8, brokenAfterSeconds: 2 },
      { text: 'Como eu dizia.', seconds: 0.5 },
    ];
    await start('multimodal');
    await customerSays('Quais são os horários?');
    await until(() => run.turns.some(({ text: said }) => said === 'Como eu dizia.'), 20_000);
    const [, brokenOff] = run.turns;
    expect(brokenOff).toMatchObject({ speaker: 'assistant', interrupted: true });
    expect(text.startsWith(`${brokenOff!.text} `)).toBe(true);
    // Two seconds of fifteen letters each, cut at a whole word.
    expect(brokenOff!.text).toBe('Temos horários na segunda às');
    expect(run.failures).toEqual([]);
  });

  it('asks the customer for patience until another model replaces a lost one', async () => {
    fake.answers = [{ text: 'Temos horários na segunda às três.', seconds: 3, brokenAfterSeconds: 0.5 }];
    const openSpeech = async (scripted: ScriptedSpeech) => {
      await sleep(5_000);
      return scripted;
    };
    await start('multimodal', { openSpeech, answers: [{ text: 'Pronto.' }] });
    fake.failing = 'down';
    await customerSays('Quais são os horários?');
    await until(() => run.turns.some(({ text }) => text === 'Pronto.'), 20_000);
    expect(run.turns.map(({ text }) => text)).toContain('Só um momento, por favor.');
    expect(run.failures).toEqual([]);
  });

  it('uses the tools of the assistant, and speaks of their result', async () => {
    const tool: RuntimeTool = {
      definition: {
        name: 'free_times',
        description: 'Finds free times.',
        parameters: { type: 'object', properties: { day: { type: 'string' } } },
      },
      run: async ({ day }) => objectOutcome({ day, times: ['15:00'] }),
    };
    fake.answers = [
      { call: 'free_times', arguments: { day: 'monday' } },
      { text: 'Às três.', seconds: 0.5 },
    ];
    await start('multimodal', { tools: [tool] });
    await customerSays('Tem horário na segunda?');
    await until(() => run.turns.some(({ text }) => text === 'Às três.'));
    expect(run.calls).toEqual([
      {
        name: 'free_times',
        arguments: { day: 'monday' },
        result: { day: 'monday', times: ['15:00'] },
      },
    ]);
  });

  it('lets the fallback LLM call a tool whose arguments of the realtime model are refused', async () => {
    const booked: unknown[] = [];
    const tool: RuntimeTool = {
      definition: {
        name: 'book',
        description: 'Books a day.',
        parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
      },
      run: async ({ day }) => {
        if (typeof day !== 'string') return refusedArguments('The argument "day" is missing.');
        booked.push(day);
        return objectOutcome({ booked: day });
      },
    };
    const chatModel = ScriptedChatModel.saying({ calls: [{ name: 'book', args: { day: 'monday' } }] });
    fake.answers = [
      { call: 'book', arguments: {} },
      { text: 'Marcado.', seconds: 0.5 },
    ];
    await start('multimodal', { tools: [tool], chatModel });
    await customerSays('Marque para segunda-feira.');
    await until(() => run.turns.some(({ text }) => text === 'Marcado.'));
    expect(booked).toEqual(['monday']);
    expect(run.calls).toEqual([{ name: 'book', arguments: { day: 'monday' }, result: { booked: 'monday' } }]);
    const [request] = chatModel.requests;
    expect(request).toMatchObject({ model: 'first', tools: [tool.definition] });
    expect(request!.messages).toContainEqual({ role: 'user', content: 'Marque para segunda-feira.' });
    expect(request!.messages.at(-1)).toMatchObject({
      role: 'system',
      content: expect.stringContaining('The argument "day" is missing.'),
    });
  });

  it('answers in the voice of the assistant, in the mode dualplex', async () => {
    fake.answers = [{ text: 'Claro, para quando?' }];
    await start('dualplex');
    await expect(run.talk.say('Bom dia!')).resolves.toBe('heard');
    const saidAtMs = run.line.nowMs;
    await customerSays('Quero marcar uma consulta');
    await until(() => run.turns.length === 3);
    expect(run.turns.map(({ text }) => text)).toEqual([
      'Bom dia!',
      'Quero marcar uma consulta',
      'Claro, para quando?',
    ]);
    const startMs = run.line.soundAfter(saidAtMs)!;
    const answer = run.line.between(startMs + 60, startMs + 600);
    expect(strengthOf(440, answer, 8_000)).toBeGreaterThan(0.3);
    expect(rmsOf(answer)).toBeGreaterThan(0.2);
    expect(run.speech.tts.said.join(' ')).toContain('Claro, para quando?');
  });
});
