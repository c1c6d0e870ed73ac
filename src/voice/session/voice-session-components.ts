import type { voice } from '@livekit/agents';
import type { AudioLine } from '@prosa/audio';
import { ModelUsageCount } from '../../runtime/call/state/model-usage-count.js';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import type { Spoken, SessionSetup } from '../../runtime/call/session/assistant-session.js';
import { ActiveAgent, type ActiveAgentHost } from '../agent/active-agent.js';
import { realtimeUsageOf } from '../agent/realtime-usage.js';
import { AgentTurn } from './state/agent-turn.js';
import { expectsWords, isOver, isTakenOver } from './state/agent-turn-states.js';
import { CustomerInput } from './customer-input.js';
import { EngineSession, type EngineSessionHost } from './engine/engine-session.js';
import type { EngineSessionListener } from './engine/open-engine-session.js';
import { ResumeGate } from './state/resume-gate.js';
import { SessionReports } from './state/session-reports.js';
import { SpeechHandles } from './state/speech-handles.js';
import { SpeechOutput } from './speech-output.js';
import { SpeechQueue } from './speech-queue.js';
import { Handovers } from './turns/handovers.js';
import { RealtimeAnswers } from './turns/realtime-answers.js';
import { ReplyRequests } from './turns/reply-requests.js';
import { ToolTurns } from './turns/tool-turns.js';
import { TranscriptWriter } from './turns/transcript-writer.js';
import { TurnTiming } from './turns/turn-timing.js';
import { Announcements } from './announcements.js';
import { Takeovers } from './takeovers.js';
import type { VoiceSessionParts } from './voice-session-parts.js';
import { VoicemailWait } from './voicemail-wait.js';

export type VoiceSessionSetup = Omit<SessionSetup, 'media' | 'voice' | 'recordAs'> & {
  readonly line: AudioLine;
  readonly voice: VoiceSettings;
};

/** The components of one VoiceSession, and which event of one goes to which other. */
export class VoiceSessionComponents {
  readonly reports = new SessionReports();
  readonly usage = new ModelUsageCount();
  readonly turn: AgentTurn;
  readonly transcript: TranscriptWriter;
  readonly speeches: SpeechHandles;
  readonly gate: ResumeGate;
  readonly agent: ActiveAgent;
  readonly answers: RealtimeAnswers;
  readonly engine: EngineSession;
  readonly output: SpeechOutput;
  readonly queue: SpeechQueue;
  readonly replies: ReplyRequests;
  readonly customer: CustomerInput;
  readonly tools: ToolTurns;
  readonly voicemail: VoicemailWait;
  readonly takeovers: Takeovers;
  readonly announcements: Announcements;
  private readonly timing: TurnTiming;
  private readonly handovers: Handovers;

  /** @param say as in the session: what an assistant says before another one takes over */
  constructor(
    private readonly setup: VoiceSessionSetup,
    parts: VoiceSessionParts,
    say: (words: string) => Promise<Spoken>,
  ) {
    const { reports } = this;
    const { signal } = setup;
    this.turn = new AgentTurn({
      onReply: (reply) => this.output.replyIs(reply),
      onActivity: (activity) => reports.activity(activity),
      onShown: (state) => reports.shown(state),
    });
    if (signal.aborted) this.turn.dispatch('call-ended');
    signal.addEventListener('abort', () => this.turn.dispatch('call-ended'), { once: true });
    this.speeches = new SpeechHandles(signal);
    this.gate = new ResumeGate(signal);
    this.timing = new TurnTiming(setup.elapsedMs, (turn) => reports.metrics(turn));
    this.agent = new ActiveAgent(setup, parts, this.agentHost);
    this.transcript = new TranscriptWriter(
      setup.elapsedMs,
      (turn, earlier) => reports.turn(turn, earlier),
      () => this.agent.turnAssistant,
    );
    this.answers = new RealtimeAnswers(this.turn, this.agent, reports);
    this.engine = new EngineSession(this.agent, parts, this.engineListener, this.engineHost);
    this.output = new SpeechOutput(
      this.turn,
      this.agent,
      this.engine,
      this.speeches,
      this.answers,
      this.transcript,
      this.timing,
      reports,
    );
    this.replies = new ReplyRequests(this.turn, this.engine, this.transcript, {
      mayInterrupt: () => this.speeches.areInterruptible,
      hasUnreadResults: () => this.agent.hasUnreadResults,
      onOverheard: (said) => this.takeovers.customerSaid(said),
      onCustomerFinished: (words) => this.output.customerFinished(words),
      onModelReplaced: () => this.output.renewFillers(),
    });
    this.voicemail = new VoicemailWait(this.turn, signal);
    this.tools = new ToolTurns(this.turn, this.speeches, () => void this.replies.answerDue());
    this.handovers = new Handovers(this.turn, this.engine, this.tools, say);
    this.queue = new SpeechQueue(
      this.turn,
      this.engine,
      this.agent,
      this.speeches,
      this.gate,
      parts.rendered,
    );
    this.customer = new CustomerInput(
      this.turn,
      this.agent,
      this.speeches,
      this.output,
      this.replies,
      this.transcript,
      reports,
      { onOverheard: (said) => this.takeovers.customerSaid(said) },
    );
    this.announcements = new Announcements(
      this.turn,
      this.agent,
      this.gate,
      this.transcript,
      setup.elapsedMs,
    );
    this.takeovers = new Takeovers(
      this.turn,
      this.agent,
      this.engine,
      this.output,
      this.replies,
      this.transcript,
      parts,
      { elapsedMs: setup.elapsedMs, onError: (error) => reports.error(error) },
    );
  }

  private get agentHost(): ActiveAgentHost {
    return {
      usage: this.usage,
      mayAsk: () => this.turn.state.line === 'open' && !this.turn.is(isTakenOver),
      onWords: (words) => this.output.wordsOf(words),
      sift: (event) => this.customer.hearing.sift(event),
      onCustomerTurn: (words) => this.customer.finished(words),
      onRun: (toolTurn) => this.tools.begin(toolTurn),
      onFunctionStarted: (call) => this.reports.functionStarted(call),
      onFunctionCall: (call) => this.reports.functionCall(call),
      onLateResult: () => this.replies.watchLateResults(),
      onEffect: (effect, { speech }) => {
        if (effect === 'end-call') speech.addDoneCallback(() => this.saidGoodbye(speech));
      },
      onError: (error) => this.reports.error(error),
      onFailure: (error) => {
        if (!this.queue.failResponse(error)) this.fail(error);
      },
      sayAtHandover: (words) => this.handovers.say(words),
      onTakenOver: () => {
        this.turn.dispatch('agent-changed');
        this.output.renewFillers();
      },
      resumeAfterHandoff: (note, { speech }, begin) =>
        speech.addDoneCallback(() => {
          begin();
          this.handovers.resume(note());
        }),
    };
  }

  private get engineListener(): EngineSessionListener {
    return {
      onSpeech: (speech) => this.output.opened(speech),
      onAssistant: (state) => {
        if (state === 'thinking' && this.turn.state.speeches === 'open') this.turn.dispatch('reply-due');
        if (state === 'thinking' || state === 'speaking') this.turn.dispatch(`engine-${state}`);
        else this.turn.dispatch('engine-listening');
      },
      onCustomer: (state) => this.customer.speech(state),
      onWords: (words, areFinal) => this.customer.words(words, areFinal),
      hearing: () => this.customer.hearing,
      expectsWords: () => this.turn.is(expectsWords),
      onNotUnderstood: () => this.replies.askAgain(),
      onMessage: (message) => this.transcript.added(message),
      onMetrics: (measure) => {
        this.timing.measured(measure);
        if (measure.type !== 'realtime_model_metrics') return;
        this.usage.used(this.setup.voice.realtime?.code ?? measure.label, realtimeUsageOf(measure));
      },
      onError: (error) => this.reports.error(error),
      onFailure: (error) => this.fail(error),
      onClosed: () => this.turn.dispatch('engine-stopped'),
    };
  }

  private get engineHost(): EngineSessionHost {
    return {
      isOver: () => this.turn.is(isOver),
      onAnswerFailed: (error) => this.answers.failed(error),
      onLost: (error) => this.answers.lost(error),
      onReplaced: () => this.replies.resumeAfterReplacement(),
      onError: (error) => this.reports.error(error),
      onFailure: (error) => this.fail(error),
    };
  }

  /** Customers who speak into the last words are not hung up on. */
  private saidGoodbye({ interrupted }: voice.SpeechHandle): void {
    if (!interrupted && !this.turn.is(isOver) && !this.turn.is(isTakenOver)) this.reports.goodbye();
  }

  private fail(error: unknown): void {
    if (!this.turn.is(isOver)) this.reports.failure(error);
  }
}
