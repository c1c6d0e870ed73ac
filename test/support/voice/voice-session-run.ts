import { ModelError } from '../../../src/providers/llm/model-error.js';
import type { ChatModel } from '../../../src/providers/llm/chat-model.js';
import type { SampleRateHz } from '@prosa/audio';
import type { AssistantState } from '../../../src/providers/telephony/call/call-line.js';
import type { CompiledAssistant } from '../../../src/runtime/compile-assistant.js';
import type { CallControls } from '../../../src/runtime/tools/call-controls.js';
import type { TranscriptTurn } from '../../../src/runtime/call/session/call-setup.js';
import type { IgnoredWords } from '../../../src/runtime/call/session/session-facts.js';
import type {
  SessionListener,
  SessionSetup,
  TurnMetrics,
} from '../../../src/runtime/call/session/assistant-session.js';
import type { VoiceSettings } from '../../../src/runtime/call/settings/voice-settings.js';
import type { FunctionCall } from '../../../src/runtime/function-call.js';
import type { RuntimeTool } from '../../../src/runtime/tools/tool.js';
import type { SpeechServices } from '../../../src/voice/agent/speech-services.js';
import { VoiceSession } from '../../../src/voice/session/voice-session.js';
import type { CallRecorder } from '../../../src/voice/recording/call-recorder.js';
import { ScriptedChatModel, type ScriptedTurn } from '../scripted-chat-model.js';
import { ScriptedSpeech, ScriptedStt } from './scripted-speech.js';
import { TestLine } from './test-line.js';

export interface VoiceSessionRunOptions {
  readonly answers?: readonly ScriptedTurn[];
  readonly chatModel?: ChatModel;
  readonly tools?: readonly RuntimeTool[];
  readonly voice?: Partial<VoiceSettings>;
  readonly minInterruptionMs?: number;
  /** Other ears and another voice than the scripted ones. */
  readonly speech?: (scripted: ScriptedSpeech) => SpeechServices;
  /** Speech services for the assistant that takes over, as in VoiceSessionParts. */
  readonly openSpeech?: (scripted: ScriptedSpeech) => Promise<SpeechServices>;
  readonly lineRateHz?: SampleRateHz;
  readonly recorder?: CallRecorder;
  readonly history?: readonly TranscriptTurn[];
  readonly inBandDigits?: boolean;
  readonly detectsMachines?: boolean;
}

export const VOICE: VoiceSettings = {
  mode: 'pipeline',
  languages: [{ iso2: 'pt', locale: 'pt-BR' }],
  voice: { provider: 'scripted', code: 'tone' },
  transcriber: 'scripted',
  synthesizer: 'scripted',
  realtime: null,
  stability: 0.7,
  similarity: 0.5,
  speed: 1,
  emotion: true,
  interruptions: { allowed: true, minDurationMs: 500, minWords: null, ignoreBackchannels: true },
  endpointing: { type: 'vad', minDelayMs: 300 },
  turnDetectionThreshold: null,
  fillers: null,
  ambience: null,
  noiseCancellation: false,
};

const NO_LINE: CallControls = {
  customerPhone: null,
  assistantPhone: null,
  transferCountries: [],
  numbers: new Map(),
  transferToMember: async () => 'failed' as const,
  transfer: async () => 'failed',
  sendDigits: async () => false,
};

/** A talk on a line in real time, and all it tells. */
export class VoiceSessionRun {
  readonly turns: TranscriptTurn[] = [];
  readonly states: string[] = [];
  /** What the customer saw: states of the assistant, and the turns that were reported in between. */
  readonly shown: (AssistantState | TranscriptTurn)[] = [];
  readonly customer: string[] = [];
  readonly keys: string[] = [];
  readonly metrics: TurnMetrics[] = [];
  readonly calls: FunctionCall[] = [];
  readonly errors: unknown[] = [];
  readonly failures: unknown[] = [];
  readonly ignored: IgnoredWords[] = [];
  goodbyes = 0;
  private readonly over = new AbortController();

  private constructor(
    readonly line: TestLine,
    readonly speech: ScriptedSpeech,
    /** Hears the person who takes over. */
    readonly personHearing: ScriptedStt,
    readonly chatModel: ChatModel,
    readonly talk: VoiceSession,
    over: AbortController,
  ) {
    this.over = over;
  }

  static async start(options: VoiceSessionRunOptions = {}): Promise<VoiceSessionRun> {
    const line = new TestLine(options.lineRateHz);
    const speech = new ScriptedSpeech();
    const parts: SpeechServices = options.speech ? options.speech(speech) : speech;
    const over = new AbortController();
    const { openSpeech } = options;
    const answers = options.answers ?? [];
    const chatModel =
      options.chatModel ??
      new ScriptedChatModel((_request, turn) => answers[turn] ?? { fails: new ModelError('unavailable') });
    const voice: VoiceSettings = {
      ...VOICE,
      interruptions: { ...VOICE.interruptions, minDurationMs: options.minInterruptionMs ?? 500 },
      ...options.voice,
    };
    const personHearing = new ScriptedStt();
    const talk = new VoiceSession(
      { ...talkSetup(line, over.signal, options), chatModel, line, voice },
      {
        limits: { maxToolSteps: 3, maxToolsPerStep: 4 },
        speech: parts,
        openRecognizer: async () => personHearing,
        ...(openSpeech ? { openSpeech: () => openSpeech(speech) } : {}),
        recorder: options.recorder ?? null,
        rendered: null,
      },
    );
    const run = new VoiceSessionRun(line, speech, personHearing, chatModel, talk, over);
    await talk.start(run.listener);
    return run;
  }

  end(): void {
    this.over.abort();
  }

  async close(): Promise<void> {
    this.over.abort();
    await this.talk.close();
    this.line.end();
  }

  private get listener(): SessionListener {
    return {
      onTurn: (turn, earlier) => {
        const at = earlier ? this.turns.indexOf(earlier) : this.turns.length;
        this.turns.splice(at, 1, turn);
        this.shown.push(turn);
      },
      onCustomer: (state) => this.customer.push(state),
      onKeys: (digits) => this.keys.push(digits),
      onAssistant: (state) => this.states.push(state),
      onState: (state) => this.shown.push(state),
      onGoodbye: () => this.goodbyes++,
      onFarEnd: () => {},
      onFunctionCall: (call) => this.calls.push(call),
      onIgnored: (ignored) => this.ignored.push(ignored),
      onMetrics: (turn) => this.metrics.push(turn),
      onError: (error) => this.errors.push(error),
      onFailure: (error) => this.failures.push(error),
    };
  }
}

function assistantWith(tools: readonly RuntimeTool[]): CompiledAssistant {
  return {
    id: 1,
    name: 'Bia',
    model: { code: 'first' },
    fallbackModel: null,
    temperature: 0.1,
    tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
    knowledge: null,
    openVariables: new Set(),
    variablesOf: () => ({}),
    toolVariablesOf: () => ({}),
    instructions: () => 'You are kind.',
    greeting: () => 'Bom dia!',
  };
}

/** A call on a test's line, with an assistant that greets in Portuguese. */
export function talkSetup(
  line: TestLine,
  signal: AbortSignal,
  options: Pick<VoiceSessionRunOptions, 'tools' | 'history' | 'inBandDigits' | 'detectsMachines'> = {},
): Omit<SessionSetup, 'voice' | 'recordAs'> {
  return {
    callId: 'call',
    userId: 1,
    media: { audio: line },
    chatModel: ScriptedChatModel.saying(),
    assistant: assistantWith(options.tools ?? []),
    variables: {},
    toolVariables: {},
    controls: NO_LINE,
    history: options.history ?? [],
    elapsedMs: () => line.nowMs,
    signal,
    inBandDigits: options.inBandDigits ?? false,
    detectsMachines: options.detectsMachines ?? false,
  };
}
