import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../common/time/clock.js';
import { ModelError } from '../../../providers/llm/model-error.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { TextLine } from '../../../providers/telephony/call/call-line.js';
import { type ChatTurnResult, runChatTurn, type TurnLimits } from '../../chat-turn.js';
import type { TranscriptTurn, TurnAssistant } from '../session/call-setup.js';
import { CallSpeakers } from '../session/call-speakers.js';
import { TextSpeech } from './text-speech.js';
import { ConversationMemory } from './conversation-memory.js';
import { ModelUsageCount } from '../state/model-usage-count.js';
import type {
  HoldMusic,
  Spoken,
  AssistantSession,
  SessionListener,
  SessionSetup,
  SessionSummary,
} from '../session/assistant-session.js';

export interface TextSessionDependencies {
  /** Runs at the carrier's speed. */
  readonly clock: Clock;
  readonly limits: TurnLimits;
}

/** What a turn answers: the customer's words, or nothing, by a note. */
interface TurnInput {
  readonly message: string | null;
  readonly note?: string;
}

/** A turn that the assistant takes without being asked. */
interface UnaskedTurn {
  readonly note: string;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** A turn that is being taken. */
interface RunningTurn {
  /** Words of the model that have not been spoken yet. */
  unspoken: string;
  /** Those before them, of the assistant that has handed over. */
  readonly unspokenBefore: { readonly words: string; readonly assistant: TurnAssistant | undefined }[];
  /** Asking again might do a tool's work twice. */
  hasUsedTools: boolean;
  readonly cut: AbortController;
}

/** A session on a line of text, turn by turn, without interruptions. */
export class TextSession implements AssistantSession {
  private readonly memory: ConversationMemory;
  private readonly usage = new ModelUsageCount();
  private readonly speech: TextSpeech;
  private readonly speakers: CallSpeakers;
  private listener: SessionListener | null = null;
  /** The customer's words that have no answer yet. */
  private readonly unanswered: string[] = [];
  private readonly unasked: UnaskedTurn[] = [];
  private turn: RunningTurn | null = null;
  /** Of what is said outside of turns. */
  private saying = new AbortController();
  private isWorking = false;
  private working = Promise.resolve();
  private actionCount = 0;
  private isOnHold = false;
  private isSuspended = false;

  constructor(
    private readonly setup: SessionSetup,
    line: TextLine,
    private readonly deps: TextSessionDependencies,
  ) {
    const { assistant } = setup;
    this.speakers = setup.speakers ?? new CallSpeakers(assistant.id, setup);
    this.memory = new ConversationMemory(setup.history);
    this.speech = new TextSpeech(line, setup, deps.clock, (turn, earlier) => this.said(turn, earlier));
    setup.signal.addEventListener('abort', () => this.dropUnasked(), { once: true });
  }

  async start(listener: SessionListener): Promise<void> {
    this.listener = listener;
  }

  say(text: string): Promise<Spoken> {
    const { cut } = this.turn?.cut.signal.aborted === false ? this.turn : { cut: this.saying };
    return this.busy(() => this.speech.say(text, cut.signal, this.speakers.turnAssistant));
  }

  respond({ note }: { readonly note: string }): Promise<void> {
    if (this.setup.signal.aborted) return Promise.resolve();
    return new Promise((done, failed) => {
      this.unasked.push({ note, done, failed });
      this.work();
    });
  }

  instruct(note: string): void {
    this.speakers.instruct(note);
    this.turn?.cut.abort();
    this.saying.abort();
    this.saying = new AbortController();
  }

  whisper(text: string): void {
    this.speakers.whispers.add(text);
  }

  hear(words: string): void {
    const atMs = this.setup.elapsedMs();
    this.listener?.onTurn({
      speaker: 'customer',
      text: words,
      startMs: atMs,
      endMs: atMs,
      interrupted: false,
    });
    this.unanswered.push(words);
    this.work();
  }

  async spoken(): Promise<Spoken> {
    return this.turn ? this.sayUnspoken(this.turn) : 'heard';
  }

  sendKeys(_digits: string): Promise<void> {
    return Promise.reject(new CallCarrierError('not-supported', 'no'));
  }

  cut(): void {
    this.turn?.cut.abort();
    this.saying.abort();
    this.saying = new AbortController();
    this.unanswered.length = 0;
  }

  hold(music: HoldMusic | null): void {
    this.isOnHold = music !== null;
    this.work();
  }

  suspend(): void {
    this.isSuspended = true;
  }

  resume(): void {
    this.isSuspended = false;
    this.work();
  }

  join(): void {
    throw new CallCarrierError('not-supported', 'no');
  }

  takeOver(): never {
    throw new CallCarrierError('not-supported', 'no');
  }

  async handBack(): Promise<void> {}

  announce(): Promise<boolean> {
    return Promise.reject(new CallCarrierError('not-supported', 'no'));
  }

  signalListener(): void {}

  async close(): Promise<SessionSummary> {
    this.dropUnasked();
    await this.working;
    return { modelUsage: this.usage.all, recording: null };
  }

  /** Takes turns until there is nothing to answer. */
  private work(): void {
    if (this.isWorking) return;
    this.isWorking = true;
    this.working = this.takeTurns();
  }

  private async takeTurns(): Promise<void> {
    // Words that come together are answered together.
    await setImmediate();
    for (let turn = this.next(); turn; turn = this.next()) await turn();
    this.isWorking = false;
  }

  private next(): (() => Promise<void>) | null {
    if (this.setup.signal.aborted || this.isOnHold || this.isSuspended || this.actionCount > 0) return null;
    const unasked = this.unasked.shift();
    if (unasked) return () => this.takeUnasked(unasked);
    if (this.unanswered.length === 0) return null;
    const message = this.unanswered.splice(0).join(' ');
    return () => this.answer(message);
  }

  private async takeUnasked({ note, done, failed }: UnaskedTurn): Promise<void> {
    try {
      await this.busy(() => this.take({ message: null, note }));
      done();
    } catch (error) {
      failed(error);
    }
  }

  private async answer(message: string): Promise<void> {
    try {
      await this.busy(() => this.take({ message }));
    } catch (error) {
      this.listener?.onFailure(error);
    }
  }

  private async take(input: TurnInput): Promise<void> {
    const turn: RunningTurn = {
      unspoken: '',
      unspokenBefore: [],
      hasUsedTools: false,
      cut: new AbortController(),
    };
    const signal = AbortSignal.any([this.setup.signal, turn.cut.signal]);
    const { history } = this.memory;
    if (input.message !== null) this.memory.remember('user', input.message);
    this.turn = turn;
    try {
      const { effects } = await this.think({ ...input, history }, turn, signal);
      await this.sayUnspoken(turn);
      if (effects.includes('end-call') && !this.setup.signal.aborted) this.listener?.onGoodbye();
    } catch (error) {
      // A machine was detected in the meantime, or the call is over: what was meant for a person is not said.
      if (!signal.aborted) throw error;
    } finally {
      this.turn = null;
    }
  }

  /** Asks once more when no model answered. */
  private async think(
    input: TurnInput & Pick<ConversationMemory, 'history'>,
    turn: RunningTurn,
    signal: AbortSignal,
  ): Promise<ChatTurnResult> {
    try {
      return await this.runTurn(input, turn, signal);
    } catch (error) {
      const isTemporary = error instanceof ModelError && error.code !== 'aborted';
      if (!isTemporary || turn.hasUsedTools) throw error;
      this.listener?.onError(error);
      return this.runTurn(input, turn, signal);
    }
  }

  private runTurn(
    input: TurnInput & Pick<ConversationMemory, 'history'>,
    turn: RunningTurn,
    signal: AbortSignal,
  ): Promise<ChatTurnResult> {
    const { speakers } = this;
    const { assistant, variables, toolVariables } = speakers.current;
    const { chatModel } = this.setup;
    const { limits } = this.deps;
    turn.unspoken = '';
    return runChatTurn({
      ...input,
      signal,
      assistant: { ...assistant, instructions: () => speakers.instructions },
      chatModel,
      limits,
      variables,
      toolVariables,
      origin: this.setup.origin,
      call: this.setup.controls,
      handoffs: speakers.handoffs,
      listener: {
        onText: (delta) => (turn.unspoken += delta),
        // The words of hand-overs were put aside, or are spoken.
        onRestart: () => (turn.unspoken = ''),
        onFunctionCall: (call) => {
          turn.hasUsedTools = true;
          this.memory.rememberCall(call);
          this.listener?.onFunctionCall(call);
        },
        onHandoff: (speaker) => {
          turn.unspokenBefore.push({ words: turn.unspoken, assistant: speakers.turnAssistant });
          turn.unspoken = '';
          speakers.current = { voice: this.setup.voice, ...speaker };
        },
        onUsage: (model, usage) => this.usage.used(model, usage),
      },
      onToolError: (_tool, error) => this.listener?.onError(error),
    });
  }

  private async sayUnspoken(turn: RunningTurn): Promise<Spoken> {
    const { signal } = turn.cut;
    for (const { words, assistant } of turn.unspokenBefore.splice(0))
      await this.speech.say(this.withoutWhispers(words), signal, assistant);
    const words = turn.unspoken;
    turn.unspoken = '';
    return this.speech.say(this.withoutWhispers(words), signal, this.speakers.turnAssistant);
  }

  private withoutWhispers(words: string): string {
    const filter = this.speakers.whispers.filter();
    return filter ? filter.push(words) + filter.end() : words;
  }

  /** What was cut off stays as it was: text is read at once. */
  private said(turn: TranscriptTurn, earlier?: TranscriptTurn): void {
    if (!earlier) this.memory.remember('assistant', turn.text);
    this.listener?.onTurn(turn, earlier);
  }

  /** Tells when the assistant begins to be busy, and when it listens again. */
  private async busy<Result>(action: () => Promise<Result>): Promise<Result> {
    if (++this.actionCount === 1) this.listener?.onAssistant('busy');
    try {
      return await action();
    } finally {
      if (--this.actionCount === 0) {
        this.listener?.onAssistant('listening');
        this.work();
      }
    }
  }

  /** Resolves the callers of turns that will not be taken. */
  private dropUnasked(): void {
    for (const { done } of this.unasked.splice(0)) done();
  }
}
