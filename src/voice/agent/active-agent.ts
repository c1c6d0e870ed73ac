import type { llm } from '@livekit/agents';
import { CallSpeakers } from '../../runtime/call/session/call-speakers.js';
import type { CallSpeaker, TranscriptTurn, TurnAssistant } from '../../runtime/call/session/call-setup.js';
import type { ModelUsageCount } from '../../runtime/call/state/model-usage-count.js';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import type { SessionSetup } from '../../runtime/call/session/assistant-session.js';
import { messageOf } from '../../runtime/call/session/colleague-words.js';
import { HANDOFF_TOOL } from '../../runtime/handoff/handoff-tool.js';
import type { HandOver, HandoffTarget } from '../../runtime/tools/handoff-target.js';
import type { RuntimeTool } from '../../runtime/tools/tool.js';
import { ArgumentsRepair } from '../engine/arguments-repair.js';
import { CallAgent, type CallAgentOptions, chatContextOf } from '../engine/call-agent.js';
import { ChatModelLlm } from '../engine/chat-model-llm.js';
import { sessionTools, type ToolHost, type ToolTurn } from '../engine/runtime-tools.js';
import { ToolResults } from '../engine/tool-results.js';
import { streamingVoice } from '../engine/streaming-voice.js';
import { inPipeline } from './open-speech.js';
import { OpenTools } from './open-tools.js';
import type { ActiveAgentParts, Speaking, SpeechServices } from './speech-services.js';

export type ActiveAgentSetup = Pick<
  SessionSetup,
  | 'assistant'
  | 'chatModel'
  | 'variables'
  | 'toolVariables'
  | 'speakers'
  | 'controls'
  | 'origin'
  | 'history'
  | 'signal'
> & { readonly voice: VoiceSettings };

export interface ActiveAgentHost
  extends
    Pick<
      ToolHost,
      'onRun' | 'onFunctionStarted' | 'onFunctionCall' | 'onEffect' | 'onError' | 'onLateResult'
    >,
    Pick<CallAgentOptions, 'onWords' | 'onCustomerTurn' | 'sift'> {
  readonly usage: ModelUsageCount;
  /** Whether a model may be asked now. */
  mayAsk(): boolean;
  /** No model answers. */
  onFailure(error: unknown): void;
  /** Returns when the last words of the assistant that hands over have been heard, or have not. */
  sayAtHandover(words: string): Promise<void>;
  /** Another assistant has the customer; it has not said anything. */
  onTakenOver(): void;
  /**
   * Asks the assistant that has taken over to continue.
   *
   * @param turn the one in which it was handed over
   * @param begin to be called before it is asked to
   */
  resumeAfterHandoff(note: () => string, turn: ToolTurn, begin: () => void): void;
}

/** The assistant that speaks on a call: its model and tools, its recognizer and its voice. */
export class ActiveAgent {
  voice: VoiceSettings;
  speech: SpeechServices;
  private readonly speakers: CallSpeakers;
  /** All that were opened, the first one's as well; closed with the talk. */
  private readonly opened: SpeechServices[];
  private readonly results = new ToolResults();
  private readonly openTools: OpenTools;
  private agent: CallAgent | null = null;
  private isHandingOver = false;

  constructor(
    private readonly setup: ActiveAgentSetup,
    private readonly parts: ActiveAgentParts,
    private readonly host: ActiveAgentHost,
  ) {
    this.openTools = new OpenTools(setup.signal);
    this.voice = setup.voice;
    this.speech = parts.speech;
    this.opened = [parts.speech];
    this.speakers = setup.speakers ?? new CallSpeakers(setup.assistant.id, setup);
    if (setup.history.some(({ speaker }) => speaker === 'agent')) this.speakers.colleagueSpoke();
  }

  get turnAssistant(): TurnAssistant | undefined {
    return this.speakers.turnAssistant;
  }

  makeModel(): ChatModelLlm {
    const { speakers } = this;
    const { model, fallbackModel, temperature, knowledge } = speakers.current.assistant;
    return new ChatModelLlm({
      chatModel: this.setup.chatModel,
      model,
      fallbackModel,
      temperature,
      instructions: () => speakers.instructions,
      tools: this.tools,
      results: this.results,
      whisperFilter: () => speakers.whispers.filter(),
      knowledge,
      mayAsk: () => this.host.mayAsk(),
      onUsage: (code, usage) => this.host.usage.used(code, usage),
      onError: (error) => this.host.onError(error),
      onFailure: (error) => this.host.onFailure(error),
    });
  }

  /** @param conversation what was said and done so far; left out: what was said before the talk */
  makeAgent(conversation = chatContextOf(this.setup.history)): CallAgent {
    this.agent = new CallAgent({
      instructions: this.speakers.instructions,
      tools: sessionTools(this.tools, this.toolHost),
      conversation,
      onWords: (words) => this.host.onWords(words),
      sift: (event) => this.host.sift(event),
      onCustomerTurn: (words) => this.host.onCustomerTurn(words),
    });
    return this.agent;
  }

  /**
   * The realtime model does not answer any more: from now on the assistant's chat model does, which is its fallback LLM, with
   * ears and a voice like the model's.
   *
   * @param failure what it was lost by
   * @returns false where they cannot be had
   */
  async leaveRealtime(failure: unknown): Promise<boolean> {
    const { realtime } = this.voice;
    if (realtime) this.parts.onRealtimeLost?.(realtime, failure);
    const voice = inPipeline(this.voice);
    const speech = await this.openSpeech(voice, this.speakers.current.assistant.temperature);
    if (speech) [this.voice, this.speech] = [voice, speech];
    return speech !== null;
  }

  /** As `AssistantSession.instruct` says. */
  instruct(note: string): void {
    this.speakers.instruct(note);
    this.renewInstructions();
  }

  /** As `AssistantSession.whisper` says. */
  whisper(text: string): void {
    this.speakers.whispers.add(text);
    this.renewInstructions();
  }

  /** Words that the engine has not passed on itself become part of the conversation. */
  async remember(turns: readonly TranscriptTurn[], history: llm.ChatContext | null): Promise<void> {
    const { agent } = this;
    this.speakers.colleagueSpoke();
    const context = agent?.chatCtx.copy();
    for (const message of turns.map(messageOf)) {
      context?.addMessage(message);
      history?.addMessage(message);
    }
    try {
      if (agent && context) await agent.updateChatCtx(context);
      await agent?.updateInstructions(this.speakers.instructions);
    } catch (error) {
      this.host.onError(error);
    }
  }

  /** Whether there are answers of tools that no model has read. */
  get hasUnreadResults(): boolean {
    return this.results.areUnread;
  }

  /** Resolves when the tools that run now have answered, also after the end of the call; null where none runs. */
  get toolsDone(): Promise<void> | null {
    return this.openTools.done;
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((speech) => speech.close()));
  }

  private renewInstructions(): void {
    this.agent
      ?.updateInstructions(this.speakers.instructions)
      .catch((error: unknown) => this.host.onError(error));
  }

  /** A realtime model is the voice, the recognizer and the model of one session: no assistant can take over from it. */
  private get tools(): ReadonlyMap<string, RuntimeTool> {
    const { tools } = this.speakers.current.assistant;
    return this.speech.realtime ? new Map([...tools].filter(([name]) => name !== HANDOFF_TOOL)) : tools;
  }

  private get toolHost(): ToolHost {
    const { host, setup, openTools, results } = this;
    const { controls, origin } = setup;
    const { current } = this.speakers;
    const { variables: spokenVariables, toolVariables: variables } = current;
    const handOver: HandOver = (target) => this.handOver(target, current);
    return {
      context: { variables, spokenVariables, origin, signal: openTools.signal, call: controls, handOver },
      over: setup.signal,
      callIsOver: openTools.callIsOver,
      results,
      maxToolsAtOnce: this.parts.limits.maxToolsPerStep,
      repair: this.speech.realtime ? this.makeRepair() : null,
      onRun: (turn) => host.onRun(turn),
      onWork: (work) => openTools.add(work),
      onLateResult: () => host.onLateResult(),
      onFunctionStarted: (call) => host.onFunctionStarted(call),
      onFunctionCall: (call) => host.onFunctionCall(call),
      onEffect: (effect, turn) => host.onEffect(effect, turn),
      onHandoff: (note, turn) => {
        this.agent?.leaveResults();
        host.resumeAfterHandoff(note, turn, () => this.agent?.answerAgain());
      },
      onError: (error) => host.onError(error),
    };
  }

  /** The assistant's chat model is its fallback LLM where a realtime model talks. */
  private makeRepair(): ArgumentsRepair {
    const { assistant } = this.speakers.current;
    return new ArgumentsRepair({
      chatModel: this.setup.chatModel,
      model: assistant.model,
      temperature: assistant.temperature,
      instructions: this.speakers.instructions,
      onUsage: (code, usage) => this.host.usage.used(code, usage),
      onError: (error) => this.host.onError(error),
    });
  }

  /** @param by who hands over; of two at once, and of two in one step, the first counts */
  private async handOver(target: HandoffTarget, by: CallSpeaker): ReturnType<HandOver> {
    if (this.isHandingOver || by !== this.speakers.current)
      return { refused: 'The customer is being handed over already.' };
    this.isHandingOver = true;
    try {
      const taken = await this.speakers.handoffs.take(target);
      if ('refused' in taken) return taken;
      const [own] = await Promise.all([this.openFor(taken), this.host.sayAtHandover(target.message)]);
      await this.changeTo(taken, own);
      const { assistant, variables } = taken;
      return { id: assistant.id, name: assistant.name, greeting: assistant.greeting(variables) };
    } finally {
      this.isHandingOver = false;
    }
  }

  /** Recognizer and voice, opened while the other assistant still speaks; null where the present ones are kept. */
  private async openFor({ assistant, voice }: CallSpeaker): Promise<Speaking | null> {
    if (!voice || voice.mode !== 'pipeline') return null;
    const speech = await this.openSpeech(voice, assistant.temperature);
    return speech && { voice, speech };
  }

  private async openSpeech(voice: VoiceSettings, temperature: number): Promise<SpeechServices | null> {
    try {
      const speech = (await this.parts.openSpeech?.(voice, temperature)) ?? null;
      if (!speech) return null;
      this.opened.push(speech);
      if (this.setup.signal.aborted) await speech.close();
      return speech;
    } catch (error) {
      this.host.onError(error);
      return null;
    }
  }

  private async changeTo(taken: CallSpeaker, own: Speaking | null): Promise<void> {
    const { agent } = this;
    this.speakers.current = taken;
    if (own) ({ voice: this.voice, speech: this.speech } = own);
    const { tts, stt } = this.speech;
    this.host.onTakenOver();
    await agent?.updateInstructions(this.speakers.instructions);
    await agent?.updateTools(sessionTools(this.tools, this.toolHost));
    await agent?.updateOptions({
      llm: this.makeModel(),
      ...(own && tts ? { tts: streamingVoice(tts, this.voice.languages[0]?.locale ?? '') } : {}),
      ...(own && stt ? { stt } : {}),
    });
  }
}
