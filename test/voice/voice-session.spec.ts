import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inference, initializeLogger, type stt } from '@livekit/agents';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { spoken, framesOf, joined, meanStrengthOf, strengthOf, tone } from '@prosa/testing';
import { recordingSides } from '../support/voice/recording-sides.js';
import { VoiceSessionRun, type VoiceSessionRunOptions } from '../support/voice/voice-session-run.js';
import { until } from '../support/until.js';
import { KeypadDetector, keypadTones, rmsOf } from '@prosa/audio';
import type { ChatModel, ChatRequest } from '../../src/providers/llm/chat-model.js';
import { Candidates, ProviderHealth } from '../../src/providers/speech/fallback/candidates.js';
import { FallbackRecognizer } from '../../src/providers/speech/fallback/fallback-recognizer.js';
import { objectOutcome, type RuntimeTool } from '../../src/runtime/tools/tool.js';
import { CallRecorder } from '../../src/voice/recording/call-recorder.js';
import { packRecording } from '../../src/voice/recording/pack-recording.js';

const QUESTION = 'Eu gostaria de marcar uma consulta para amanhã';
const LONG = 'Um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis.';
/** What a busy machine may add to the times of calls. */
const SLACK_MS = 400;
/** Longer than the wait before the customer hears that it takes a moment. */
const PATIENCE_MS = 4_500;

function toolOf(name: string, run: RuntimeTool['run']): RuntimeTool {
  const parameters = { type: 'object', properties: {}, additionalProperties: false };
  return { definition: { name, description: 'Does something.', parameters }, run };
}

describe('VoiceSession', () => {
  let run: VoiceSessionRun;
  let question: Int16Array;
  let cough: Int16Array;

  beforeAll(async () => {
    initializeLogger({ pretty: false, level: 'silent' });
    question = await spoken(QUESTION, 8_000);
    cough = question.subarray(0, 3_200);
    // The first talk of a process loads the model of voice activity, and compiles the engine.
    const warmUp = await VoiceSessionRun.start();
    await warmUp.talk.say('Olá.');
    await warmUp.close();
  });
  afterEach(() => run.close());

  async function start(options?: VoiceSessionRunOptions): Promise<void> {
    run = await VoiceSessionRun.start(options);
  }

  async function customerSays(text: string | null = QUESTION, language?: string): Promise<number> {
    run.speech.stt.expect(text, language);
    return run.line.speak(question);
  }

  describe('speaking', () => {
    it('says words at once, and tells what was heard and when', async () => {
      await start();
      const askedAtMs = run.line.nowMs;
      await expect(run.talk.say('Bom dia, aqui é a clínica.')).resolves.toBe('heard');
      const startMs = run.line.soundAfter(askedAtMs)!;
      expect(startMs - askedAtMs).toBeLessThan(300 + SLACK_MS);
      expect(strengthOf(440, run.line.between(startMs + 100, startMs + 1_000), 8_000)).toBeCloseTo(0.4, 1);
      expect(Math.abs(run.line.lastSoundBefore()! - startMs - 26 * 50)).toBeLessThan(SLACK_MS);
      expect(run.turns).toMatchObject([
        { speaker: 'assistant', text: 'Bom dia, aqui é a clínica.', interrupted: false },
      ]);
      expect(Math.abs(run.turns[0]!.startMs - startMs)).toBeLessThan(100);
      expect(run.states).toEqual(['busy', 'listening']);
    });

    it('waits for a voice that takes eleven seconds to its first sound', async () => {
      await start();
      run.speech.tts.firstSoundMs = 11_000;
      await expect(run.talk.say('Bom dia.')).resolves.toBe('heard');
      expect(run.line.soundAfter(0)).toBeGreaterThan(11_000);
      expect(run.turns).toMatchObject([{ speaker: 'assistant', text: 'Bom dia.', interrupted: false }]);
    });

    it('sends a frame every 20 ms from the first moment to the last', async () => {
      await start();
      await run.talk.say('Bom dia.');
      const { sent } = run.line;
      const lastMs = sent.at(-1)!.atMs - sent[0]!.atMs;
      expect(Math.abs(sent.length - 1 - lastMs / 20)).toBeLessThanOrEqual(4);
    });

    it('plays the sounds of an office under its words and in its pauses', async () => {
      await start({ voice: { ambience: { sound: 'crowded_room', volume: 1 } } });
      await until(() => run.line.soundAfter(0, 300) !== null);
      const fromMs = run.line.nowMs;
      await sleep(500);
      const pause = rmsOf(run.line.between(fromMs));
      expect(pause).toBeGreaterThan(0.01);
      expect(pause).toBeLessThan(0.15);
      expect(run.turns).toEqual([]);
    });

    it('stops with the call, whatever is being said', async () => {
      await start();
      const said = run.talk.say(LONG);
      await until(() => run.line.soundAfter(0) !== null);
      await sleep(700);
      run.end();
      await expect(said).resolves.toBe('cut');
      const overMs = run.line.nowMs;
      await sleep(200);
      expect(run.line.between(overMs + 60).length).toBe(0);
      await expect(run.talk.say('Ainda?')).resolves.toBe('cut');
      expect(run.turns).toMatchObject([{ interrupted: true }]);
    });

    it('cuts what it says even where the customer may not interrupt', async () => {
      await start();
      const said = run.talk.say(LONG, { interruptible: false });
      await until(() => run.line.soundAfter(0) !== null);
      run.talk.cut();
      const cutAtMs = run.line.nowMs;
      await expect(said).resolves.toBe('cut');
      expect(rmsOf(run.line.between(cutAtMs + 60))).toBe(0);
      await expect(run.talk.say('Pronto.')).resolves.toBe('heard');
    });
  });

  describe('answering', () => {
    it('answers what the customer has said, and measures how long that took', async () => {
      await start({ answers: [{ text: 'Claro, para quando?' }] });
      const endedAtMs = await customerSays();
      await until(() => run.turns.length === 2);
      expect(run.turns).toMatchObject([
        { speaker: 'customer', text: QUESTION, interrupted: false },
        { speaker: 'assistant', text: 'Claro, para quando?', interrupted: false },
      ]);
      const responseMs = run.line.soundAfter(endedAtMs - 300)! - endedAtMs;
      expect(responseMs).toBeLessThan(700 + SLACK_MS);
      const [turn] = run.metrics;
      expect(Math.abs(turn!.responseMs - responseMs)).toBeLessThan(SLACK_MS);
      expect(turn!.endpointingMs! + turn!.recognitionMs!).toBeGreaterThanOrEqual(250);
      expect(turn!.platformMs!).toBeLessThan(300 + SLACK_MS);
      expect(run.customer.slice(0, 2)).toEqual(['speaking', 'silent']);
    });

    it('says what is written, and not its markup', async () => {
      const text = [
        'Com a Sra.',
        ' Lima: **ter',
        'ça**, [aqui](https://a.br/x?y=1). ',
        'Tecle ',
        '* ou # 👍🏾.',
      ];
      await start({ answers: [{ text }] });
      await customerSays();
      await until(() => run.turns.length === 2);
      expect(run.speech.tts.said.map((piece) => piece.trim())).toEqual([
        'Com a Sra. Lima: terça, aqui.',
        'Tecle * ou #.',
      ]);
    });

    it('waits for as long as the customer wants before it answers', async () => {
      await start({
        answers: [{ text: 'Claro, para quando?' }],
        voice: { endpointing: { type: 'vad', minDelayMs: 1_500 } },
      });
      const endedAtMs = await customerSays();
      await until(() => run.turns.length === 2);
      expect(run.line.soundAfter(endedAtMs - 300)! - endedAtMs).toBeGreaterThan(1_200);
    });

    it('answers typed words in the order of the conversation', async () => {
      const chatModel = ScriptedChatModel.saying({ text: 'Dois.' });
      await start({
        chatModel,
        history: [{ speaker: 'assistant', text: 'Um.', startMs: 0, endMs: 1, interrupted: false }],
      });
      run.talk.hear('[Keypad: 4711]');
      run.talk.hear('E mais.');
      await until(() => run.turns.length === 3);
      expect(run.turns.map(({ text }) => text)).toEqual(['[Keypad: 4711]', 'E mais.', 'Dois.']);
      expect(run.shown.slice(2)).toEqual([
        'thinking',
        'speaking',
        expect.objectContaining({ text: 'Dois.' }),
        'listening',
      ]);
      expect(chatModel.requests).toHaveLength(1);
      expect(chatModel.requests[0]!.messages).toMatchObject([
        { role: 'system', content: 'You are kind.' },
        { role: 'assistant', content: 'Um.' },
        { role: 'user', content: '[Keypad: 4711] E mais.' },
      ]);
    });

    it('speaks without being asked, by a note', async () => {
      const chatModel = ScriptedChatModel.saying({ text: 'O senhor ainda está aí?' });
      await start({ chatModel });
      await run.talk.respond({ note: 'The customer is silent.' });
      expect(run.turns).toMatchObject([{ speaker: 'assistant', text: 'O senhor ainda está aí?' }]);
      expect(JSON.stringify(chatModel.requests[0]!.messages)).toContain('The customer is silent.');
    });

    it('gives up when no model answers, and reports that to the caller', async () => {
      await start();
      await expect(run.talk.respond({ note: 'Speak.' })).rejects.toMatchObject({ name: 'ModelError' });
      expect(run.failures).toEqual([]);
      run.talk.hear('Alô?');
      await until(() => run.failures.length > 0);
    });

    it('does not answer while the customer is on hold and hears music', async () => {
      await start({ answers: [{ text: 'Nunca.' }] });
      run.talk.hold({ volume: 80 });
      await until(() => run.line.soundAfter(0, 300) !== null);
      await customerSays();
      await sleep(800);
      expect(run.turns).toEqual([]);
      run.talk.hold(null);
      const backAtMs = run.line.nowMs;
      await sleep(200);
      expect(rmsOf(run.line.between(backAtMs + 60))).toBe(0);
      await expect(run.talk.say('Voltei.')).resolves.toBe('heard');
    });

    it('changes its voice with the language of the customer', async () => {
      await start({
        answers: [{ text: 'Yes, of course.' }],
        voice: {
          languages: [
            { iso2: 'pt', locale: 'pt-BR' },
            { iso2: 'en', locale: 'en-US' },
          ],
        },
      });
      const { ScriptedTts } = await import('../support/voice/scripted-speech.js');
      run.speech.others.set('en', new ScriptedTts(880));
      const endedAtMs = await customerSays('I would like an appointment', 'en');
      await until(() => run.turns.length === 2);
      const startMs = run.line.soundAfter(endedAtMs)!;
      expect(strengthOf(880, run.line.between(startMs + 60, startMs + 500), 8_000)).toBeGreaterThan(0.3);
    });
  });

  describe('interruptions', () => {
    it('falls silent when the customer speaks for as long as is set, and remembers what was heard', async () => {
      const chatModel = new ScriptedChatModel(() => ({ text: 'Sim.' }));
      await start({ chatModel, minInterruptionMs: 300 });
      const said = run.talk.say(LONG);
      await until(() => run.line.soundAfter(0) !== null);
      await sleep(1_000);
      const beganAtMs = run.line.nowMs;
      const speaking = customerSays();
      await expect(said).resolves.toBe('interrupted');
      await speaking;
      await until(() => run.turns.length === 3);
      const silentAfterMs = run.line.lastSoundBefore(beganAtMs + 2_000)! - beganAtMs;
      expect(silentAfterMs).toBeGreaterThan(250);
      expect(silentAfterMs).toBeLessThan(400 + SLACK_MS);
      expect(run.line.cleared).toBeGreaterThan(0);
      const [first] = run.turns;
      expect(first).toMatchObject({ speaker: 'assistant', interrupted: true });
      expect(LONG.startsWith(first!.text)).toBe(true);
      expect(first!.text.length).toBeLessThan(LONG.length * 0.7);
      // The model knows no more of it than the customer.
      expect(chatModel.requests.at(-1)!.messages).toContainEqual({ role: 'assistant', content: first!.text });
    });

    it('goes on where it was after a cough', async () => {
      await start({ minInterruptionMs: 150 });
      const said = run.talk.say(LONG);
      await until(() => run.line.soundAfter(0) !== null);
      await sleep(500);
      run.speech.stt.expect(null);
      await run.line.speak(cough);
      const coughedAtMs = run.line.nowMs;
      await expect(said).resolves.toBe('heard');
      expect(run.turns).toMatchObject([{ text: LONG, interrupted: false }]);
      const soundedMs = (run.line.lastSoundBefore()! - coughedAtMs) | 0;
      expect(soundedMs).toBeGreaterThan(2_500);
    });

    it('talks on where the customer may not interrupt', async () => {
      await start({
        voice: {
          interruptions: { allowed: false, minDurationMs: 300, minWords: null, ignoreBackchannels: true },
        },
      });
      const said = run.talk.say(LONG);
      await until(() => run.line.soundAfter(0) !== null);
      await customerSays();
      await expect(said).resolves.toBe('heard');
      expect(run.turns[0]).toMatchObject({ text: LONG, interrupted: false });
    });

    it('talks on until the customer has said as many words as are set', async () => {
      await start({
        voice: {
          interruptions: { allowed: true, minDurationMs: 200, minWords: 3, ignoreBackchannels: true },
        },
      });
      const said = run.talk.say(LONG);
      await until(() => run.line.soundAfter(0) !== null);
      await customerSays('Sim sim');
      await expect(said).resolves.toBe('heard');
      expect(run.turns[0]).toMatchObject({ text: LONG, interrupted: false });
    });
  });

  describe('tools', () => {
    const requestsOf = () => (run.chatModel as ScriptedChatModel).requests;

    it('uses a tool in mid-sentence, and speaks of its result', async () => {
      const seen: ChatRequest[] = [];
      const chatModel = new ScriptedChatModel((request, turn) => {
        seen.push(request);
        return turn === 0 ? { text: 'Vou ver.', calls: [{ name: 'free_times' }] } : { text: 'Às três.' };
      });
      await start({
        chatModel,
        tools: [toolOf('free_times', async () => objectOutcome({ times: ['15:00'] }))],
      });
      run.talk.hear('Tem horário?');
      await until(() => run.turns.length === 3);
      expect(run.turns.map(({ text }) => text)).toEqual(['Tem horário?', 'Vou ver.', 'Às três.']);
      expect(run.calls).toEqual([{ name: 'free_times', arguments: {}, result: { times: ['15:00'] } }]);
      expect(requestsOf().at(-1)!.messages.slice(-2)).toMatchObject([
        { role: 'assistant', content: 'Vou ver.', toolCalls: [{ name: 'free_times' }] },
        { role: 'tool', content: '{"times":["15:00"]}' },
      ]);
    });

    it('says that it takes a moment while a tool is slow', async () => {
      const slow = toolOf('slow', async () => {
        await sleep(5_000);
        return objectOutcome({});
      });
      await start({ answers: [{ calls: [{ name: 'slow' }] }, { text: 'Pronto.' }], tools: [slow] });
      run.talk.hear('Por favor.');
      await until(() => run.turns.length === 3);
      expect(run.turns.map(({ text }) => text)).toEqual([
        'Por favor.',
        'Só um momento, por favor.',
        'Pronto.',
      ]);
      expect(run.shown.map((shown) => (typeof shown === 'string' ? shown : shown.text))).toEqual([
        'Por favor.',
        'thinking',
        'speaking',
        'Só um momento, por favor.',
        'thinking',
        'speaking',
        'Pronto.',
        'listening',
      ]);
    });

    it('asks for no patience when what it thought about was dropped', async () => {
      await start({ answers: [{ isSilentAfter: true }] });
      run.talk.hear('Por favor.');
      await until(() => run.states.at(-1) === 'busy');
      run.talk.cut();
      await until(() => run.states.at(-1) === 'listening');
      await sleep(PATIENCE_MS);
      expect(run.turns.map(({ text }) => text)).toEqual(['Por favor.']);
    });

    it('asks for no patience where the engine goes on thinking of nothing', async () => {
      await start();
      const { engine } = Reflect.get(run.talk, 'components') as {
        engine: { current: { _updateAgentState(state: string): void } };
      };
      engine.current._updateAgentState('thinking');
      await sleep(PATIENCE_MS);
      expect(run.states).toEqual([]);
      expect(run.turns).toEqual([]);
    });

    it('lets a tool speak before it acts, once what was said is heard', async () => {
      const transfer = toolOf('transfer', async () => {
        await run.talk.spoken();
        await run.talk.say('Transferindo.');
        return objectOutcome({ outcome: 'busy' });
      });
      await start({
        answers: [{ text: 'Um instante.', calls: [{ name: 'transfer' }] }, { text: 'Ocupado.' }],
        tools: [transfer],
      });
      run.talk.hear('Quero falar com alguém.');
      await until(() => run.turns.length === 4);
      expect(run.turns.slice(1).map(({ text }) => text)).toEqual([
        'Um instante.',
        'Transferindo.',
        'Ocupado.',
      ]);
    });

    it('says goodbye when a tool has ended the call, after the last words', async () => {
      const endCall = toolOf('end_call', async () => objectOutcome({ ended: true }, 'end-call'));
      await start({ answers: [{ calls: [{ name: 'end_call' }] }, { text: 'Até logo.' }], tools: [endCall] });
      run.talk.hear('Tchau.');
      await until(() => run.goodbyes === 1);
      expect(run.turns.at(-1)).toMatchObject({ text: 'Até logo.', interrupted: false });
    });

    it('lets a tool finish though the customer interrupts, and does not do its work again', async () => {
      let bookings = 0;
      const book = toolOf('book', async () => {
        await sleep(1_500);
        bookings++;
        return objectOutcome({ booked: true });
      });
      const chatModel = new ScriptedChatModel((_request, turn) =>
        turn === 0 ? { calls: [{ name: 'book' }] } : { text: 'Está marcado.' },
      );
      await start({ chatModel, tools: [book], minInterruptionMs: 200 });
      run.talk.hear('Marque, por favor.');
      await sleep(300);
      await customerSays();
      await until(() => run.turns.at(-1)?.text === 'Está marcado.' && bookings === 1);
      await sleep(1_000);
      expect(bookings).toBe(1);
    });
  });

  it('bridges the pause before an answer with a filler of the right tone', async () => {
    const chatModel = ScriptedChatModel.saying({ text: 'Às três.' });
    const slow: ChatModel = {
      provider: 'sandbox',
      capabilities: chatModel.capabilities,
      async *stream(...given: Parameters<ScriptedChatModel['stream']>) {
        await sleep(1_500);
        yield* chatModel.stream(...given);
      },
    };
    const fillers = {
      positive: ['Que bom!'],
      negative: ['Entendo.'],
      question: ['Boa pergunta.'],
      neutral: ['Certo.'],
    };
    await start({ chatModel: slow, voice: { fillers } });
    run.talk.hear('A que horas vocês abrem?');
    await until(() => run.turns.length === 3);
    expect(run.turns.map(({ text }) => text)).toEqual([
      'A que horas vocês abrem?',
      'Boa pergunta.',
      'Às três.',
    ]);
    expect(JSON.stringify(chatModel.requests)).not.toContain('Boa pergunta');
  });

  it('leaves its message after the beep of an answering machine, and does not answer the machine', async () => {
    await start({ answers: [{ text: 'Nunca.' }] });
    const said = run.talk.say('Ligue de volta, por favor.', { interruptible: false, afterBeep: true });
    run.speech.stt.expect('Deixe sua mensagem');
    const greeting = joined(question, new Int16Array(4_000), tone(1_000, 8_000, 400, 0.3));
    const beepedAtMs = await run.line.speak(greeting);
    await expect(said).resolves.toBe('heard');
    const startMs = run.line.soundAfter(0)!;
    expect(startMs).toBeGreaterThan(beepedAtMs - 60);
    expect(startMs - beepedAtMs).toBeLessThan(500 + SLACK_MS);
    expect(run.turns.filter(({ speaker }) => speaker === 'assistant')).toMatchObject([
      { text: 'Ligue de volta, por favor.' },
    ]);
  });

  it('hears keys in the sound of the line, and takes no tone of them for speech', async () => {
    await start({ inBandDigits: true });
    await run.line.speak(keypadTones('42#', 8_000));
    await until(() => run.keys.length === 3);
    await sleep(500);
    expect(run.keys).toEqual(['4', '2', '#']);
    expect(run.customer).toEqual([]);
    expect(run.turns).toEqual([]);
  });

  it('hears no keys where the carrier tells of them', async () => {
    await start();
    await run.line.speak(keypadTones('42', 8_000));
    await sleep(300);
    expect(run.keys).toEqual([]);
  });

  it('plays keys as tones, which the far end can read', async () => {
    await start();
    const fromMs = run.line.nowMs;
    await run.talk.sendKeys('90w1');
    await sleep(100);
    const detector = new KeypadDetector(8_000);
    const read = [...framesOf(run.line.between(fromMs), 8_000)].map((frame) => detector.hear(frame) ?? '');
    expect(read.join('')).toBe('901');
  });

  it('fails with a reason when the ears break', async () => {
    await start();
    run.speech.stt.failure = new Error('The recogniser is gone.');
    await until(() => run.failures.length > 0, 20_000);
    expect(run.failures[0]).toMatchObject({ name: 'SpeechFailed' });
  });

  it('fails with a reason when the voice breaks', async () => {
    await start();
    run.speech.tts.failure = new Error('The voice is gone.');
    void run.talk.say('Bom dia.');
    await until(() => run.failures.length > 0, 20_000);
    expect(run.failures[0]).toMatchObject({ name: 'SpeechFailed' });
  });

  it('asks again when it hears speech and no words come of it, and gives up the third time', async () => {
    await start({ chatModel: new ScriptedChatModel(() => ({ text: 'Como?' })) });
    for (let time = 1; time <= 2; time++) {
      await customerSays(null);
      await until(() => run.turns.length === time, 15_000);
      expect(run.turns.at(-1)).toMatchObject({ speaker: 'assistant', text: 'Como?' });
    }
    await customerSays(null);
    await until(() => run.failures.length > 0, 15_000);
  }, 60_000);

  it('waits for a transcriber that is still being loaded, and understands what was said until then', async () => {
    let arrive = () => {};
    const isThere = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await start({
      chatModel: new ScriptedChatModel(() => ({ text: 'Como?' })),
      speech: (scripted) => {
        const open = () => isThere.then(() => scripted.stt);
        const one = new Candidates<stt.STT>('recognizer', [{ provider: 'slow', open }], new ProviderHealth());
        const ears = new FallbackRecognizer(one, new inference.VAD());
        const rest = {
          realtime: null,
          voiceFor: async () => null,
          phraseVoice: async () => null,
          close: () => ears.close(),
        };
        return { ...rest, stt: ears, tts: scripted.tts };
      },
    });
    run.speech.stt.expect(QUESTION);
    for (let time = 1; time <= 3; time++) {
      await run.line.speak(question);
      // Longer than words are waited for.
      await sleep(4_500);
    }
    expect(run.failures).toEqual([]);
    expect(run.turns).toEqual([]);
    arrive();
    await until(() => run.turns.some(({ text }) => text === QUESTION), 15_000);
    expect(run.failures).toEqual([]);
  }, 60_000);

  it('records both sides as they were heard, at their time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-recording-'));
    try {
      const recorder = new CallRecorder(folder, 77, (error) => run.errors.push(error));
      await start({ answers: [{ text: 'Claro, para quando?' }], recorder });
      await run.talk.say('Bom dia, aqui é a clínica.');
      const endedAtMs = await customerSays();
      await until(() => run.turns.length === 3);
      run.end();
      const { recording } = await run.talk.close();
      const packed = join(folder, 'call.ogg');
      await expect(packRecording(recording!, packed)).resolves.toBe(true);
      expect(run.errors).toEqual([]);
      const { customer: left, assistant: right } = await recordingSides(packed, 8_000, 10_000);
      expect(Math.abs(left.length / 8 - (await stat(recording!.path)).size / 32)).toBeLessThan(50);
      const greetingAtMs = run.turns[0]!.startMs;
      // A tone goes on in another phase where a busy machine has left frames out.
      expect(
        meanStrengthOf(440, right.subarray((greetingAtMs + 200) * 8, (greetingAtMs + 1_000) * 8), 8_000),
      ).toBeGreaterThan(0.3);
      expect(rmsOf(left.subarray((greetingAtMs + 200) * 8, (greetingAtMs + 1_000) * 8))).toBeLessThan(0.01);
      expect(rmsOf(left.subarray((endedAtMs - 1_500) * 8, (endedAtMs - 500) * 8))).toBeGreaterThan(0.03);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
