import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedChatModel, type ScriptedTurn } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { spoken } from '@prosa/testing';
import { VoiceSessionRun, type VoiceSessionRunOptions } from '../support/voice/voice-session-run.js';
import { rmsOf } from '@prosa/audio';
import { objectOutcome, type RuntimeTool } from '../../src/runtime/tools/tool.js';

const QUESTION = 'Quais são os horários de atendimento no sábado?';
const ANSWER = 'No sábado atendemos das oito ao meio-dia, e também por telefone até as duas da tarde.';
const REST = 'E por telefone até as duas.';
/** Longer than a customer waits before "one moment, please" is said. */
const PATIENCE_MS = 4_500;

describe('VoiceSession on a line that the far end has on hold', () => {
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
  const texts = () => run.turns.map(({ text }) => text);
  const lastNote = () => JSON.stringify(chatModel.requests.at(-1)?.messages.slice(-3));

  /** Music and announcements of the far end's exchange. */
  async function music(): Promise<void> {
    run.speech.stt.expect('Sua ligação é muito importante para nós');
    await run.line.speak(sound);
    run.speech.stt.script.length = 0;
  }

  it('falls silent at once, neither hears nor asks, and goes on with its answer afterwards', async () => {
    await start({}, { text: ANSWER }, { text: REST });
    run.talk.hear(QUESTION);
    await until(isSpeaking);
    await sleep(800);
    run.talk.suspend();
    const heldAtMs = run.line.nowMs;
    await music();
    await sleep(1_000);
    expect(rmsOf(run.line.between(heldAtMs + 60))).toBe(0);
    expect(chatModel.requests).toHaveLength(1);
    expect(run.turns[1]).toMatchObject({ speaker: 'assistant', interrupted: true });
    expect(ANSWER.startsWith(run.turns[1]!.text)).toBe(true);
    run.talk.resume();
    await until(() => texts().at(-1) === REST);
    expect(run.turns).toHaveLength(3);
    expect(chatModel.requests).toHaveLength(2);
    expect(lastNote()).toContain('on hold');
    expect([run.errors, run.failures]).toEqual([[], []]);
  });

  it('says a set text again from the beginning', async () => {
    await start({});
    const said = run.talk.say('Bom dia, aqui é a clínica.', { interruptible: false });
    await until(isSpeaking);
    await sleep(300);
    run.talk.suspend();
    await sleep(700);
    run.talk.resume();
    const backAtMs = run.line.nowMs;
    await expect(said).resolves.toBe('heard');
    expect(texts().at(-1)).toBe('Bom dia, aqui é a clínica.');
    expect(run.turns.at(-1)).toMatchObject({ interrupted: false });
    expect(run.line.soundAfter(backAtMs)).not.toBeNull();
    expect(chatModel.requests).toEqual([]);
  });

  it('keeps a set text, given as words or as a note, until the call is resumed', async () => {
    await start({}, { text: 'Posso ajudar em algo mais?' });
    run.talk.suspend();
    const said = run.talk.say('A transferência não foi possível.');
    await sleep(600);
    expect([isSpeaking(), chatModel.requests.length, run.states]).toEqual([false, 0, ['busy']]);
    run.talk.resume();
    await expect(said).resolves.toBe('heard');
    run.talk.suspend();
    const responded = run.talk.respond({ note: 'Ask whether there is anything else.' });
    await sleep(600);
    expect(chatModel.requests).toEqual([]);
    run.talk.resume();
    await responded;
    expect(texts()).toEqual(['A transferência não foi possível.', 'Posso ajudar em algo mais?']);
  });

  it('only listens after a hold that began while it listened', async () => {
    await start({}, { text: 'Pode falar.' });
    run.talk.suspend();
    await music();
    run.talk.resume();
    await sleep(1_000);
    expect([isSpeaking(), chatModel.requests, run.turns]).toEqual([false, [], []]);
    run.speech.stt.expect('Voltei');
    await run.line.speak(sound);
    await until(() => run.turns.length === 2);
    expect(texts()).toEqual(['Voltei', 'Pode falar.']);
  });

  it('answers afterwards what the customer had said just before', async () => {
    await start({}, { text: 'Até já.' });
    run.speech.stt.lateMs = 300;
    run.speech.stt.expect('Um momento, por favor');
    await run.line.speak(sound);
    run.talk.suspend();
    await sleep(2_500);
    expect([isSpeaking(), chatModel.requests.length, texts()]).toEqual([false, 0, ['Um momento, por favor']]);
    run.talk.resume();
    await until(() => run.turns.length === 2);
    expect(texts()).toEqual(['Um momento, por favor', 'Até já.']);
    expect(chatModel.requests.at(-1)?.messages.at(-1)).toEqual({
      role: 'user',
      content: 'Um momento, por favor',
    });
  });

  it('lets a tool finish, says nothing in between, and speaks of its result afterwards', async () => {
    const parameters = { type: 'object', properties: {}, additionalProperties: false };
    const tool: RuntimeTool = {
      definition: { name: 'free_times', description: 'Finds free times.', parameters },
      run: async () => {
        await sleep(1_000);
        return objectOutcome({ times: ['15:00'] });
      },
    };
    await start({ tools: [tool] }, { calls: [{ name: 'free_times' }] }, { text: 'Às três.' });
    run.talk.hear(QUESTION);
    await until(() => chatModel.requests.length === 1);
    await sleep(200);
    run.talk.suspend();
    await sleep(PATIENCE_MS);
    expect([isSpeaking(), chatModel.requests.length, run.calls.length]).toEqual([false, 1, 1]);
    run.talk.resume();
    await until(() => texts().at(-1) === 'Às três.');
    expect(JSON.stringify(chatModel.requests.at(-1)?.messages)).toContain('15:00');
  });

  it('ends with the call, whatever waits for the far end', async () => {
    await start({});
    run.talk.suspend();
    const said = run.talk.say('Ainda está aí?');
    await sleep(100);
    run.end();
    await expect(said).resolves.toBe('cut');
    expect(isSpeaking()).toBe(false);
  });
});
