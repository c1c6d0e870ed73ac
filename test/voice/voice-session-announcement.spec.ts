import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { rmsOf } from '@prosa/audio';
import { spoken, tone } from '@prosa/testing';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { VoiceSessionRun } from '../support/voice/voice-session-run.js';

const NOTICE = 'Nossa equipe pode acompanhar esta ligação.';
const QUESTION = 'Quais são os horários de atendimento no sábado?';
/** Longer than an announcement waits for a pause. */
const SPEECH = Array.from({ length: 6 }, () => 'Atendemos das oito ao meio-dia e das duas às seis.').join(
  ' ',
);
const WAIT_MS = 40_000;

describe('VoiceSession with something to announce', () => {
  let run: VoiceSessionRun;
  let chatModel: ScriptedChatModel;
  let question: Int16Array;

  beforeAll(async () => {
    initializeLogger({ pretty: false, level: 'silent' });
    question = await spoken(QUESTION, 8_000);
    const warmUp = await VoiceSessionRun.start();
    await warmUp.talk.say('Olá.');
    await warmUp.close();
  });
  afterEach(() => run.close());

  async function start(): Promise<void> {
    chatModel = new ScriptedChatModel(() => ({ text: 'Até as duas.' }));
    run = await VoiceSessionRun.start({ chatModel });
  }

  const said = () => run.turns.map(({ speaker, text }) => [speaker, text]);

  it('interrupts a long speech, of which the customer hears the rest afterwards', async () => {
    await start();
    const speaking = run.talk.say(SPEECH);
    await until(() => run.line.soundAfter(0) !== null);
    const askedMs = run.line.nowMs;
    expect(await run.talk.announce(NOTICE)).toBe(true);
    const turn = run.turns.find(({ text }) => text === NOTICE);
    expect((turn?.startMs ?? 0) - askedMs).toBeGreaterThan(4_500);
    expect((turn?.startMs ?? 0) - askedMs).toBeLessThan(7_000);
    expect(await speaking).toBe('heard');
    expect(said()).toContainEqual(['assistant', SPEECH]);
    expect([run.errors, run.failures]).toEqual([[], []]);
  }, 90_000);

  it('is not cut by the customer, whose words are answered after it', async () => {
    await start();
    const announcing = run.talk.announce(NOTICE);
    await until(() => run.line.soundAfter(0) !== null);
    run.speech.stt.expect(QUESTION);
    await run.line.speak(question);
    expect(await announcing).toBe(true);
    const turn = run.turns.find(({ text }) => text === NOTICE);
    await until(() => said().at(-1)?.[1] === 'Até as duas.', WAIT_MS);
    const answer = run.turns.at(-1);
    expect(answer?.startMs ?? 0).toBeGreaterThanOrEqual((turn?.endMs ?? Infinity) - 100);
    expect(said()).toContainEqual(['customer', QUESTION]);
    // No message of the conversation.
    expect(JSON.stringify(chatModel.requests[0]?.messages)).not.toContain(NOTICE);
  }, 90_000);

  it('waits for the end of a hold of the far end, and does not wait for that of a transfer', async () => {
    await start();
    run.talk.suspend();
    let isOver = false;
    const announcing = run.talk.announce(NOTICE).then(() => (isOver = true));
    await sleep(7_000);
    expect([isOver, rmsOf(run.line.between(0))]).toEqual([false, 0]);
    run.talk.resume();
    await announcing;
    expect(run.line.soundAfter(0)).not.toBeNull();

    run.talk.hold({ volume: 0 });
    await sleep(200);
    const heldMs = run.line.nowMs;
    expect(await run.talk.announce(NOTICE)).toBe(true);
    expect(run.line.soundAfter(heldMs)).not.toBeNull();
  }, 90_000);

  it('is heard before a person who takes over, and ends with the call', async () => {
    await start();
    const announcing = run.talk.announce(NOTICE);
    await until(() => run.line.soundAfter(0) !== null);
    const voice = run.talk.takeOver({ memberName: 'Ana Souza' });
    expect(await announcing).toBe(true);
    const freeMs = run.line.nowMs;
    const hum = tone(500, 24_000, 800, 0.4);
    for (let at = 0; at < hum.length; at += 480) {
      voice.push(hum.slice(at, at + 480));
      await sleep(19);
    }
    expect(run.line.soundAfter(freeMs)).not.toBeNull();

    const cut = run.talk.announce(NOTICE);
    await sleep(300);
    run.end();
    expect(await cut).toBe(false);
    expect(said().filter(([, text]) => text === NOTICE)).toHaveLength(1);
  }, 90_000);

  it('plays the tone of a listener under whatever is heard', async () => {
    await start();
    await sleep(200);
    const fromMs = run.line.nowMs;
    run.talk.signalListener();
    await sleep(500);
    expect(run.line.soundAfter(fromMs)).not.toBeNull();
    expect(run.turns).toEqual([]);
  });
});
