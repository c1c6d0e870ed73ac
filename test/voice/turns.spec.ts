import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatChunk, ChatModel } from '../../src/providers/llm/chat-model.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { spoken, noise } from '@prosa/testing';
import { LETTER_MS } from '../support/voice/scripted-speech.js';
import { VoiceSessionRun, type VoiceSessionRunOptions, VOICE } from '../support/voice/voice-session-run.js';

/** 5.6 s of the scripted voice, and no question. */
const LONG =
  'Primeiro o senhor escolhe o plano que quer, depois eu confirmo os seus dados, e por último marcamos a visita.';
const ANSWER = 'Pois não.';
/** What a busy machine may add to the times of calls. */
const SLACK_MS = 400;
const INTERRUPTIONS = VOICE.interruptions;

describe('The turns of a call', () => {
  let run: VoiceSessionRun;

  beforeAll(async () => {
    initializeLogger({ pretty: false, level: 'silent' });
    // The first talk of a process loads the model of voice activity, and compiles the engine.
    const warmUp = await VoiceSessionRun.start();
    await warmUp.talk.say('Olá.');
    await warmUp.close();
  });
  afterEach(() => run.close());

  async function start(options: VoiceSessionRunOptions = {}): Promise<void> {
    run = await VoiceSessionRun.start({
      chatModel: new ScriptedChatModel(() => ({ text: ANSWER })),
      ...options,
    });
  }

  /** A model that takes its time. */
  function slow(delayMs: number): ChatModel {
    const model = new ScriptedChatModel(() => ({ text: ANSWER }));
    const { provider, capabilities } = model;
    async function* stream(...asked: Parameters<ChatModel['stream']>): AsyncGenerator<ChatChunk> {
      await sleep(delayMs);
      yield* model.stream(...asked);
    }
    return { provider, capabilities, stream };
  }

  const timesAsked = () => (run.chatModel as ScriptedChatModel).requests.length;

  /** The customer speaks so long after the assistant has begun. */
  async function interject(
    text: string,
    {
      afterMs = 1_000,
      heard = text,
      of = LONG,
    }: { afterMs?: number; heard?: string | null; of?: string } = {},
  ): Promise<void> {
    const sound = await spoken(text, 8_000);
    void run.talk.say(of);
    await until(() => run.line.soundAfter(0) !== null);
    await sleep(afterMs);
    run.speech.stt.expect(heard);
    await run.line.speak(sound);
  }

  async function untilSilence(): Promise<void> {
    await until(() => run.states.at(-1) === 'listening', 12_000);
    await sleep(700);
  }

  /** It is heard from its first to its last sound without a gap: the engine's own pauses last for more than a second. */
  function expectUnbroken(text: string): void {
    const from = run.line.soundAfter(0)!;
    for (let at = from; at < from + text.length * LETTER_MS - 300; at += 100)
      expect(run.line.soundAfter(at)! - at).toBeLessThan(SLACK_MS);
    expect(run.turns[0]).toMatchObject({ speaker: 'assistant', text, interrupted: false });
  }

  describe('signs of listening', () => {
    it.each(['Uhum.', 'Tá.', 'Sei, sei.', 'Uhum, tá bom.', 'Uhuuuuum.'])(
      'neither interrupt what is said, nor are answered: %s',
      async (words) => {
        await start();
        await interject(words);
        await untilSilence();
        expectUnbroken(LONG);
        expect(timesAsked()).toBe(0);
        expect(run.ignored).toEqual([{ kind: 'backchannel', text: words }]);
        expect(run.turns).toHaveLength(1);
      },
    );

    it('are not answered either when their words come after the assistant has finished', async () => {
      await start();
      run.speech.stt.lateMs = 1_200;
      await interject('Aham.', { of: 'Anotei o seu endereço e o seu telefone.', afterMs: 1_200 });
      await untilSilence();
      await sleep(1_500);
      expect(timesAsked()).toBe(0);
      expect(run.turns).toHaveLength(1);
    });

    it('do not lead to a question whether the customer was understood', async () => {
      await start();
      await interject('Uhum.');
      await untilSilence();
      await sleep(3_500);
      expect(timesAsked()).toBe(0);
    });

    it('leave the phrase that bridges a pause alone', async () => {
      const fillers = {
        positive: [],
        negative: [],
        question: [],
        neutral: ['Deixe eu verificar isso aqui.'],
      };
      await start({ chatModel: slow(3_500), voice: { fillers } });
      run.talk.hear('Quero marcar');
      await until(() => run.line.soundAfter(0) !== null);
      run.speech.stt.expect('Tá.');
      await run.line.speak(await spoken('Tá.', 8_000));
      await until(() => run.turns.some(({ text }) => text === ANSWER), 8_000);
      expect(run.turns.map(({ text }) => text)).toContain('Deixe eu verificar isso aqui.');
    });

    it('are turns while the assistant is silent', async () => {
      await start();
      run.speech.stt.expect('Uhum.');
      await run.line.speak(await spoken('Uhum.', 8_000));
      await until(() => run.turns.length === 2);
      expect(run.turns[0]).toMatchObject({ speaker: 'customer', text: 'Uhum.' });
    });

    it('interrupt where the assistant is set so', async () => {
      await start({ voice: { interruptions: { ...INTERRUPTIONS, ignoreBackchannels: false } } });
      await interject('Uhum.');
      await until(() => run.turns.some(({ text }) => text === ANSWER));
      expect(run.turns[0]).toMatchObject({ interrupted: true });
    });

    it('are the beginning of what follows them in one breath', async () => {
      await start();
      await interject('Tá, mas quanto custa', { heard: 'Tá,' });
      await sleep(300);
      run.speech.stt.expect('mas quanto custa');
      await run.line.speak(await spoken('mas quanto custa', 8_000));
      await until(() => run.turns.some(({ text }) => text === ANSWER));
      expect(run.turns.find(({ speaker }) => speaker === 'customer')?.text).toMatch(/mas quanto custa$/);
    });
  });

  describe('what interrupts', () => {
    it.each(['Não.', 'Espera.', 'Tá?', 'Uhum, mas quanto custa isso?', 'Eu queria saber outra coisa'])(
      'is answered: %s',
      async (words) => {
        await start();
        await interject(words);
        await until(() => run.turns.some(({ text }) => text === ANSWER));
        expect(run.turns[0]).toMatchObject({ speaker: 'assistant', interrupted: true });
        expect(run.turns[1]).toMatchObject({ speaker: 'customer', text: words });
      },
    );

    it('is noticed before the customer has finished a long sentence', async () => {
      await start();
      const sound = await spoken('Desculpe interromper, mas eu preciso falar com outra pessoa agora', 8_000);
      void run.talk.say(LONG);
      await until(() => run.line.soundAfter(0) !== null);
      await sleep(800);
      run.speech.stt.expect('Desculpe interromper, mas eu preciso falar com outra pessoa agora');
      const fromMs = run.line.nowMs;
      await run.line.speak(sound);
      const silentMs = run.line.lastSoundBefore()! - fromMs;
      expect(silentMs).toBeLessThan(1_400);
    });
  });

  describe('an answer to a question', () => {
    const QUESTION = 'O senhor quer marcar a visita do técnico para a terça-feira de manhã?';
    const AND_ON = `Posso falar com o João? ${LONG}`;

    it('is a sign of listening over the question', async () => {
      await start();
      await interject('Uhum.', { of: QUESTION, afterMs: 1_500 });
      await until(() => run.turns.some(({ text }) => text === ANSWER));
      expect(run.turns[1]).toMatchObject({ speaker: 'customer', text: 'Uhum.' });
    });

    it('is one within two seconds after it', async () => {
      await start();
      await interject('Tá.', { of: AND_ON, afterMs: 23 * LETTER_MS + 1_000 });
      await until(() => run.turns.some(({ text }) => text === ANSWER));
      expect(run.turns[0]).toMatchObject({ interrupted: true });
    });

    it('is none later, nor before the question is asked', async () => {
      await start();
      await interject('Tá.', { of: AND_ON, afterMs: 23 * LETTER_MS + 2_900 });
      await untilSilence();
      expect(timesAsked()).toBe(0);
      expect(run.turns).toHaveLength(1);
    });
  });

  describe('an assistant that may not be interrupted', () => {
    const voice = { interruptions: { ...INTERRUPTIONS, allowed: false } };

    it('does not answer a sign of listening', async () => {
      await start({ voice });
      await interject('Uhum.');
      await untilSilence();
      await sleep(4_000);
      expect(run.turns).toMatchObject([{ text: LONG, interrupted: false }]);
      expect(timesAsked()).toBe(0);
    });

    it('answers a question when it has finished', async () => {
      await start({ voice });
      await interject('Quanto custa?');
      await until(() => run.turns.some(({ text }) => text === ANSWER), 12_000);
      expect(run.turns.find(({ speaker }) => speaker === 'assistant')).toMatchObject({
        text: LONG,
        interrupted: false,
      });
      expect(run.turns.find(({ speaker }) => speaker === 'customer')).toMatchObject({
        text: 'Quanto custa?',
      });
      expect(timesAsked()).toBe(1);
    });
  });

  describe('what a recognizer writes for noise', () => {
    it.each(['[Música]', '...', '♪', 'Legendas pela comunidade Amara.org', 'Thank you for watching!'])(
      'is no turn: %s',
      async (words) => {
        await start();
        run.speech.stt.expect(words);
        await run.line.speak((await spoken('mmm', 8_000)).slice(0, 4_000));
        await sleep(5_500);
        expect(timesAsked()).toBe(0);
        expect(run.turns).toEqual([]);
        expect(run.ignored).toEqual([{ kind: 'noise', text: words }]);
      },
    );

    it('does not interrupt', async () => {
      await start();
      await interject('hum', { heard: 'Obrigado por assistir!' });
      await untilSilence();
      expectUnbroken(LONG);
      expect(run.turns).toHaveLength(1);
    });

    it('stops the assistant for no longer than the sound lasts', async () => {
      await start();
      await interject('Atenção, atenção senhores', { heard: '[Música]' });
      const endedMs = run.line.nowMs;
      await sleep(1_000);
      expect(run.line.soundAfter(endedMs)! - endedMs).toBeLessThan(700);
      await untilSilence();
      expect(run.turns).toMatchObject([{ text: LONG, interrupted: false }]);
      expect(timesAsked()).toBe(0);
    });

    it('is heard from a customer who says it', async () => {
      await start();
      const words = 'Muito obrigado por assistir.';
      run.speech.stt.expect(words);
      await run.line.speak(await spoken('Muito, muito obrigado por assistir, viu, meu amigo', 8_000));
      await until(() => run.turns.length === 2);
      expect(run.turns[0]).toMatchObject({ speaker: 'customer', text: words });
    });

    it('leaves thanks alone', async () => {
      await start();
      run.speech.stt.expect('Obrigado.');
      await run.line.speak(await spoken('Obrigado.', 8_000));
      await until(() => run.turns.length === 2);
      expect(run.turns[0]).toMatchObject({ speaker: 'customer', text: 'Obrigado.' });
    });
  });

  it('goes on after a burst of noise without words', async () => {
    await start();
    const said = run.talk.say(LONG);
    await until(() => run.line.soundAfter(0) !== null);
    await sleep(1_000);
    run.speech.stt.expect(null);
    await run.line.speak(noise(8_000, 400, 0.4));
    await expect(said).resolves.toBe('heard');
    expect(timesAsked()).toBe(0);
  });
});
