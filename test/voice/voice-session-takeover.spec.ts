import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { rmsOf } from '@prosa/audio';
import { spoken, tone } from '@prosa/testing';
import { CallRecorder } from '../../src/voice/recording/call-recorder.js';
import { objectOutcome, type RuntimeTool } from '../../src/runtime/tools/tool.js';
import type { PersonVoice } from '../../src/runtime/call/session/person-on-call.js';
import { ScriptedChatModel, type ScriptedTurn } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { VoiceSessionRun, type VoiceSessionRunOptions } from '../support/voice/voice-session-run.js';

const QUESTION = 'Quais são os horários de atendimento no sábado?';
const ANSWER = 'No sábado atendemos das oito ao meio-dia, e também por telefone até as duas da tarde.';
const PERSON = { memberName: 'Ana Souza' };
const FRAME = 480;

describe('VoiceSession while a person speaks to the customer', () => {
  let run: VoiceSessionRun;
  let chatModel: ScriptedChatModel;
  let sound: Int16Array;

  beforeAll(async () => {
    initializeLogger({ pretty: false, level: 'silent' });
    sound = await spoken(QUESTION, 8_000);
    const warmUp = await VoiceSessionRun.start();
    await warmUp.talk.say('Olá.');
    await warmUp.close();
  });
  afterEach(() => run.close());

  async function start(options: VoiceSessionRunOptions, ...answers: readonly ScriptedTurn[]) {
    chatModel = ScriptedChatModel.saying(...answers);
    run = await VoiceSessionRun.start({ ...options, chatModel });
  }

  const isSpeaking = () => run.line.soundAfter(0) !== null;
  const said = () => run.turns.map(({ speaker, text }) => [speaker, text]);

  /** The person says something by their microphone, in real time. */
  async function speak(voice: PersonVoice, words: string): Promise<void> {
    run.personHearing.expect(words);
    const samples = tone(500, 24_000, 800, 0.4);
    for (let at = 0; at < samples.length; at += FRAME) {
      voice.push(samples.slice(at, at + FRAME));
      await sleep(19);
    }
    await until(() => run.turns.some(({ text }) => text === words));
  }

  async function customerSays(words: string): Promise<void> {
    run.speech.stt.expect(words);
    await run.line.speak(sound);
    await until(() => run.turns.some(({ text }) => text === words));
  }

  const isOwed = () =>
    run.turns.toSorted((one, other) => one.startMs - other.startMs).at(-1)?.speaker === 'customer';

  it('falls silent at once, lets the customer hear the person, and writes down both', async () => {
    await start({}, { text: ANSWER }, { text: 'Sim, atendemos.' });
    run.talk.hear(QUESTION);
    await until(isSpeaking);
    await sleep(600);
    const takenMs = run.line.nowMs;
    const voice = run.talk.takeOver(PERSON);
    await sleep(500);
    expect(rmsOf(run.line.between(takenMs + 60))).toBe(0);
    const spokeMs = run.line.nowMs;
    await speak(voice, 'Boa tarde, aqui é a Ana.');
    const heardMs = run.line.soundAfter(spokeMs) ?? Infinity;
    expect(heardMs - spokeMs).toBeLessThan(200);
    await customerSays('E no domingo?');
    await sleep(500);
    expect(chatModel.requests).toHaveLength(1);
    expect(said().slice(2)).toEqual([
      ['agent', 'Boa tarde, aqui é a Ana.'],
      ['customer', 'E no domingo?'],
    ]);
    expect(run.turns[2]).toMatchObject({ memberName: 'Ana Souza' });
    expect(run.turns[1]).toMatchObject({ speaker: 'assistant', interrupted: true });

    await run.talk.handBack(isOwed);
    await until(() => said().at(-1)?.[1] === 'Sim, atendemos.');
    const messages = chatModel.requests.at(-1)?.messages ?? [];
    const words = messages.map(({ role, content }) => `${role}: ${content}`);
    expect(words.filter((line) => line.includes('[colleague Ana Souza] Boa tarde'))).toHaveLength(1);
    expect(words.filter((line) => line.startsWith('user: E no domingo?'))).toHaveLength(1);
    expect(words[0]).toContain('"[colleague"');
    expect([run.errors, run.failures]).toEqual([[], []]);
  });

  it('records the person on the side of the assistant', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-takeover-'));
    try {
      const recorder = new CallRecorder(folder, 77, (error) => run.errors.push(error));
      await start({ recorder });
      const voice = run.talk.takeOver(PERSON);
      const fromMs = run.line.nowMs;
      await speak(voice, 'Boa tarde.');
      const toMs = run.line.nowMs;
      run.end();
      const { recording } = await run.talk.close();
      const bytes = await readFile(recording!.path);
      const side = (channel: 0 | 1) =>
        Int16Array.from({ length: bytes.length / 4 }, (_, at) =>
          bytes.readInt16LE(at * 4 + channel * 2),
        ).subarray(fromMs * 8, toMs * 8);
      expect(rmsOf(side(1))).toBeGreaterThan(0.1);
      expect(rmsOf(side(0))).toBeLessThan(0.01);
      expect(run.errors).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('only listens after a hand-back when the person said the last words', async () => {
    await start({}, { text: 'Pois não.' });
    const voice = run.talk.takeOver(PERSON);
    await customerSays('Posso pagar por boleto?');
    await speak(voice, 'Pode, sim.');
    await run.talk.handBack(isOwed);
    await sleep(1_500);
    expect(chatModel.requests).toEqual([]);
    await customerSays('Mais uma coisa');
    await until(() => said().at(-1)?.[1] === 'Pois não.');
    const users = chatModel.requests[0]?.messages.filter(({ role }) => role === 'user') ?? [];
    expect(users.map(({ content }) => content)).toEqual(['Posso pagar por boleto?', 'Mais uma coisa']);
  });

  it('says and asks nothing during it, whatever the call and its tools want', async () => {
    let finish: () => void = () => {};
    const slow: RuntimeTool = {
      definition: { name: 'book', description: 'Books.', parameters: { type: 'object' } },
      run: async () => {
        await new Promise<void>((resolve) => (finish = resolve));
        return objectOutcome({ booked: true });
      },
    };
    await start({ tools: [slow] }, { calls: [{ name: 'book' }] });
    run.talk.hear(QUESTION);
    await until(() => chatModel.requests.length === 1 && run.states.includes('busy'));
    await sleep(200);
    const takenMs = run.line.nowMs;
    run.talk.takeOver(PERSON);
    await expect(run.talk.say('Um momento.')).resolves.toBe('cut');
    await run.talk.respond({ note: 'Speak to them.' });
    run.talk.hear('[Keypad: 1]');
    finish();
    await sleep(2_500);
    expect(rmsOf(run.line.between(takenMs + 60))).toBe(0);
    expect(chatModel.requests).toHaveLength(1);
    expect(run.calls).toHaveLength(1);
    expect(said().at(-1)).toEqual(['customer', '[Keypad: 1]']);
  });

  it('answers after the hand-back what was left open by the takeover', async () => {
    await start({}, { text: ANSWER }, { text: 'Das oito ao meio-dia.' });
    run.speech.tts.firstSoundMs = 1_000;
    run.speech.stt.expect(QUESTION);
    await run.line.speak(sound);
    await until(() => chatModel.requests.length === 1);
    run.talk.takeOver(PERSON);
    await sleep(600);
    expect(said()).toEqual([['customer', QUESTION]]);
    await run.talk.handBack(isOwed);
    await until(() => said().at(-1)?.[1] === 'Das oito ao meio-dia.');
    const asked =
      chatModel.requests
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join('\n') ?? '';
    expect(asked.split(QUESTION)).toHaveLength(2);
  });
});
