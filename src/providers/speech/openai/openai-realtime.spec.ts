import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type llm, llm as llmNs } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import type { WebSocket } from 'ws';
import { OpenAiRealtimeFake } from '#test/support/speech-fakes/openai-realtime-fake.js';
import type { Failing } from '#test/support/speech-fakes/vendor-fake.js';
import { configFrom } from '../../../config/config-from.js';
import { parseEnvironment } from '../../../config/environment.js';
import { SpeechProviderRegistry } from '../speech-provider-registry.js';
import { REALTIME_LIMITS } from './realtime-watch.js';

jest.setTimeout(120_000);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(modality: 'audio' | 'text', failing: Failing = 'never', voice?: string) {
  const fake = new OpenAiRealtimeFake();
  await fake.start();
  fake.failing = failing;
  const config = configFrom(parseEnvironment({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${fake.url}/v1` }));
  const model = await new SpeechProviderRegistry(config.speech, config.security).installation.realtime({
    provider: 'openai',
    model: 'gpt-realtime-2.1',
    voice,
    modality,
    languages: ['pt-BR'],
    turnThreshold: 0.6,
  });
  const session = model.session();
  session.on('error', () => {});
  cleanups.push(
    () => fake.stop(),
    () => session.close(),
  );
  return { fake, model, session };
}

function socketOf(fake: OpenAiRealtimeFake): WebSocket {
  return [...(fake as unknown as { sockets: { clients: Set<WebSocket> } }).sockets.clients][0]!;
}

async function read({ messageStream, functionStream }: llm.GenerationCreatedEvent) {
  let text = '';
  let seconds = 0;
  const calls: llm.FunctionCall[] = [];
  const readCalls = (async () => {
    for await (const call of functionStream) calls.push(call);
  })();
  for await (const { textStream, audioStream } of messageStream) {
    const sound = (async () => {
      for await (const frame of audioStream) seconds += frame.samplesPerChannel / frame.sampleRate;
    })();
    for await (const part of textStream) text += typeof part === 'string' ? part : part.text;
    await sound;
  }
  await readCalls;
  return { text, seconds, calls };
}

function soundOf(seconds: number, amplitude: number): AudioFrame {
  const samples = Int16Array.from({ length: seconds * 24_000 }, (_, at) =>
    at % 40 < 20 ? amplitude : -amplitude,
  );
  return new AudioFrame(samples, 24_000, 1, samples.length);
}

async function until(condition: () => boolean, ms = 10_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!condition() && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}

describe('realtime models of OpenAI', () => {
  it('speak themselves, with the voice and the settings asked for', async () => {
    const { fake, session } = await start('audio', 'never', 'cedar');
    fake.answers = [{ text: 'Bom dia, em que posso ajudar?', seconds: 1.5 }];
    const { text, seconds } = await read(await session.generateReply());
    expect(text).toBe('Bom dia, em que posso ajudar?');
    expect(seconds).toBeCloseTo(1.5, 1);
    expect(fake.received[0]).toMatchObject({
      type: 'session.update',
      session: {
        output_modalities: ['audio'],
        audio: {
          input: {
            turn_detection: { type: 'server_vad', threshold: 0.6 },
            transcription: { language: 'pt' },
          },
          output: { voice: 'cedar' },
        },
      },
    });
    expect(fake.connections[0]!.url).toContain('model=gpt-realtime-2.1');
  });

  it('only write where a synthesizer speaks for them', async () => {
    const { fake, model, session } = await start('text');
    fake.answers = [{ text: 'Somente palavras.' }];
    expect(await read(await session.generateReply())).toMatchObject({
      text: 'Somente palavras.',
      seconds: 0,
    });
    expect(model.capabilities.audioOutput).toBe(false);
  });

  it('answer what they hear, and call tools', async () => {
    const { fake, session } = await start('audio');
    const heard: string[] = [];
    session.on('input_audio_transcription_completed', ({ transcript }) => heard.push(transcript));
    await until(() => fake.received.length > 0);
    await session.updateTools(
      new llmNs.ToolContext([
        llmNs.tool({
          name: 'book',
          description: 'Books',
          parameters: { type: 'object', properties: {} } as never,
          execute: async () => 'ok',
        }),
      ]),
    );
    await until(() => fake.received.some(({ session: update }) => Array.isArray(update?.tools)));
    fake.answers = [{ call: 'book', arguments: { day: 'amanhã' } }];
    const generated = new Promise<llm.GenerationCreatedEvent>((resolve) =>
      session.once('generation_created', resolve),
    );
    await fake.hear(socketOf(fake), 'quero marcar para amanhã');
    const { calls } = await read(await generated);
    expect(calls).toMatchObject([{ name: 'book', args: '{"day":"amanhã"}' }]);
    expect(heard).toEqual(['quero marcar para amanhã']);
    expect(fake.received.some(({ session: update }) => Array.isArray(update?.tools))).toBe(true);
  });

  it('stop when they are interrupted, and forget what was not heard', async () => {
    const { fake, session } = await start('audio');
    fake.answers = [{ text: 'Uma resposta muito longa mesmo.', seconds: 60 }];
    const generation = await session.generateReply();
    const { messageStream } = generation;
    const reader = messageStream.getReader();
    const { value: message } = await reader.read();
    await until(() => fake.received.some(({ type }) => type === 'response.create'));
    await session.interrupt();
    await session.truncate({ messageId: message!.messageId, audioEndMs: 700, modalities: ['audio', 'text'] });
    await until(() => fake.received.some(({ type }) => type === 'response.cancel'));
    await until(() => fake.received.some(({ type }) => type === 'conversation.item.truncate'));
    expect(fake.received.find(({ type }) => type === 'conversation.item.truncate')).toMatchObject({
      item_id: message!.messageId,
      audio_end_ms: 700,
    });
  });

  it('end with an error when the server sends what is no event, and do not end the process', async () => {
    const { session } = await start('audio', 'garbage');
    const errors: llm.RealtimeModelError[] = [];
    session.on('error', (error) => errors.push(error));
    await until(() => errors.some(({ recoverable }) => !recoverable), 15_000);
    expect(errors.at(-1)!.error.message).toContain('no event of the realtime protocol');
  });

  it('leave no connection behind, whether it is open or still opening when they are closed', async () => {
    const standing = await start('audio');
    await until(() => standing.fake.open === 1);
    await standing.session.close();
    await until(() => standing.fake.open === 0);
    const coming = await start('audio');
    await coming.session.close();
    await until(() => coming.fake.connections.length === 1);
    await until(() => coming.fake.open === 0);
  });

  it('bear that the server cannot be reached for a moment', async () => {
    const { fake, session } = await start('audio', 'down');
    await until(() => fake.connections.length === 1);
    fake.failing = 'never';
    expect((await read(await session.generateReply())).text).toBe('Certo.');
  });

  it.each<[Failing]>([['silence'], ['refuse']])(
    'give a reply up within a bounded time (%s)',
    async (failing) => {
      const { session } = await start('audio', failing);
      const began = performance.now();
      await expect(session.generateReply()).rejects.toThrow();
      expect(performance.now() - began).toBeLessThan(20_000);
    },
  );
});

/** Short limits, so that a test sees them pass. */
describe('realtime models of OpenAI whose server stops talking', () => {
  beforeEach(() => {
    jest.replaceProperty(REALTIME_LIMITS, 'silentMs', 400);
    jest.replaceProperty(REALTIME_LIMITS, 'aliveMs', 300);
    jest.replaceProperty(REALTIME_LIMITS, 'checkMs', 50);
    jest.replaceProperty(REALTIME_LIMITS, 'askAgainMs', 50);
  });
  afterEach(() => void jest.restoreAllMocks());

  const requests = ({ received }: OpenAiRealtimeFake) =>
    received.filter(({ type }) => type === 'response.create');
  const nextAnswer = (session: llm.RealtimeSession) =>
    new Promise<llm.GenerationCreatedEvent>((resolve) => session.once('generation_created', resolve));
  const ending = (session: llm.RealtimeSession) =>
    new Promise<Error>((resolve) => {
      session.on('error', ({ error, recoverable }) => {
        if (!recoverable) resolve(error);
      });
    });

  it('are asked whether they are there when a customer has spoken and they say nothing', async () => {
    jest.replaceProperty(REALTIME_LIMITS, 'silentMs', 60_000);
    const { fake, session } = await start('audio');
    await read(await session.generateReply());
    const say = async () => {
      // For as long as the sound lasts nothing was heard of the server.
      await new Promise((resolve) => setTimeout(resolve, 1_600));
      session.pushAudio(soundOf(0.5, 8_000));
      session.pushAudio(soundOf(1, 0));
    };
    await say();
    await until(() => fake.received.at(-1)?.type === 'session.update');
    expect(fake.connections).toHaveLength(1);
    fake.failing = 'silence';
    await say();
    await until(() => fake.connections.length === 2);
  });

  it('are asked once more for an answer that was cut off, on another connection', async () => {
    const { fake, session } = await start('audio', 'break');
    fake.answers = [
      { text: 'Abrimos às', seconds: 5 },
      { text: 'Abrimos às seis.', seconds: 1 },
    ];
    await session.generateReply('Say when you open.');
    const again = nextAnswer(session);
    fake.failing = 'never';
    expect((await read(await again)).text).toBe('Abrimos às seis.');
    expect(fake.connections).toHaveLength(2);
    expect(requests(fake).at(-1)?.response?.instructions).toContain('The connection was interrupted.');
  });

  it('are asked for what was wanted, where they had not begun', async () => {
    const { fake, session } = await start('audio');
    fake.failingOf = (request) => (request === fake.connections[0] ? 'silence' : 'never');
    const again = nextAnswer(session);
    session.generateReply('Greet the customer.').catch(() => undefined);
    await until(() => fake.connections.length === 2);
    await again;
    expect(requests(fake)).toHaveLength(1);
    expect(requests(fake)[0]?.response).toEqual({ instructions: 'Greet the customer.' });
  });

  it('are left when a customer may have spoken to a server that is not there any more', async () => {
    const { fake, session } = await start('audio');
    await read(await session.generateReply());
    const again = nextAnswer(session);
    fake.failing = 'silence';
    socketOf(fake).once('close', () => (fake.failing = 'never'));
    expect((await read(await again)).text).toBe('Certo.');
    expect(fake.connections).toHaveLength(2);
  });

  it.each<[Failing]>([['error'], ['failed']])(
    'are asked once more for an answer that failed (%s)',
    async (failing) => {
      const { fake, session } = await start('audio', failing);
      const again = new Promise<llm.GenerationCreatedEvent>((resolve) =>
        session.on('generation_created', (generation) => {
          if (fake.failing === 'never') resolve(generation);
        }),
      );
      session.generateReply('Greet the customer.').catch(() => undefined);
      await until(() => requests(fake).length === 1);
      fake.failing = 'never';
      expect((await read(await again)).text).toBe('Certo.');
      expect(fake.connections).toHaveLength(1);
      expect(requests(fake)).toHaveLength(2);
    },
  );

  it('are asked for nothing where the server refuses something else while an answer is due', async () => {
    const { fake, session } = await start('audio');
    await read(await session.generateReply());
    const socket = socketOf(fake);
    const message = 'Audio content of 700ms is already shorter than 900ms.';
    socket.send(JSON.stringify({ type: 'input_audio_buffer.speech_stopped', item_id: 'item' }));
    socket.send(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }));
    await new Promise((resolve) => setTimeout(resolve, 3 * REALTIME_LIMITS.askAgainMs));
    expect(requests(fake)).toHaveLength(1);
  });

  it('continue in another session when theirs has expired, also during silence', async () => {
    const { fake, session } = await start('audio');
    const errors: llm.RealtimeModelError[] = [];
    session.on('error', (error) => errors.push(error));
    await read(await session.generateReply());
    for (const sessions of [2, 3, 4]) {
      await until(() => fake.open === 1);
      await new Promise((resolve) => setTimeout(resolve, 2 * REALTIME_LIMITS.silentMs));
      fake.expire();
      await until(() => fake.connections.length === sessions && fake.open === 1);
      // As in a call. What is sent first after a reconnection the plugin loses.
      session.pushAudio(soundOf(1, 0));
    }
    expect((await read(await session.generateReply())).text).toBe('Certo.');
    expect(errors.filter(({ recoverable }) => !recoverable)).toEqual([]);
  });

  it('are not left while they are only not spoken to, nor for being asked whether they are there', async () => {
    for (const refuses of [false, true]) {
      const { fake, session } = await start('audio');
      const errors: unknown[] = [];
      session.on('error', (error) => errors.push(error));
      await read(await session.generateReply());
      fake.refusesChanges = refuses;
      const before = fake.received.length;
      await new Promise((resolve) => setTimeout(resolve, 1_800));
      expect(fake.connections).toHaveLength(1);
      expect({ refuses, errors }).toEqual({ refuses, errors: [] });
      const probes = fake.received.slice(before).filter(({ type }) => type === 'session.update').length;
      if (refuses) expect(probes).toBe(1);
      else expect(probes).toBeGreaterThan(1);
    }
  });

  it.each<[Failing]>([['silence'], ['leave'], ['error'], ['failed'], ['expire']])(
    'end when no connection brings an answer (%s)',
    async (failing) => {
      const { fake, session } = await start('audio', failing);
      const ended = ending(session);
      session.generateReply().catch(() => undefined);
      expect((await ended).message).toContain('no answer');
      expect(fake.connections).toHaveLength(2);
    },
  );
});
