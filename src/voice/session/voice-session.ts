import { setImmediate } from 'node:timers/promises';
import type { voice } from '@livekit/agents';
import { UnansweredError } from '../../providers/speech/speech-error.js';
import type { AudioLine, CallAudio } from '../../providers/telephony/call-audio.js';
import type { AssistantState } from '../../providers/telephony/call-carrier.js';
import type { FarEnd } from '../../runtime/call/answerer/far-end.js';
import { ModelUsageCount } from '../../runtime/call/model-usage-count.js';
import type {
  HoldMusic,
  SayHow,
  Spoken,
  Talk,
  TalkListener,
  TalkSetup,
  TalkSummary,
} from '../../runtime/call/talk.js';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import type { ToolTurn } from '../engine/runtime-tools.js';
import type { HeardSpeech } from '../engine/session-output.js';
import { CustomerHearing } from '../hearing/customer-hearing.js';
import { AmdMonitor } from '../machine/amd-monitor.js';
import { FillerPlayer } from '../fillers/filler-player.js';
import { awaitRecording } from '../machine/voicemail-recording.js';
import { realtimeUsageOf } from '../agent/realtime-usage.js';
import { SpeechFailed } from '../agent/speech-failed.error.js';
import { TalkActivity } from './talk-activity.js';
import { VoiceLine } from '../line/voice-line.js';
import type { VoiceSessionParts } from './voice-session-parts.js';
import { SpeechQueue } from './speech-queue.js';
import { TalkSuspension } from './talk-suspension.js';
import type { EngineSessionListener } from './engine/open-engine-session.js';
import { EngineSession } from './engine/engine-session.js';
import { ActiveAgent, type ActiveAgentHost } from '../agent/active-agent.js';
import { SpeechHandles } from './speech-handles.js';
import { LateResults } from './turns/late-results.js';
import { TranscriptWriter } from './turns/transcript-writer.js';
import { TurnTiming } from './turns/turn-timing.js';
import { TypedWords } from './turns/typed-words.js';

export type VoiceSessionSetup = Omit<TalkSetup, 'media' | 'voice' | 'recordAs'> & {
  readonly line: AudioLine;
  readonly voice: VoiceSettings;
};

/** For the model that goes on after a realtime model. */
const INTERRUPTED =
  'The connection was interrupted for a moment. Go on with what you were about to say or do; ask the customer to repeat what you may have missed.';

/** For results of which the engine does not ask. */
const LATE_RESULT =
  'A tool that you had called has answered in the meantime. Tell the customer what has come of it, if you have not done so.';

/** For the model whose answer was cut off, or was due, when the far end put the call on hold. */
const RESUMED =
  'The customer had put the call on hold and is back. Go on with what you were about to say; do not repeat what they have heard.';

/** Talks in sound, by an AgentSession of @livekit/agents that has a line of ours instead of a room. */
export class VoiceSession implements Talk {
  private readonly usage = new ModelUsageCount();
  private readonly timing: TurnTiming;
  private readonly turns: TranscriptWriter;
  private readonly activity: TalkActivity;
  private readonly speeches: SpeechHandles;
  private readonly typed: TypedWords;
  private readonly hearing: CustomerHearing;
  private readonly speaker: ActiveAgent;
  private readonly sessions: EngineSession;
  private readonly sayings: SpeechQueue;
  private readonly suspension: TalkSuspension;
  private bystander: FillerPlayer;
  private readonly lateResults: LateResults;
  private listener: TalkListener | null = null;
  private toolListener: TalkListener | null = null;
  private line: VoiceLine | null = null;
  private machines: AmdMonitor | null = null;
  private toolTurn: ToolTurn | null = null;
  /** What it was told to say. */
  private deeds = 0;
  private isOnHold = false;
  /** Fires when the machine that it waits for turns out to be none. */
  private machine: AbortController | null = null;
  private handoverHeard = false;
  private customerSpeaks = false;
  /** They have spoken to a realtime model, and nothing of its answer was heard. */
  private awaitsModel = false;
  /** That answer may have failed: it is asked for again, or the model is left. */
  private answerFailed = false;
  private shownState: AssistantState = 'listening';
  private summary: Promise<TalkSummary> | null = null;

  constructor(
    private readonly setup: VoiceSessionSetup,
    private readonly parts: VoiceSessionParts,
  ) {
    this.speeches = new SpeechHandles(setup.signal);
    this.suspension = new TalkSuspension(setup.signal);
    this.timing = new TurnTiming(setup.elapsedMs, (turn) => this.listener?.onMetrics(turn));
    this.speaker = new ActiveAgent(setup, parts, this.speakerHost);
    this.turns = new TranscriptWriter(
      setup.elapsedMs,
      (turn, earlier) => this.listener?.onTurn(turn, earlier),
      () => this.speaker.turnAssistant,
    );
    this.activity = new TalkActivity(
      () => this.isSounding,
      (isBusy) => this.becomes(isBusy),
    );
    this.hearing = this.makeHearing();
    this.sessions = new EngineSession(this.speaker, parts, this.sessionListener, {
      signal: setup.signal,
      onAnswerFailed: (error) => {
        this.answerFailed = true;
        this.listener?.onError(error);
      },
      onLost: (error) => this.modelLost(error),
      onReplaced: (session) => this.modelReplaced(session),
      onError: (error) => this.listener?.onError(error),
      onFailure: (error) => this.fail(error),
    });
    this.sayings = new SpeechQueue(
      this.sessions,
      this.speaker,
      this.speeches,
      this.suspension,
      setup.signal,
      parts.rendered,
    );
    this.typed = this.makeTyped();
    this.lateResults = this.makeLateResults();
    this.bystander = this.makeBystander();
  }

  async start(listener: TalkListener): Promise<void> {
    const { setup, parts } = this;
    this.listener = this.toolListener = listener;
    parts.heard?.listen((voice) => this.listener?.onVoice?.(voice));
    const audio = await setup.line.open(setup.callId, setup.signal);
    const { recorder } = parts;
    const lineListener = {
      onSpeechStarted: () => this.speechStarted(),
      onSpeechProgress: (speech: HeardSpeech) => this.turns.assistantSays(speech),
      onSpeech: (speech: HeardSpeech) => this.heardAssistant(speech),
      onKey: (key: string) => listener.onKeys(key),
      onError: (error: unknown) => listener.onError(error),
    };
    const recording = recorder?.begin(audio.sampleRateHz, setup.elapsedMs) ?? null;
    const machineHost = {
      isAssistantSpeaking: () => this.line?.isSpeaking === true,
      onFarEnd: (farEnd: FarEnd) => listener.onFarEnd(farEnd),
    };
    this.machines = setup.detectsMachines ? new AmdMonitor(audio.sampleRateHz, recording, machineHost) : null;
    this.line = new VoiceLine(audio, this.machines ?? recording, lineListener, setup.inBandDigits);
    setup.signal.addEventListener('abort', () => this.silence(), { once: true });
    await Promise.all([this.line.open(setup.voice), this.sessions.start(this.line)]);
    this.bystander.prepare();
  }

  async say(text: string, how: SayHow = {}): Promise<Spoken> {
    const words = text.trim();
    this.deeds++;
    if (words === '' && !how.afterBeep) return this.setup.signal.aborted ? 'cut' : 'heard';
    return this.activity.during(async () => {
      if (how.afterBeep && !(await this.machineRecords())) return 'cut';
      if (this.setup.signal.aborted) return 'cut';
      if (words === '') return 'heard';
      this.answerIsAsked();
      return this.sayings.say(words, how.interruptible);
    });
  }

  async respond({ note }: { readonly note: string }): Promise<void> {
    if (this.setup.signal.aborted || !(await this.sessions.ready())) return;
    this.deeds++;
    this.answerIsAsked();
    await this.activity.during(() => this.sayings.respond(note));
  }

  instruct(note: string): void {
    this.speaker.instruct(note);
    this.machine?.abort();
    this.machine = null;
    this.stopSpeaking();
    if (this.summary) return;
    this.sessions.current?.interrupt();
    this.line?.output.clearBuffer();
  }

  hear(words: string): void {
    this.turns.customerTyped(words);
    this.typed.add(words);
    void this.typed.answer();
  }

  async spoken(): Promise<Spoken> {
    const turn = this.toolTurn;
    if (!turn) return 'heard';
    return this.speeches.outcomeOf(turn.speech, turn.spoken());
  }

  async sendKeys(digits: string): Promise<void> {
    await this.activity.during(async () => this.line?.playKeys(digits));
  }

  cut(): void {
    this.typed.drop();
    this.stopSpeaking();
    // What is dropped while the call goes on is not to be answered; at its end it was said all the same.
    if (!this.setup.signal.aborted) this.turns.dropUnanswered();
    const { current: session } = this.sessions;
    if (!session || this.summary) return;
    session.interrupt();
    session.clearUserTurn();
    this.line?.output.clearBuffer();
    void this.dropThought(session);
  }

  /** Words that were just being told, as those of a machine by which it was known: the engine thinks about them only now. */
  private async dropThought(session: voice.AgentSession): Promise<void> {
    const { deeds } = this;
    await setImmediate();
    if (this.sessions.current === session && this.deeds === deeds) session.interrupt();
  }

  hold(music: HoldMusic | null): void {
    this.isOnHold = music !== null;
    this.turns.dropUnanswered();
    this.line?.hold(music);
    this.showState();
    if (this.isOnHold) this.sessions.current?.clearUserTurn();
    else void this.answerWhatIsDue();
  }

  suspend(): void {
    if (this.summary || this.setup.signal.aborted) return;
    // A set text is said again by the caller of `say`.
    const isAnswering = this.activity.runsTools || this.isSounding || this.awaitsModel;
    this.suspension.begin(isAnswering && !this.sayings.areUnderWay);
    this.line?.suspend(true);
    this.machines?.pause(true);
    this.dropSpeech();
  }

  resume(): void {
    this.suspension.end();
    this.line?.suspend(false);
    this.machines?.pause(false);
    void this.answerWhatIsDue();
  }

  join(farEnd: CallAudio): void {
    this.isOnHold = true;
    this.sessions.current?.clearUserTurn();
    this.line?.join(farEnd);
  }

  close(): Promise<TalkSummary> {
    this.summary ??= this.end();
    return this.summary;
  }

  private async end(): Promise<TalkSummary> {
    const { sessions, line, parts } = this;
    this.bystander.stop();
    this.lateResults.stop();
    line?.close();
    const recording = parts.recorder?.finish() ?? null;
    await sessions.close();
    this.turns.keepUnanswered();
    await sessions.within(this.speaker.close());
    const { toolsDone } = this.speaker;
    const summary = {
      modelUsage: this.usage.all,
      recording: await recording,
      ...(line ? { lateness: line.lateness.figures } : {}),
      ...(toolsDone ? { toolsDone } : {}),
    };
    this.listener = null;
    return summary;
  }

  private get speakerHost(): ActiveAgentHost {
    return {
      usage: this.usage,
      mayAsk: () => !this.suspension.isOn,
      onWords: (words) => this.line?.output.wordsOf(words),
      sift: (event) => this.hearing.sift(event),
      onCustomerTurn: (words) => this.customerFinished(words),
      onRun: (turn) => this.toolBegan(turn),
      // Also after the end of the call.
      onFunctionCall: (call) => this.toolListener?.onFunctionCall(call),
      onLateResult: () => this.lateResults.watch(),
      onEffect: (effect, turn) => {
        if (effect === 'end-call') this.endAfter(turn.speech);
      },
      onError: (error) => this.listener?.onError(error),
      onFailure: (error) => {
        if (!this.sayings.fail(error)) this.fail(error);
      },
      sayAtHandover: (words) => this.sayAtHandover(words),
      onTakenOver: () => this.takenOver(),
      goOn: (note, { speech }, begin) =>
        speech.addDoneCallback(() => {
          begin();
          this.goOn(note());
        }),
    };
  }

  private makeBystander(): FillerPlayer {
    const { voice, speech } = this.speaker;
    return new FillerPlayer(voice, speech, {
      isSilent: () => this.line?.isSpeaking === false && !this.customerSpeaks && !this.isHeldUp,
      isHeldUp: () => this.line?.output.isBusy === true || this.customerSpeaks || this.isHeldUp,
      isWaitingForTool: () => this.activity.runsTools,
      play: (samples, onOver) => {
        this.line?.interject(samples, onOver);
        this.showState();
      },
      lineRateHz: () => this.line?.sampleRateHz ?? 0,
      onSaid: (speech) => this.heardAssistant(speech),
      onError: (error) => this.listener?.onError(error),
      giveUp: () => this.giveUp(),
      onAnswerDue: () => this.showState(),
    });
  }

  private makeHearing(): CustomerHearing {
    return new CustomerHearing({
      voice: () => this.speaker.voice,
      mayInterrupt: () => !this.isSounding || this.speeches.areInterruptible,
      assistantDoes: (withinMs) => this.line?.assistantDoes(withinMs) ?? 'nothing',
      onInterruption: () => this.line?.cutInterjection(),
      onWordsKept: (words) => {
        if (this.expectsWords) this.hear(words);
      },
      onIgnored: (ignored) => {
        this.turns.customerIgnored();
        this.listener?.onIgnored?.(ignored);
      },
      resume: () => this.line?.output.resume(),
    });
  }

  private makeLateResults(): LateResults {
    return new LateResults({
      isIdle: () => !this.activity.isBusy && !this.customerSpeaks && this.expectsWords,
      areUnread: () => this.speaker.hasUnreadResults,
      tell: () => {
        this.deeds++;
        this.sessions.current?.generateReply({ instructions: LATE_RESULT });
      },
    });
  }

  private makeTyped(): TypedWords {
    const { setup, activity, speeches } = this;
    return new TypedWords({
      session: () =>
        setup.signal.aborted || activity.runsTools || !this.expectsWords ? null : this.sessions.current,
      get mayInterrupt() {
        return speeches.areInterruptible;
      },
      onAnswer: (words, message) => {
        this.turns.isTyped(message);
        this.bystander.customerFinished(words);
        this.deeds++;
      },
    });
  }

  private get sessionListener(): EngineSessionListener {
    return {
      onSpeech: (speech) => {
        this.speeches.add(speech);
        speech.addDoneCallback(() => this.speechOver());
        this.activity.update();
        if (this.suspension.isOn) void this.dropLateSpeech();
      },
      onAssistant: (state) => {
        if (state === 'thinking' && !this.speeches.areOver) this.bystander.answerIsDue();
        this.activity.update();
      },
      onCustomer: (state) => this.customerIs(state),
      onWords: (words, areFinal) => {
        this.machines?.words(words, areFinal);
        if (areFinal && this.expectsWords) this.turns.customerHeard(words);
      },
      hearing: this.hearing,
      expectsWords: () => this.expectsWords,
      onNotUnderstood: () => this.askAgain(),
      onMessage: (message) => this.turns.added(message),
      onMetrics: (measure) => {
        this.timing.measured(measure);
        if (measure.type !== 'realtime_model_metrics') return;
        this.usage.used(this.setup.voice.realtime?.code ?? measure.label, realtimeUsageOf(measure));
      },
      onError: (error) => this.listener?.onError(error),
      onFailure: (error) => this.fail(error),
      onClosed: () => this.activity.update(),
    };
  }

  /** Nobody tells when a realtime model begins to think. */
  private answerIsAsked(): void {
    if (this.speaker.speech.realtime) this.bystander.answerIsDue();
  }

  private giveUp(): void {
    const silence = new SpeechFailed('No answer came.');
    if (!this.sessions.lose(silence)) this.fail(silence);
  }

  private modelLost(error: unknown): void {
    this.listener?.onError(error);
    if (this.customerSpeaks) this.listener?.onCustomer('silent');
    const isOwed = error instanceof SpeechFailed && error.cause instanceof UnansweredError;
    this.awaitsModel ||= isOwed || this.customerSpeaks || this.activity.isBusy;
    this.customerSpeaks = false;
    if (this.awaitsModel) this.bystander.answerIsDue();
  }

  /** What was being said is said again by who asked for it; what else was due is asked for here. */
  private modelReplaced(session: voice.AgentSession): void {
    const isDue = this.awaitsModel && !this.sayings.areUnderWay && this.expectsWords;
    this.takenOver();
    this.activity.update();
    if (!isDue) return void this.answerWhatIsDue();
    this.deeds++;
    this.bystander.answerIsDue();
    const speech = session.generateReply({ instructions: INTERRUPTED });
    // A customer who speaks meanwhile is answered by another one.
    speech.addDoneCallback(() => this.bystander.answerCame());
  }

  private get isHeldUp(): boolean {
    return this.isOnHold || this.suspension.isOn;
  }

  private dropSpeech(): void {
    this.bystander.stop();
    this.line?.cutInterjection();
    this.speeches.suspendAll();
    const { current: session } = this.sessions;
    session?.interrupt();
    this.line?.output.clearBuffer();
    if (session) void this.dropThought(session);
  }

  /** A realtime model may answer by itself what it heard just before the hold. */
  private async dropLateSpeech(): Promise<void> {
    await setImmediate();
    if (!this.suspension.isOn) return;
    this.suspension.begin(true);
    this.dropSpeech();
  }

  /** What the customer has typed, or else what a hold has cut off; once no tool runs that the answer needs. */
  private async answerWhatIsDue(): Promise<void> {
    const isAnswered = await this.typed.answer();
    const { current: session } = this.sessions;
    if (!this.suspension.owesAnswer || !session || !this.expectsWords) return;
    if (this.activity.runsTools || this.setup.signal.aborted) return;
    this.suspension.settle();
    if (isAnswered || this.sayings.areUnderWay) return;
    this.deeds++;
    this.bystander.answerIsDue();
    const speech = session.generateReply({ instructions: RESUMED });
    speech.addDoneCallback(() => this.bystander.answerCame());
  }

  private stopSpeaking(): void {
    this.bystander.stop();
    this.line?.cutInterjection();
    this.speeches.cutAll();
    this.showState();
  }

  /** False when there turned out to be no machine, or another one is waited for. */
  private async machineRecords(): Promise<boolean> {
    const { line, setup } = this;
    const machine = new AbortController();
    this.machine?.abort();
    this.machine = machine;
    if (!line || this.machines?.isRecordingUs) return true;
    const ears = {
      awaitBeep: (onBeep: () => void) => line.awaitBeep(onBeep),
      isSpeaking: () => this.customerSpeaks,
    };
    await awaitRecording(ears, AbortSignal.any([setup.signal, machine.signal]));
    return !machine.signal.aborted;
  }

  private get expectsWords(): boolean {
    return !this.isHeldUp && this.machine === null;
  }

  /** Returns whether the words are to be answered. */
  private customerFinished(words: string): boolean {
    if (this.setup.signal.aborted) return false;
    if (this.suspension.isOn && !this.isOnHold) this.keepForLater(words);
    if (!this.expectsWords) return false;
    this.bystander.customerFinished(words);
    return true;
  }

  /** Said just before the hold, and understood since: answered after it. */
  private keepForLater(words: string): void {
    this.turns.dropUnanswered();
    this.turns.customerTyped(words);
    this.typed.add(words);
  }

  private customerIs(state: voice.UserState): void {
    this.customerSpeaks = state === 'speaking';
    if (this.customerSpeaks) this.turns.customerSpeaks();
    const { realtime } = this.speaker.speech;
    if (realtime && this.customerSpeaks) this.line?.cutInterjection();
    else if (realtime && this.expectsWords) {
      this.awaitsModel = true;
      this.answerIsAsked();
    }
    this.showState();
    this.listener?.onCustomer(this.customerSpeaks ? 'speaking' : 'silent');
  }

  private speechStarted(): void {
    this.awaitsModel = this.answerFailed = false;
    this.turns.dropUnanswered();
    this.timing.soundStarted();
    this.bystander.answerCame();
    this.activity.update();
    this.showState();
  }

  private showState(): void {
    const isThinking = !this.isOnHold && (this.bystander.isAnswerDue || this.activity.runsTools);
    const state = this.line?.isHeard ? 'speaking' : isThinking ? 'thinking' : 'listening';
    if (state === this.shownState) return;
    this.shownState = state;
    this.listener?.onState?.(state);
  }

  private heardAssistant(speech: HeardSpeech): void {
    this.timing.soundEnded();
    this.activity.update();
    this.turns.assistantSaid(speech);
    this.showState();
  }

  /** Also one that came to nothing, as of a realtime model that has nothing to say to a noise. */
  private speechOver(): void {
    this.activity.update();
    if (this.speaker.speech.realtime && !this.answerFailed) this.nothingIsDue();
  }

  private nothingIsDue(): void {
    if (this.activity.runsTools || !this.speeches.areOver || this.sessions.areReplacing) return;
    this.bystander.answerCame();
    this.activity.update();
  }

  private askAgain(): void {
    this.sessions.current?.generateReply({
      instructions: 'You could not understand what the customer has just said. Ask them to say it again.',
    });
  }

  private toolBegan(turn: ToolTurn): () => void {
    this.toolTurn = turn;
    this.bystander.answerIsDue();
    this.activity.toolBegan();
    return () => {
      this.activity.toolEnded();
      this.showState();
      if (this.activity.runsTools) return;
      this.toolTurn = null;
      void this.answerWhatIsDue();
    };
  }

  /** What was said so far is heard first. A customer who speaks into it is answered by whoever takes over. */
  private async sayAtHandover(words: string): Promise<void> {
    const before = await this.spoken();
    const said = before === 'heard' ? await this.say(words) : before;
    this.handoverHeard = said === 'heard';
  }

  private takenOver(): void {
    this.awaitsModel = this.answerFailed = false;
    this.bystander.stop();
    this.bystander = this.makeBystander();
    this.bystander.prepare();
  }

  /** Of whoever has taken over; nothing where the customer has spoken meanwhile, and is answered anyway. */
  private goOn(note: string): void {
    const { current: session } = this.sessions;
    if (!session || this.setup.signal.aborted || !this.handoverHeard || this.isOnHold) return;
    if (this.suspension.isOn) return this.suspension.begin(true);
    this.deeds++;
    session.generateReply({ instructions: note });
  }

  /** A tool has ended the call, once the last words are said; customers who speak into them are not hung up on. */
  private endAfter(speech: voice.SpeechHandle): void {
    speech.addDoneCallback(() => {
      if (!speech.interrupted && !this.setup.signal.aborted) this.listener?.onGoodbye();
    });
  }

  private get isSounding(): boolean {
    const state = this.sessions.current?.agentState;
    // The engine may be left with the state of a speech that it has dropped: without one, nobody thinks or speaks.
    const isEngaged = !this.speeches.areOver && (state === 'thinking' || state === 'speaking');
    return isEngaged || this.line?.isSpeaking === true;
  }

  private becomes(isBusy: boolean): void {
    // What a lost model owed is due until another one has taken its place.
    if (!isBusy && !this.sessions.areReplacing) this.bystander.answerCame();
    this.listener?.onAssistant(isBusy ? 'busy' : 'listening');
  }

  /** The call is over: nothing more is said, whatever is under way. */
  private silence(): void {
    this.cut();
    this.line?.close();
  }

  private fail(error: unknown): void {
    if (this.setup.signal.aborted || this.summary) return;
    this.listener?.onFailure(error);
  }
}
