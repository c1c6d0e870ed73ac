import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedChatModel, type ScriptedTurn } from '../../../test/support/scripted-chat-model.js';
import { VirtualClock } from '../../../test/support/virtual-clock.js';
import { answerJson, LocalServer } from '../../../test/support/http-server.js';
import { EgressClient } from '../../common/egress/egress-client.js';
import type { ChatModel, ChatRequest } from '../../providers/llm/chat-model.js';
import { ModelError } from '../../providers/llm/model-error.js';
import { SandboxChatModel } from '../../providers/llm/sandbox/sandbox-chat-model.js';
import { readUntil } from '../../../test/conformance/call-carrier.conformance.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { SandboxCallCarrier } from '../../providers/telephony/sandbox/sandbox-call-carrier.js';
import { speechMs } from '../../providers/telephony/sandbox/sandbox-times.js';
import { sipTargetResolver } from '../../providers/telephony/sip-target.js';
import { MemoryJournal } from '../../providers/telephony/sandbox/sandbox-journal.js';
import {
  personaOf,
  type PersonaReply,
  type SandboxPersona,
} from '../../providers/telephony/sandbox/sandbox-persona.js';
import type { AssistantSnapshot } from '../assistant-snapshot.js';
import { compileAssistant } from '../compile-assistant.js';
import type { CallListener, CallResult, EngineCall } from './call-engine.js';
import type { CallSettings } from './call-settings.js';
import { TalkCallEngine } from './talk-call-engine.js';
import { TextTalks } from './text-talks.js';

const CUSTOMER = '+5511987654300';
const ASSISTANT = '+551155500011';
const GREETING = 'Good morning, Ana.';

/** Of a name server that knows two names. */
const resolveSipTarget = sipTargetResolver([], async (host) => {
  if (host === 'nowhere.example.com') throw new Error('not found');
  return [{ address: host === 'inside.example.com' ? '10.0.0.5' : '93.184.215.14' }];
});
const egress = new EgressClient({ allowCidrs: ['127.0.0.1/32'] });
afterAll(() => egress.close());

let clock: VirtualClock;
let errors: unknown[];

beforeEach(() => {
  clock = new VirtualClock();
  errors = [];
});

const SETTINGS: CallSettings = {
  waitForCustomer: false,
  maxDurationMs: 600_000,
  maxSilenceMs: 40_000,
  maxInitialSilenceMs: null,
  reengagementIntervalMs: 30_000,
  reengagementPrompt: null,
  endOnVoicemail: true,
  voicemailMessage: null,
  keypad: null,
};

interface Scene {
  /** What the person at the far end does; silent for ever when left out. */
  readonly replies?: readonly PersonaReply[];
  readonly opening?: string;
  readonly persona?: Partial<SandboxPersona>;
  readonly model?: ChatModel;
  readonly turns?: readonly ScriptedTurn[];
  readonly settings?: Partial<CallSettings>;
  readonly snapshot?: Partial<AssistantSnapshot>;
  readonly call?: Partial<EngineCall>;
  readonly carrier?: (carrier: SandboxCallCarrier) => void;
  readonly transferCountries?: readonly string[];
}

function snapshotWith(extra: Partial<AssistantSnapshot> = {}): AssistantSnapshot {
  return {
    id: 5,
    name: 'Bia',
    mode: 'pipeline',
    timezone: 'America/Sao_Paulo',
    language: { name: 'English', iso2: 'en' },
    secondaryLanguages: [],
    systemPrompt: 'You sell shoes.',
    initialMessage: 'Good morning, {{name}}.',
    temperature: 0.1,
    variables: {},
    model: { code: 'main' },
    fallbackModel: null,
    httpTools: [],
    builtinTools: [],
    knowledge: null,
    ...extra,
  };
}

interface Played extends CallResult {
  readonly said: readonly string[];
  readonly requests: readonly ChatRequest[];
  /** How the carrier saw the end; null while the line is open. */
  readonly lineEnd: unknown;
  readonly callId: string;
  readonly carrier: SandboxCallCarrier;
}

function personaFor({ replies = [], opening, persona }: Scene): SandboxPersona {
  return { answers: 'human', opening: opening ?? null, replies, nudge: null, ...persona };
}

/** Dials, waits for the answer and lets the engine run to its end, in virtual time. */
async function play(scene: Scene): Promise<Played> {
  const carrier = new SandboxCallCarrier({
    clock,
    journal: new MemoryJournal(),
    persona: (e164, dial) => (e164 === CUSTOMER ? personaFor(scene) : personaOf(e164, dial)),
  });
  scene.carrier?.(carrier);
  const model = scene.model ?? ScriptedChatModel.saying(...(scene.turns ?? []));
  const engine = new TalkCallEngine({
    line: carrier,
    talks: new TextTalks({ chatModel: model, clock, limits: { maxToolSteps: 4, maxToolsPerStep: 4 } }),
    chatModel: model,
    clock,
    transferCountries: scene.transferCountries ?? [],
    resolveSipTarget,
  });
  const { callId } = await carrier.place({
    key: 'attempt',
    from: ASSISTANT,
    to: CUSTOMER,
    ringingTimeoutMs: 30_000,
  });
  const events = carrier.watch(callId);
  await clock.until(readUntil(events, 'answered'));
  const listener: CallListener = { onError: (error) => errors.push(error), ...scene.call?.listener };
  const result = await clock.until(
    engine.run({
      callId,
      events,
      assistant: compileAssistant(snapshotWith(scene.snapshot), 'call', egress),
      variableContext: {
        variables: { name: 'Ana' },
        customerPhone: CUSTOMER,
        assistantPhone: ASSISTANT,
        now: clock.date(),
      },
      settings: { ...SETTINGS, ...scene.settings },
      signal: new AbortController().signal,
      ...scene.call,
      listener,
    }),
  );
  const found = await carrier.findCall('attempt');
  return {
    ...result,
    said: result.transcript.map(({ speaker, text }) => `${speaker}: ${text}`),
    requests: model instanceof ScriptedChatModel ? model.requests : [],
    lineEnd: found.found === 'yes' ? found.call.end : undefined,
    callId,
    carrier,
  };
}

function messagesOf(request: ChatRequest | undefined): string[] {
  return (request?.messages ?? []).slice(1).map(({ role, content }) => `${role}: ${content}`);
}

const HANGS_UP: PersonaReply = { say: 'Bye!', hangUp: 'afterwards' };

describe('a conversation', () => {
  it('greets, answers turn by turn, and ends when the customer hangs up', async () => {
    const { endedBy, said, requests, lineIsOpen, answeredBy } = await play({
      replies: [{ say: 'Hi, who is it?' }, HANGS_UP],
      turns: [{ text: 'This is Bia.' }, { text: 'Goodbye.' }],
    });

    expect({ endedBy, lineIsOpen, answeredBy }).toEqual({
      endedBy: 'customer',
      lineIsOpen: false,
      answeredBy: 'human',
    });
    expect(said.slice(0, 4)).toEqual([
      `assistant: ${GREETING}`,
      'customer: Hi, who is it?',
      'assistant: This is Bia.',
      'customer: Bye!',
    ]);
    expect(messagesOf(requests[0])).toEqual([`assistant: ${GREETING}`, 'user: Hi, who is it?']);
    expect(messagesOf(requests[1])).toEqual([
      `assistant: ${GREETING}`,
      'user: Hi, who is it?',
      'assistant: This is Bia.',
      'user: Bye!',
    ]);
    expect(requests[0]?.messages[0]?.content).toContain('phone call');
  });

  it('waits for the customer when it should', async () => {
    const { said } = await play({
      opening: 'Hello?',
      replies: [HANGS_UP],
      turns: [{ text: 'Good day.' }, { text: 'Bye.' }],
      settings: { waitForCustomer: true },
    });

    expect(said.slice(0, 2)).toEqual(['customer: Hello?', 'assistant: Good day.']);
  });

  it('waits also when it has no initial message', async () => {
    const { said } = await play({
      opening: 'Hello?',
      replies: [HANGS_UP],
      turns: [{ text: 'Good day.' }, { text: 'Bye.' }],
      snapshot: { initialMessage: '' },
    });

    expect(said[0]).toBe('customer: Hello?');
  });

  it('fills variables, and tells which it used', async () => {
    const { variables } = await play({ replies: [{ hangUp: 'instead' }] });

    expect(variables).toMatchObject({ name: 'Ana', customer_phone: CUSTOMER, assistant_phone: ASSISTANT });
  });

  it('tells of each turn while it happens, and when', async () => {
    const turns: string[] = [];
    const { transcript } = await play({
      replies: [{ say: 'Hi.', hangUp: 'afterwards' }],
      turns: [{ text: 'Oh.' }],
      call: { listener: { onTurn: ({ text }, earlier) => void (earlier ?? turns.push(text)) } },
    });

    expect(turns).toEqual(transcript.map(({ text }) => text));
    expect(transcript[0]?.startMs).toBe(0);
    expect(transcript[1]?.endMs).toBe(speechMs(GREETING) + 800 + speechMs('Hi.'));
  });

  it('answers several sayings at once', async () => {
    const { requests } = await play({
      replies: [{ say: 'One.', press: '12#' }, HANGS_UP],
      model: new ScriptedChatModel((_request, turn) => ({ text: `Answer ${turn}.` })),
      settings: { keypad: { timeoutMs: 5_000, stopKey: '#' } },
    });

    expect(messagesOf(requests[0]).at(-1)).toBe('user: One. [Keypad: 12]');
  });

  it('counts what models were asked', async () => {
    const { modelUsage } = await play({
      replies: [{ say: 'Hi.' }, HANGS_UP],
      turns: [{ text: 'This is Bia.' }, { text: 'Bye.' }],
    });

    expect(modelUsage).toEqual([
      { model: 'main', requests: expect.any(Number), inputTokens: null, outputTokens: null },
    ]);
    expect(modelUsage[0]?.requests).toBeGreaterThanOrEqual(1);
  });

  it('lasts as long as the carrier says', async () => {
    const { durationMs, lineEnd } = await play({
      replies: [{ say: 'Hi.', hangUp: 'afterwards' }],
      turns: [{ text: 'x' }],
    });

    expect(lineEnd).toMatchObject({ answeredMs: durationMs, by: 'customer' });
  });
});

describe('the sandbox with its own people and model', () => {
  it('holds a conversation from the greeting to the goodbye', async () => {
    const { endedBy, said } = await play({
      persona: personaOf(CUSTOMER, 1),
      model: new SandboxChatModel(),
      snapshot: {
        systemPrompt: 'Você é a Bia. A loja abre às nove horas.',
        initialMessage: 'Bom dia! Aqui é a Bia, da loja de sapatos.',
        language: { name: 'Portuguese', iso2: 'pt' },
      },
    });

    expect(endedBy).toBe('customer');
    expect(said.filter((line) => line.startsWith('customer'))).toEqual([
      'customer: Oi, sou eu sim.',
      'customer: Pode falar, estou ouvindo.',
      'customer: Certo, obrigado. Tchau!',
    ]);
    expect(said.filter((line) => line.startsWith('assistant')).length).toBeGreaterThanOrEqual(3);
  });
});

describe('an adopted call', () => {
  const turns = [
    { speaker: 'assistant', text: GREETING, startMs: 0, endMs: 1_500, interrupted: false },
    { speaker: 'customer', text: 'Hi, I want shoes.', startMs: 3_000, endMs: 4_000, interrupted: false },
    { speaker: 'customer', text: 'Red ones.', startMs: 4_500, endMs: 5_000, interrupted: false },
  ] as const;

  it('goes on where the other process was: no second greeting, all that was said', async () => {
    const { said, requests } = await play({
      opening: 'Are you there?',
      replies: [HANGS_UP],
      turns: [{ text: 'Yes.' }, { text: 'Bye.' }],
      call: { resumed: { turns, elapsedMs: 10_000, isOnHold: false } },
    });

    expect(said.slice(0, 5)).toEqual([
      ...turns.map(({ speaker, text }) => `${speaker}: ${text}`),
      'customer: Are you there?',
      'assistant: Yes.',
    ]);
    expect(messagesOf(requests[0])).toEqual([
      `assistant: ${GREETING}`,
      'user: Hi, I want shoes.\nRed ones.',
      'user: Are you there?',
    ]);
  });

  /** A process that died has begun a transfer; the customer is on hold when the call is adopted. */
  const transferTo = (to: string) => (carrier: SandboxCallCarrier) => {
    const place = carrier.place.bind(carrier);
    carrier.place = async (request) => {
      const placed = await place(request);
      const transfer = { transferId: 'of-the-dead', to, from: ASSISTANT, ringingTimeoutMs: 30_000 };
      clock.after(3_001, () => {
        void carrier.transfer(placed.callId, { ...transfer, briefing: null, holdMusicVolume: null });
      });
      return placed;
    };
  };

  it('leaves the customer to the far end of a transfer that another process began', async () => {
    const { endedBy, lineIsOpen, said, requests } = await play({
      carrier: transferTo('+5511987654307'),
      call: { resumed: { turns, elapsedMs: 10_000, isOnHold: true } },
    });

    expect({ endedBy, lineIsOpen }).toEqual({ endedBy: 'transfer', lineIsOpen: true });
    expect(said).toHaveLength(turns.length);
    expect(requests).toEqual([]);
  });

  it('takes the customer back when that transfer fails, however long it rang', async () => {
    const { endedBy, said, requests } = await play({
      carrier: transferTo('+5511987654302'),
      replies: [HANGS_UP],
      turns: [{ text: 'Nobody is there.' }, { text: 'Bye.' }],
      settings: { maxSilenceMs: 10_000 },
      call: { resumed: { turns, elapsedMs: 10_000, isOnHold: true } },
    });

    expect(said.slice(turns.length)).toEqual(expect.arrayContaining(['assistant: Nobody is there.']));
    expect(requests[0]?.messages.at(-1)?.content).toContain('did not succeed (no-answer)');
    expect(endedBy).toBe('customer');
  });

  it.each([
    ['leaves a machine its message', [], ['assistant: Please call back.']],
    [
      'does not leave it again where the other process had',
      [{ speaker: 'assistant', text: 'Please call back.', startMs: 4_000, endMs: 5_000, interrupted: false }],
      [],
    ],
  ] as const)('%s', async (_title, left, expected) => {
    const { endedBy, answeredBy, said } = await play({
      persona: { answers: 'machine' },
      settings: { voicemailMessage: 'Please call back.' },
      call: { answeredBy: 'machine', resumed: { turns: left, elapsedMs: 6_000, isOnHold: false } },
    });

    expect({ endedBy, answeredBy }).toEqual({ endedBy: 'assistant', answeredBy: 'machine' });
    expect(said.slice(left.length)).toEqual(expected);
  });

  it('has only the time that is left', async () => {
    const { endedBy, durationMs } = await play({
      settings: { maxDurationMs: 20_000 },
      call: { resumed: { turns, elapsedMs: 15_000, isOnHold: false } },
    });

    expect({ endedBy, durationMs }).toEqual({ endedBy: 'limit', durationMs: 20_000 });
    expect(clock.nowMs()).toBe(3_000 + 5_000);
  });
});

async function hangUpAttempt(carrier: SandboxCallCarrier): Promise<void> {
  const lookup = await carrier.findCall('attempt');
  if (lookup.found === 'yes') await carrier.hangUp(lookup.call.callId);
}

describe('the end', () => {
  it('comes after max_duration, whatever is said', async () => {
    const { endedBy, durationMs, lineEnd } = await play({
      replies: Array.from({ length: 50 }, () => ({ say: 'And then?' })),
      model: new ScriptedChatModel(() => ({ text: 'More.' })),
      settings: { maxDurationMs: 20_000 },
    });

    expect({ endedBy, durationMs }).toEqual({ endedBy: 'limit', durationMs: 20_000 });
    expect(lineEnd).toMatchObject({ outcome: 'hung-up', by: 'platform', answeredMs: 20_000 });
  });

  it('comes by the end_call tool, after the goodbye', async () => {
    const { endedBy, said, durationMs, actions } = await play({
      replies: [{ say: 'No thanks.' }],
      turns: [{ text: 'I see.', calls: [{ name: 'end_call' }] }, { text: 'Have a nice day!' }],
      snapshot: { builtinTools: [{ type: 'end_call', description: 'When the customer declines.' }] },
    });

    expect(endedBy).toBe('assistant');
    expect(said.at(-1)).toBe('assistant: I see.\n\nHave a nice day!');
    expect(actions).toMatchObject([{ type: 'function-call', call: { name: 'end_call' } }]);
    expect(durationMs).toBe(
      speechMs(GREETING) + 800 + speechMs('No thanks.') + speechMs('I see.\n\nHave a nice day!'),
    );
  });

  it('comes when it is stopped', async () => {
    const stop = new AbortController();
    clock.after(8_000, () => stop.abort());
    const { endedBy, lineEnd } = await play({ call: { signal: stop.signal } });

    expect(endedBy).toBe('stopped');
    expect(lineEnd).toMatchObject({ by: 'platform' });
  });

  it('comes when another process hangs up', async () => {
    const { endedBy, lineIsOpen } = await play({
      carrier: (carrier) => {
        clock.after(8_000, () => void hangUpAttempt(carrier));
      },
    });

    expect({ endedBy, lineIsOpen }).toEqual({ endedBy: 'stopped', lineIsOpen: false });
  });

  it('is told when the customer hangs up while the assistant speaks or thinks', async () => {
    const { endedBy, durationMs } = await play({
      replies: [{ hangUp: 'instead' }],
    });

    expect(endedBy).toBe('customer');
    expect(durationMs).toBe(1_000);
  });

  it('is a failure when the line breaks', async () => {
    const broken = new CallCarrierError('unavailable', 'maybe');
    const { endedBy, error } = await play({
      carrier: (carrier) => {
        carrier.media.text.say = () => Promise.reject(broken);
      },
    });

    expect({ endedBy, error }).toEqual({ endedBy: 'failed', error: broken });
  });

  it('leaves the line open when hanging up fails, and says so', async () => {
    const broken = new CallCarrierError('unavailable', 'maybe');
    const { lineIsOpen } = await play({
      settings: { maxDurationMs: 20_000 },
      carrier: (carrier) => {
        carrier.hangUp = () => Promise.reject(broken);
      },
    });

    expect(lineIsOpen).toBe(true);
    expect(errors).toEqual([broken]);
  });
});

describe('silence', () => {
  it('ends the call after max_silence_duration', async () => {
    const { endedBy, durationMs } = await play({ settings: { maxSilenceMs: 40_000 } });

    expect({ endedBy, durationMs }).toEqual({
      endedBy: 'silence',
      durationMs: speechMs(GREETING) + 40_000,
    });
  });

  it('ends it earlier when the customer never spoke', async () => {
    const { endedBy, durationMs } = await play({
      settings: { maxSilenceMs: 40_000, maxInitialSilenceMs: 10_000 },
    });

    expect({ endedBy, durationMs }).toEqual({ endedBy: 'silence', durationMs: speechMs(GREETING) + 10_000 });
  });

  it('is not initial any more once the customer has spoken', async () => {
    const { durationMs, transcript } = await play({
      replies: [{ say: 'Hi.' }],
      turns: [{ text: 'Hello.' }],
      settings: { maxSilenceMs: 40_000, maxInitialSilenceMs: 10_000 },
    });

    expect(durationMs).toBe((transcript.at(-1)?.startMs ?? 0) + speechMs('Hello.') + 40_000);
  });

  it('makes the assistant speak at each interval, and goes on counting', async () => {
    const { actions, said, requests, durationMs } = await play({
      model: new ScriptedChatModel(() => ({ text: 'Are you there?' })),
      settings: {
        maxSilenceMs: 25_000,
        reengagementIntervalMs: 10_000,
        reengagementPrompt: 'Ask for a sign.',
      },
    });

    expect(said).toEqual([
      `assistant: ${GREETING}`,
      'assistant: Are you there?',
      'assistant: Are you there?',
    ]);
    expect(actions.map(({ type }) => type)).toEqual(['reengagement', 'reengagement']);
    expect(requests[0]?.messages.at(-1)).toMatchObject({
      role: 'system',
      content: expect.stringContaining('Ask for a sign.'),
    });
    expect(durationMs).toBe(speechMs(GREETING) + 25_000 + 2 * speechMs('Are you there?'));
  });

  it('says nothing into it without a prompt', async () => {
    const { actions } = await play({ settings: { reengagementIntervalMs: 7_000 } });

    expect(actions).toEqual([]);
  });

  it('begins anew when the customer speaks', async () => {
    const { actions } = await play({
      replies: [{ say: 'Hm.' }, { say: 'Hm.' }, HANGS_UP],
      model: new ScriptedChatModel((request) => ({
        text: request.messages.at(-1)?.role === 'system' ? 'Hello?' : 'Go on.',
      })),
      settings: { maxSilenceMs: 15_000, reengagementIntervalMs: 10_000, reengagementPrompt: 'Ask.' },
    });

    expect(actions).toEqual([]);
  });

  it('does not count while a tool runs', async () => {
    const server = await LocalServer.start(async (_request, response) => {
      while (clock.nowMs() < 30_000) await sleep(2);
      answerJson(response, { stock: 3 });
    });
    const slow = new ScriptedChatModel((_request, turn) =>
      turn === 0 ? { calls: [{ name: 'stock' }] } : { text: 'Three pairs.' },
    );
    const { endedBy, actions, said } = await play({
      replies: [{ say: 'How many?' }, HANGS_UP],
      model: slow,
      settings: { maxSilenceMs: 5_000 },
      // Something must happen in virtual time while the real request is under way.
      carrier: () => {
        for (let ms = 0; ms < 200_000; ms += 250) clock.after(ms, () => {});
      },
      snapshot: {
        httpTools: [
          {
            name: 'stock',
            description: 'The stock',
            endpoint: `${server.url}/stock`,
            method: 'GET',
            bodyFormat: 'json',
            headers: [],
            staticFields: [],
            timeoutMs: 5_000,
            parameters: [],
          },
        ],
      },
    });
    await server.stop();

    expect(server.requests.map(({ path }) => path)).toEqual(['/stock']);
    expect(actions).toMatchObject([
      { type: 'function-call', call: { name: 'stock', result: expect.anything() } },
    ]);
    expect(said).toContain('assistant: Three pairs.');
    expect(endedBy).toBe('customer');
  });
});

describe('a voicemail', () => {
  const machine: Scene = { persona: { answers: 'machine', opening: 'Leave a message.' } };

  it('gets the message, and the call ends', async () => {
    const { endedBy, answeredBy, said, requests, actions } = await play({
      ...machine,
      settings: { voicemailMessage: 'Dear {{name}}, call us back.' },
    });

    expect({ endedBy, answeredBy }).toEqual({ endedBy: 'assistant', answeredBy: 'machine' });
    expect(said.at(-1)).toBe('assistant: Dear Ana, call us back.');
    expect(actions.map(({ type }) => type)).toEqual(['voicemail-message']);
    expect(requests).toEqual([]);
  });

  it('without a message ends the call at once', async () => {
    const { endedBy, durationMs, said } = await play(machine);

    expect(endedBy).toBe('assistant');
    expect(said.filter((line) => line.startsWith('assistant'))).toEqual([`assistant: ${GREETING}`]);
    expect(durationMs).toBe(speechMs('Leave a message.'));
  });

  it('cuts off the greeting', async () => {
    const { durationMs } = await play({
      ...machine,
      snapshot: { initialMessage: 'x'.repeat(500) },
      settings: { voicemailMessage: 'Call us.' },
    });

    expect(durationMs).toBe(speechMs('Leave a message.') + speechMs('Call us.'));
  });

  it('does not end the call when it should not', async () => {
    const { endedBy, said } = await play({
      ...machine,
      model: new ScriptedChatModel(() => ({ text: 'Good day.' })),
      settings: { endOnVoicemail: false, voicemailMessage: 'Call us.', maxSilenceMs: 10_000 },
    });

    expect(endedBy).toBe('silence');
    expect(said).toContain('assistant: Call us.');
  });
});

describe('the keypad', () => {
  const keypad = { timeoutMs: 5_000, stopKey: '#' };
  const answering = () => new ScriptedChatModel(() => ({ text: 'Thank you.' }));

  it('sends what was typed when the stop key is pressed', async () => {
    const { requests, actions, transcript } = await play({
      replies: [{ press: '1234#' }, HANGS_UP],
      model: answering(),
      settings: { keypad },
    });

    expect(messagesOf(requests[0]).at(-1)).toBe('user: [Keypad: 1234]');
    expect(actions[0]).toMatchObject({ type: 'digits-received', digits: '1234' });
    expect(transcript[1]).toMatchObject({ speaker: 'customer', endMs: speechMs(GREETING) + 800 });
  });

  it('sends it when no key was pressed for the time allowed', async () => {
    const { transcript } = await play({
      replies: [{ press: '12' }, HANGS_UP],
      model: answering(),
      settings: { keypad },
    });

    expect(transcript[1]).toEqual({
      speaker: 'customer',
      text: '[Keypad: 12]',
      startMs: speechMs(GREETING) + 800 + 5_000,
      endMs: speechMs(GREETING) + 800 + 5_000,
      interrupted: false,
    });
  });

  it('takes another stop key, and the usual one as a digit of two entries', async () => {
    const { actions } = await play({
      replies: [{ press: '1#2*34*' }, HANGS_UP],
      model: answering(),
      settings: { keypad: { ...keypad, stopKey: '*' } },
    });

    expect(actions).toMatchObject([{ digits: '1#2' }, { digits: '34' }]);
  });

  it('does not let silence end the call while somebody types', async () => {
    const { endedBy, actions } = await play({
      replies: [{ press: '12' }, HANGS_UP],
      model: answering(),
      settings: { keypad: { timeoutMs: 30_000, stopKey: '#' }, maxSilenceMs: 10_000 },
    });

    expect(actions[0]).toMatchObject({ digits: '12' });
    expect(endedBy).toBe('customer');
  });

  it('means nothing to an assistant without it', async () => {
    const { requests, actions } = await play({
      replies: [{ press: '1234#' }],
      settings: { maxSilenceMs: 10_000 },
    });

    expect([requests, actions]).toEqual([[], []]);
  });

  it('presses keys of others', async () => {
    const pressed: string[] = [];
    const { actions, requests } = await play({
      replies: [{ say: 'Press 1 for sales.' }, HANGS_UP],
      turns: [
        {
          calls: [
            { name: 'send_keypad_tones', args: { digits: '1' } },
            { name: 'send_keypad_tones', args: { digits: 'one' } },
          ],
        },
        { text: '' },
      ],
      snapshot: { builtinTools: [{ type: 'dtmf_input', description: 'In menus.' }] },
      settings: { maxSilenceMs: 10_000 },
      carrier: (carrier) => {
        const sendDigits = carrier.sendDigits.bind(carrier);
        carrier.sendDigits = (callId, digits) => {
          pressed.push(digits);
          return sendDigits(callId, digits);
        };
      },
    });

    expect(pressed).toEqual(['1']);
    expect(actions.filter(({ type }) => type === 'digits-sent')).toMatchObject([{ digits: '1' }]);
    expect(requests[1]?.messages.at(-1)?.content).toContain('Only 0-9');
  });
});

describe('transfers', () => {
  const wanted = [{ text: 'One moment.', calls: [{ name: 'transfer_call' }] }];
  const to = (phone: string, extra: object = {}) => ({
    builtinTools: [{ type: 'call_transfer', phone_number: phone, description: 'To sales.', ...extra }],
  });

  it('succeed when the far end answers, and leave the line to the two', async () => {
    const { endedBy, lineIsOpen, actions, said, lineEnd, modelUsage, durationMs, callId, carrier } =
      await play({
        replies: [{ say: 'Sales, please.' }],
        turns: wanted,
        snapshot: to('+55 (11) 98765-4307'),
      });
    const end = await clock.until(readUntil(carrier.watch(callId), 'ended'));

    expect({ endedBy, lineIsOpen, lineEnd }).toEqual({
      endedBy: 'transfer',
      lineIsOpen: true,
      lineEnd: null,
    });
    expect(actions[0]).toEqual({
      type: 'transfer',
      kind: 'cold',
      to: '+5511987654307',
      outcome: 'answered',
      atMs: durationMs,
    });
    expect(said.at(-1)).toBe('assistant: One moment.');
    expect(modelUsage).toMatchObject([{ requests: 1 }]);
    expect(end.at(-1)).toMatchObject({ call: { end: { answeredMs: durationMs + 10_000 } } });
  });

  it.each([
    ['01', 'busy'],
    ['02', 'no-answer'],
    ['04', 'failed'],
  ])(
    'to a number that ends in %s fail as %s, and the assistant has the customer back',
    async (digits, outcome) => {
      const { endedBy, actions, said, requests } = await play({
        replies: [{ say: 'Sales, please.' }, HANGS_UP],
        turns: [...wanted, { text: 'Nobody is there.' }, { text: 'Bye.' }],
        snapshot: to(`+55119876543${digits}`),
      });

      expect(actions[0]).toMatchObject({ type: 'transfer', outcome });
      expect(requests[1]?.messages.at(-1)?.content).toContain(`"reason":"${outcome}"`);
      expect(said).toContain('assistant: Nobody is there.');
      expect(endedBy).toBe('customer');
    },
  );

  it('fail when the carrier cannot', async () => {
    const { actions } = await play({
      replies: [{ say: 'Sales, please.' }, HANGS_UP],
      turns: [...wanted, { text: 'It does not work.' }, { text: 'Bye.' }],
      snapshot: to('+5511987654307'),
      carrier: (carrier) => {
        carrier.transfer = () => Promise.reject(new CallCarrierError('not-supported', 'no'));
      },
    });

    expect(actions[0]).toMatchObject({ type: 'transfer', outcome: 'failed' });
    expect(errors).toMatchObject([{ code: 'not-supported' }]);
  });

  it('do not count as silence', async () => {
    const { endedBy } = await play({
      replies: [{ say: 'Sales, please.' }, HANGS_UP],
      turns: [...wanted, { text: 'Nobody is there.' }, { text: 'Bye.' }],
      snapshot: to('+5511987654302'),
      settings: { maxSilenceMs: 10_000 },
    });

    expect(endedBy).toBe('customer');
  });

  it('end with the call', async () => {
    const { endedBy, durationMs } = await play({
      replies: [{ say: 'Sales, please.' }],
      turns: wanted,
      snapshot: to('+5511987654302'),
      settings: { maxDurationMs: 20_000 },
    });

    expect({ endedBy, durationMs }).toEqual({ endedBy: 'limit', durationMs: 20_000 });
    expect(errors).toEqual([]);
  });

  it('tell the model what to say before', async () => {
    const { requests } = await play({
      replies: [HANGS_UP],
      turns: [{ text: 'Bye.' }],
      snapshot: to('+5511987654307', { warm_transfer: true, warm_transfer_message: 'Thank them.' }),
    });

    expect(requests[0]?.tools).toMatchObject([
      { name: 'transfer_call', description: expect.stringMatching(/To sales\..*Thank them\./) },
    ]);
  });

  it.each([
    ['sip:sales@inside.example.com', false],
    ['sales@192.168.0.10', false],
    ['sip:sales@sip.example.com', true],
    ['sip:sales@nowhere.example.com', true],
  ])(
    'ask the carrier for a SIP address unless it leads into a private network: %s',
    async (address, asked) => {
      const wishes: string[] = [];
      const { actions } = await play({
        replies: [{ say: 'Sales, please.' }, HANGS_UP],
        turns: [...wanted, { text: 'It did not work.' }, { text: 'Bye.' }],
        snapshot: to(address),
        carrier: (carrier) => {
          carrier.transfer = (_callId, request) => {
            wishes.push(request.to);
            return Promise.reject(new CallCarrierError('not-supported', 'no'));
          };
        },
      });
      expect(wishes).toEqual(asked ? [address] : []);
      expect(actions[0]).toMatchObject({ type: 'transfer', outcome: 'failed' });
    },
  );

  const custom = (phone: string) => [{ calls: [{ name: 'transfer_call', args: { phone_number: phone } }] }];

  it('go to a number the model chose, in the country of the assistant', async () => {
    const { actions } = await play({
      replies: [{ say: 'Call my brother.' }],
      turns: custom('(21) 98765-4300'),
      snapshot: to('+5511987654307', { custom: true }),
    });

    expect(actions[0]).toMatchObject({ to: '+5521987654300', outcome: 'answered' });
  });

  it.each([
    ['another country', '+12125550100'],
    ['a premium number', '0900 123456'],
    ['no number', 'sip:me@example.com'],
  ])('never go where the model may not call: %s', async (_what, phone) => {
    const { actions, requests } = await play({
      replies: [{ say: 'Call my brother.' }, HANGS_UP],
      turns: [...custom(phone), { text: 'I cannot.' }, { text: 'Bye.' }],
      snapshot: to('+5511987654307', { custom: true }),
    });

    expect(actions.filter(({ type }) => type === 'transfer')).toEqual([]);
    expect(requests[1]?.messages.at(-1)?.content).toContain('error');
  });

  it('go abroad where the operator allows it', async () => {
    const { actions } = await play({
      replies: [{ say: 'Call my brother.' }],
      turns: custom('+351 912 345 600'),
      snapshot: to('+5511987654307', { custom: true }),
      transferCountries: ['BR', 'PT'],
    });

    expect(actions[0]).toMatchObject({ to: '+351912345600', outcome: 'answered' });
  });

  it('ignore a number the model made up where it has no choice', async () => {
    const { actions } = await play({
      replies: [{ say: 'Sales.' }],
      turns: custom('+12125550100'),
      snapshot: to('+5511987654307'),
    });

    expect(actions[0]).toMatchObject({ to: '+5511987654307' });
  });
});

describe('warm transfers', () => {
  const supervisor = (phone: string, extra: object = {}) => ({
    builtinTools: [
      {
        type: 'warm_call_transfer',
        supervisor_phone: phone,
        outbound_phone_id: 7,
        description: 'When they are angry.',
        custom_sip: false,
        caller_id_mode: 'outbound_number',
        hold_music: 'hold_music',
        hold_music_volume: 60,
        hold_message: 'Please hold.',
        summary_instructions: 'Sum up.',
        briefing_initial_message: 'Hello, a briefing.',
        connected_message: 'You are connected.',
        ...extra,
      },
    ],
  });
  const angry: Scene = {
    replies: [{ say: 'I want your boss!' }, HANGS_UP],
    turns: [
      { calls: [{ name: 'transfer_to_supervisor' }] },
      { text: 'Ana is angry.' },
      { text: 'They are busy.' },
      { text: 'Bye.' },
    ],
    call: { numbers: new Map([[7, '+551155500077']]) },
  };

  function spying(seen: unknown[]): (carrier: SandboxCallCarrier) => void {
    return (carrier) => {
      const transfer = carrier.transfer.bind(carrier);
      carrier.transfer = (callId, request) => {
        seen.push(request);
        return transfer(callId, request);
      };
    };
  }

  it('put the customer on hold, brief the supervisor, and connect the two', async () => {
    const seen: unknown[] = [];
    const { endedBy, lineIsOpen, said, actions, requests } = await play({
      ...angry,
      snapshot: supervisor('+5511987654307'),
      carrier: spying(seen),
    });

    expect(said.slice(1)).toEqual([
      'customer: I want your boss!',
      'assistant: Please hold.',
      'assistant: You are connected.',
    ]);
    expect(seen).toEqual([
      {
        transferId: expect.any(String),
        to: '+5511987654307',
        from: '+551155500077',
        ringingTimeoutMs: 30_000,
        briefing: 'Hello, a briefing. Ana is angry.',
        holdMusicVolume: 60,
      },
    ]);
    expect(messagesOf(requests[1])[0]).toContain('customer: I want your boss!');
    expect(actions[0]).toMatchObject({ type: 'transfer', kind: 'warm', outcome: 'answered' });
    expect({ endedBy, lineIsOpen }).toEqual({ endedBy: 'transfer', lineIsOpen: true });
  });

  it('bring the customer back when the supervisor declines', async () => {
    const { endedBy, said, actions } = await play({ ...angry, snapshot: supervisor('+5511987654305') });

    expect(actions[0]).toMatchObject({ outcome: 'declined' });
    expect(said).toContain('assistant: They are busy.');
    expect(said).not.toContain('assistant: You are connected.');
    expect(endedBy).toBe('customer');
  });

  it.each([
    ['the customer', { caller_id_mode: 'customer_number' }, CUSTOMER],
    [
      'a number of their own',
      { caller_id_mode: 'custom', custom_caller_id: '+551133334444' },
      '+551133334444',
    ],
    ['the assistant, when the number is gone', { outbound_phone_id: 8 }, ASSISTANT],
  ])('show the supervisor as caller: %s', async (_whom, extra, from) => {
    const seen: unknown[] = [];
    await play({ ...angry, snapshot: supervisor('+5511987654307', extra), carrier: spying(seen) });

    expect(seen).toMatchObject([{ from }]);
  });

  it('reach a SIP address, without music', async () => {
    const seen: unknown[] = [];
    const extra = { custom_sip: true, hold_music: 'none' };
    await play({ ...angry, snapshot: supervisor('boss@pbx.example.com', extra), carrier: spying(seen) });

    expect(seen).toMatchObject([{ to: 'boss@pbx.example.com', holdMusicVolume: null }]);
  });

  it('go on with a short briefing when no model can sum up', async () => {
    const seen: unknown[] = [];
    const failing: ScriptedTurn = { fails: new ModelError('unavailable') };
    const [first = {}] = angry.turns ?? [];
    const { endedBy } = await play({
      ...angry,
      turns: [first, failing],
      snapshot: supervisor('+5511987654307'),
      carrier: spying(seen),
    });

    expect(seen).toMatchObject([{ briefing: 'Hello, a briefing.' }]);
    expect(endedBy).toBe('transfer');
  });
});

describe('models that fail', () => {
  const failing: ScriptedTurn = { fails: new ModelError('unavailable') };

  it('are asked once more', async () => {
    const { said, endedBy } = await play({
      replies: [{ say: 'Hi.' }, HANGS_UP],
      turns: [{ text: 'Goo', ...failing }, { text: 'Good day.' }, { text: 'Bye.' }],
    });

    expect(said).toContain('assistant: Good day.');
    expect(endedBy).toBe('customer');
    expect(errors).toMatchObject([{ code: 'unavailable' }]);
  });

  it('end the call when they fail again', async () => {
    const { endedBy, error, lineEnd } = await play({ replies: [{ say: 'Hi.' }], turns: [failing, failing] });

    expect(endedBy).toBe('failed');
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(lineEnd).toMatchObject({ by: 'platform' });
  });

  it('are not asked again once a tool has run', async () => {
    const { endedBy, requests } = await play({
      replies: [{ say: 'Hi.' }],
      turns: [{ calls: [{ name: 'nothing' }] }, failing],
    });

    expect(endedBy).toBe('failed');
    expect(requests).toHaveLength(2);
  });
});
