import type { Clock } from '../../../src/common/time/clock.js';
import { EgressClient } from '../../../src/common/egress/egress-client.js';
import type { ChatModel, ChatRequest } from '../../../src/providers/llm/chat-model.js';
import type { CallCarrier } from '../../../src/providers/telephony/call-carrier.js';
import {
  personaOf,
  type PersonaReply,
  type SandboxPersona,
} from '../../../src/providers/telephony/sandbox/sandbox-persona.js';
import { sipTargetResolver } from '../../../src/providers/telephony/sip-target.js';
import type { AssistantSnapshot } from '../../../src/runtime/assistant-snapshot.js';
import type {
  CallListener,
  CallResult,
  CallSpeaker,
  CallSetup,
} from '../../../src/runtime/call/session/call-setup.js';
import type { CallSettings } from '../../../src/runtime/call/settings/call-settings.js';
import type { AssistantSessionFactory } from '../../../src/runtime/call/session/assistant-session.js';
import { CallController } from '../../../src/runtime/call/call-controller.js';
import type { VoiceSettings } from '../../../src/runtime/call/settings/voice-settings.js';
import { compileAssistant } from '../../../src/runtime/compile-assistant.js';
import { ScriptedChatModel, type ScriptedTurn } from '../../support/scripted-chat-model.js';
import { readUntil } from '../call-carrier.conformance.js';

export const CUSTOMER = '+5511987654300';
export const ASSISTANT = '+551155500011';
export const GREETING = 'Good morning, Ana.';
export const HANGS_UP: PersonaReply = { say: 'Bye!', hangUp: 'afterwards' };

/** What the spec of a AssistantSession brings: its time, its line, and who is at the far end of it. */
export interface CallRulesSubject {
  /** All waits of the scenes are multiplied by it: 1 in virtual time, less where real seconds pass. */
  readonly timeScale: number;
  /** How far off the measured moments may be; 0 in virtual time. */
  readonly toleranceMs: number;
  /** From the end of the assistant's words to the beginning of the far end's. */
  readonly thinksMs: number;
  readonly voice?: VoiceSettings;
  /**
   * Whether words are heard while the model still thinks. Then what it says around a tool call is two sayings, and what it
   * said before it failed cannot be taken back; keys take their time as well, so that they never come with words at once.
   */
  readonly wordByWord: boolean;
  /** How long either side needs to say something. */
  speechMs(text: string): number;
  /** Whether the talk tells menus and call screening, and not the carrier who has answered. */
  readonly tellsGatekeepers: boolean;
  /** How long a person needs to press keys. */
  pressMs(keys: string): number;
  /** From the end of the far end's words to the beginning of the assistant's. */
  readonly answersMs: number;
  /** From the answer by a machine with this greeting to when that is known. */
  machineKnownMs(greeting: string): number;
  /** From the answer by a machine with this greeting to when it records. */
  machineRecordsMs(greeting: string): number;
  /** Hears of the keys that the far end gets. To be called before the call is placed. */
  onKeysSent(carrier: CallCarrier, listener: (keys: string) => void): void;
  /** A new time for each scene. */
  time(): SceneTime;
  /** A carrier that nothing has happened on yet. @param persona who answers a number at its nth dial */
  carrier(
    time: SceneTime,
    persona: (e164: string, dial: number) => SandboxPersona,
  ): CallCarrier | Promise<CallCarrier>;
  sessions(time: SceneTime): AssistantSessionFactory;
}

export interface SceneTime {
  readonly clock: Clock;
  /** Lets time pass until the promise settles. */
  until<Value>(promise: Promise<Value>): Promise<Value>;
}

/** One call, from the answer to its end. */
export interface Scene {
  /** What the person at the far end does; silent for ever when left out. */
  readonly replies?: readonly PersonaReply[];
  readonly opening?: string;
  readonly persona?: Partial<SandboxPersona>;
  readonly model?: ChatModel;
  readonly turns?: readonly ScriptedTurn[];
  /** Milliseconds before they are scaled. */
  readonly settings?: Partial<CallSettings>;
  readonly snapshot?: Partial<AssistantSnapshot>;
  readonly call?: Partial<CallSetup>;
  readonly carrier?: (carrier: CallCarrier) => void;
  readonly transferCountries?: readonly string[];
}

export interface Played extends CallResult {
  readonly said: readonly string[];
  readonly requests: readonly ChatRequest[];
  /** How the carrier saw the end; null while the line is open. */
  readonly lineEnd: unknown;
  readonly callId: string;
  readonly carrier: CallCarrier;
}

const SETTINGS: CallSettings = {
  waitForCustomer: false,
  maxDurationMs: 600_000,
  maxSilenceMs: 40_000,
  maxInitialSilenceMs: null,
  reengagementIntervalMs: 30_000,
  reengagementPrompt: null,
  endOnVoicemail: true,
  voicemailMessage: null,
  monitoringAnnouncement: null,
  keypad: null,
};

/** Of a name server that knows two names. */
const resolveSipTarget = sipTargetResolver([], async (host) => {
  if (host === 'nowhere.example.com') throw new Error('not found');
  return [{ address: host === 'inside.example.com' ? '10.0.0.5' : '93.184.215.14' }];
});

/** Plays scenes on the subject's line, and measures in its time. */
export class CallRules {
  readonly errors: unknown[] = [];
  private readonly egress = new EgressClient({ allowCidrs: ['127.0.0.1/32'] });
  private time: SceneTime;

  constructor(readonly subject: CallRulesSubject) {
    this.time = subject.time();
  }

  /** To be called before each test. */
  begin(): void {
    this.time = this.subject.time();
    this.errors.length = 0;
  }

  close(): Promise<void> {
    return this.egress.close();
  }

  get clock(): Clock {
    return this.time.clock;
  }

  until<Value>(promise: Promise<Value>): Promise<Value> {
    return this.time.until(promise);
  }

  /** A wait of a scene, in the subject's time. */
  scaled(ms: number): number {
    return ms * this.subject.timeScale;
  }

  /** Does something so long (before scaling) after the dial. */
  after(ms: number, deed: () => void): void {
    this.clock.after(this.scaled(ms), deed);
  }

  speechMs(text: string): number {
    return this.subject.speechMs(text);
  }

  get thinksMs(): number {
    return this.subject.thinksMs;
  }

  /** What of a transcript the assistant said, in one piece where the subject divides it. */
  wordsOf(said: readonly string[]): string {
    const words = said
      .filter((line) => line.startsWith('assistant: '))
      .map((line) => line.slice('assistant: '.length));
    return words.join('\n\n');
  }

  /** How far a moment is off from what was expected, beyond what the subject allows: 0 is good. */
  offMs(actualMs: number | undefined, expectedMs: number): number {
    if (actualMs === undefined) return Infinity;
    return Math.max(Math.abs(actualMs - expectedMs) - this.subject.toleranceMs, 0);
  }

  /** Dials, waits for the answer and lets the engine run to its end. */
  async play(scene: Scene): Promise<Played> {
    const { subject, time } = this;
    const carrier = await subject.carrier(time, (e164, dial) =>
      e164 === CUSTOMER ? personaFor(scene) : personaOf(e164, dial),
    );
    scene.carrier?.(carrier);
    const model = scene.model ?? ScriptedChatModel.saying(...(scene.turns ?? []));
    const deps = {
      line: carrier,
      sessions: subject.sessions(time),
      userId: 1,
      chatModel: model,
      clock: time.clock,
      maxHoldMs: 600_000,
      transferCountries: scene.transferCountries ?? [],
      resolveSipTarget,
    };
    const { callId } = await carrier.place({
      key: 'attempt',
      from: ASSISTANT,
      to: CUSTOMER,
      ringingTimeoutMs: 30_000,
    });
    const events = carrier.watch(callId);
    await time.until(readUntil(events, 'answered'));
    const result = await time.until(new CallController(this.callOf(scene, callId, events), deps).run());
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

  /** Another assistant, as one that may take over. */
  speakerOf(snapshot: Partial<AssistantSnapshot>): CallSpeaker {
    const assistant = compileAssistant(snapshotWith(snapshot), 'call', this.egress);
    const variables = assistant.variablesOf({ variables: { name: 'Ana' }, now: this.clock.date() });
    return { assistant, variables, toolVariables: variables, voice: this.subject.voice ?? null };
  }

  private callOf(scene: Scene, callId: string, events: CallSetup['events']): CallSetup {
    const listener: CallListener = {
      onError: (error) => this.errors.push(error),
      ...scene.call?.listener,
    };
    return {
      callId,
      events,
      assistant: compileAssistant(snapshotWith(scene.snapshot), 'call', this.egress),
      variableContext: {
        variables: { name: 'Ana' },
        customerPhone: CUSTOMER,
        assistantPhone: ASSISTANT,
        now: this.clock.date(),
      },
      settings: this.settingsWith(scene.settings),
      signal: new AbortController().signal,
      amdEnabled: true,
      voice: this.subject.voice ?? null,
      ...scene.call,
      listener,
    };
  }

  private settingsWith(extra: Partial<CallSettings> = {}): CallSettings {
    const settings = { ...SETTINGS, ...extra };
    const { maxInitialSilenceMs, keypad } = settings;
    return {
      ...settings,
      maxDurationMs: this.scaled(settings.maxDurationMs),
      maxSilenceMs: this.scaled(settings.maxSilenceMs),
      maxInitialSilenceMs: maxInitialSilenceMs === null ? null : this.scaled(maxInitialSilenceMs),
      reengagementIntervalMs: this.scaled(settings.reengagementIntervalMs),
      keypad: keypad && { ...keypad, timeoutMs: this.scaled(keypad.timeoutMs) },
    };
  }
}

/** The conversation in a request to the model, without its first message. */
export function messagesOf(request: ChatRequest | undefined): string[] {
  return (request?.messages ?? []).slice(1).map(({ role, content }) => `${role}: ${content}`);
}

function personaFor({ replies = [], opening, persona }: Scene): SandboxPersona {
  return { answers: 'human', opening: opening ?? null, replies, nudge: null, ...persona };
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
    mcpTools: [],
    builtinTools: [],
    knowledge: null,
    ...extra,
  };
}
