import { ReadableStream } from 'node:stream/web';
import { setImmediate } from 'node:timers/promises';
import { llm, voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import type { AudioLine, CallAudio } from '../../providers/telephony/call-audio.js';
import type { AnsweredBy } from '../../providers/telephony/call-carrier.js';
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
import type { ToolTurn } from '../session/runtime-tools.js';
import type { HeardSpeech } from '../session/session-output.js';
import { MachineWatch } from '../machine/machine-watch.js';
import { Bystander } from './bystander.js';
import { recordingBegins } from './machine-greeting.js';
import { SpeechFailed } from './speech-failed.error.js';
import { TalkActivity } from './talk-activity.js';
import { TalkLine } from './talk-line.js';
import type { RenderedSpeech, TalkParts } from './talk-parts.js';
import { openTalkSession, type TalkSessionListener } from './talk-session.js';
import { TalkSpeaker, type TalkSpeakerHost } from './talk-speaker.js';
import { TalkSpeeches } from './talk-speeches.js';
import { TalkTurns } from './talk-turns.js';
import { TurnTiming } from './turn-timing.js';

export type AgentTalkSetup = Omit<TalkSetup, 'media' | 'voice' | 'recordAs'> & {
  readonly line: AudioLine;
  readonly voice: VoiceSettings;
};

/** The engine, and then the providers, end within this, or are left alone. */
const CLOSING_TIMEOUT_MS = 5_000;

/** Talks in sound, by an AgentSession of @livekit/agents that has a line of ours instead of a room. */
export class AgentTalk implements Talk {
  private readonly usage = new ModelUsageCount();
  private readonly timing: TurnTiming;
  private readonly turns: TalkTurns;
  private readonly activity: TalkActivity;
  private readonly speeches: TalkSpeeches;
  /** Words of the customer that were not spoken, and that nobody has answered. */
  private readonly typed: string[] = [];
  private readonly speaker: TalkSpeaker;
  private bystander: Bystander;
  private listener: TalkListener | null = null;
  private line: TalkLine | null = null;
  private session: voice.AgentSession | null = null;
  private machines: MachineWatch | null = null;
  private rendered: RenderedSpeech | null;
  private toolTurn: ToolTurn | null = null;
  /** What it was told to say. */
  private deeds = 0;
  private isOnHold = false;
  private meetsMachine = false;
  private handoverHeard = false;
  private customerSpeaks = false;
  private isThinking = false;
  private respondFailure: ((error: unknown) => void) | null = null;
  private summary: Promise<TalkSummary> | null = null;

  constructor(
    private readonly setup: AgentTalkSetup,
    private readonly parts: TalkParts,
  ) {
    this.rendered = parts.rendered;
    this.speeches = new TalkSpeeches(setup.signal);
    this.timing = new TurnTiming(setup.elapsedMs, (turn) => this.listener?.onMetrics(turn));
    this.speaker = new TalkSpeaker(setup, parts, this.speakerHost);
    this.turns = new TalkTurns(
      setup.elapsedMs,
      (turn, earlier) => this.listener?.onTurn(turn, earlier),
      () => this.speaker.turnAssistant,
    );
    this.activity = new TalkActivity(
      () => this.isSounding,
      (isBusy) => this.becomes(isBusy),
    );
    this.bystander = this.makeBystander();
  }

  async start(listener: TalkListener): Promise<void> {
    const { setup, parts } = this;
    this.listener = listener;
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
    const onAnsweredBy = (answeredBy: AnsweredBy) => listener.onAnsweredBy(answeredBy);
    this.machines = setup.detectsMachines
      ? new MachineWatch(audio.sampleRateHz, recording, onAnsweredBy)
      : null;
    this.line = new TalkLine(audio, this.machines ?? recording, lineListener, setup.inBandDigits);
    this.session = openTalkSession(this.speaker, parts, this.speaker.makeModel(), this.sessionListener);
    this.session.input.audio = this.line.input;
    this.session.output.audio = this.line.output;
    setup.signal.addEventListener('abort', () => this.silence(), { once: true });
    await Promise.all([this.line.open(setup.voice), this.session.start({ agent: this.speaker.makeAgent() })]);
    this.bystander.prepare();
  }

  async say(text: string, how: SayHow = {}): Promise<Spoken> {
    const words = text.trim();
    this.deeds++;
    if (words === '') return this.setup.signal.aborted ? 'cut' : 'heard';
    return this.activity.during(async () => {
      if (how.afterBeep) await this.machineRecords();
      if (this.setup.signal.aborted || !this.session) return 'cut';
      const allowInterruptions = how.interruptible ?? this.speaker.voice.interruptions.allowed;
      return this.outcomeOf(this.speak(this.session, words, allowInterruptions));
    });
  }

  async respond({ note }: { readonly note: string }): Promise<void> {
    const { session, setup } = this;
    if (setup.signal.aborted || !session) return;
    this.deeds++;
    await this.activity.during(async () => {
      let failed: (error: unknown) => void = () => {};
      const failure = new Promise<never>((_resolve, reject) => {
        failed = reject;
      });
      this.respondFailure = failed;
      try {
        await Promise.race([failure, this.outcomeOf(session.generateReply({ instructions: note }))]);
      } finally {
        this.respondFailure = null;
        failure.catch(() => undefined);
      }
    });
  }

  hear(words: string): void {
    this.turns.customerTyped(words);
    this.typed.push(words);
    void this.answerTyped();
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
    this.typed.length = 0;
    this.bystander.stop();
    this.line?.cutInterjection();
    this.speeches.cutAll();
    // What is dropped while the call goes on is not to be answered; at its end it was said all the same.
    if (!this.setup.signal.aborted) this.turns.dropUnanswered();
    const { session } = this;
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
    if (this.session === session && this.deeds === deeds) session.interrupt();
  }

  hold(music: HoldMusic | null): void {
    this.isOnHold = music !== null;
    this.turns.dropUnanswered();
    this.line?.hold(music);
    if (this.isOnHold) this.session?.clearUserTurn();
    else void this.answerTyped();
  }

  join(farEnd: CallAudio): void {
    this.isOnHold = true;
    this.session?.clearUserTurn();
    this.line?.join(farEnd);
  }

  close(): Promise<TalkSummary> {
    this.summary ??= this.end();
    return this.summary;
  }

  private async end(): Promise<TalkSummary> {
    const { session, line, parts } = this;
    this.bystander.stop();
    line?.close();
    const recording = parts.recorder?.finish() ?? null;
    await this.closed(session?.close());
    this.turns.keepUnanswered();
    await this.closed(this.speaker.close());
    const summary = { modelUsage: this.usage.all, recording: await recording };
    this.listener = null;
    return summary;
  }

  /** Providers that hang must not keep the call open. */
  private async closed(closing: Promise<void> | undefined): Promise<void> {
    await Promise.race([closing, patience(CLOSING_TIMEOUT_MS)]).catch((error: unknown) =>
      this.listener?.onError(error),
    );
  }

  private get speakerHost(): TalkSpeakerHost {
    return {
      usage: this.usage,
      onWords: (words) => this.line?.output.wordsOf(words),
      onCustomerTurn: (words) => this.customerFinished(words),
      onRun: (turn) => this.toolBegan(turn),
      onFunctionCall: (call) => this.listener?.onFunctionCall(call),
      onEffect: (effect, turn) => {
        if (effect === 'end-call') this.endAfter(turn.speech);
      },
      onError: (error) => this.listener?.onError(error),
      onFailure: (error) => (this.respondFailure ?? ((failure: unknown) => this.fail(failure)))(error),
      sayAtHandover: (words) => this.sayAtHandover(words),
      onTakenOver: () => this.takenOver(),
      goOn: (note, { speech }) => speech.addDoneCallback(() => this.goOn(note)),
    };
  }

  private makeBystander(): Bystander {
    const { voice, speech } = this.speaker;
    return new Bystander(voice, speech, {
      isSilent: () => this.line?.isSpeaking === false && !this.customerSpeaks && !this.isOnHold,
      isWaitingForTool: () => this.activity.runsTools,
      play: (samples, onOver) => this.line?.interject(samples, onOver),
      lineRateHz: () => this.line?.sampleRateHz ?? 0,
      onSaid: (speech) => this.heardAssistant(speech),
      onError: (error) => this.listener?.onError(error),
      giveUp: () => this.fail(new SpeechFailed('No answer came.')),
    });
  }

  private get sessionListener(): TalkSessionListener {
    return {
      onSpeech: (speech) => this.speeches.add(speech),
      onAssistant: (state) => {
        if (state === 'thinking') this.bystander.answerIsDue();
        this.thinks(state === 'thinking');
        this.activity.update();
      },
      onCustomer: (state) => this.customerIs(state),
      onWords: (words, areFinal) => {
        this.machines?.words(words);
        if (areFinal && this.expectsWords) this.turns.customerHeard(words);
      },
      expectsWords: () => this.expectsWords,
      onNotUnderstood: () => this.askAgain(),
      onMessage: (message) => this.turns.added(message),
      onMetrics: (measure) => this.timing.measured(measure),
      onError: (error) => this.listener?.onError(error),
      onFailure: (error) => this.fail(error),
      onClosed: () => {
        this.session = null;
      },
    };
  }

  private speak(session: voice.AgentSession, words: string, allowInterruptions: boolean): voice.SpeechHandle {
    if (!this.speaker.speech.tts)
      return session.generateReply({ instructions: `Say exactly these words, and nothing else: ${words}` });
    const { rendered } = this;
    this.rendered = null;
    const audio = rendered?.text === words ? { audio: framesOf(rendered) } : {};
    return session.say(words, { allowInterruptions, ...audio });
  }

  /** After what is being said or done; words that come together are answered together. */
  private async answerTyped(): Promise<void> {
    await setImmediate();
    const { session, setup } = this;
    if (!session || setup.signal.aborted || this.activity.runsTools || !this.expectsWords) return;
    const words = this.typed.splice(0).join(' ');
    if (words === '') return;
    if (this.speeches.areInterruptible) session.interrupt();
    const message = llm.ChatMessage.create({ role: 'user', content: words });
    this.turns.isTyped(message);
    this.bystander.customerFinished(words);
    this.deeds++;
    session.generateReply({ userInput: message });
  }

  private async machineRecords(): Promise<void> {
    this.meetsMachine = true;
    const { line, setup } = this;
    if (!line) return;
    const ears = {
      awaitBeep: (onBeep: () => void) => line.awaitBeep(onBeep),
      isSpeaking: () => this.customerSpeaks,
    };
    await recordingBegins(ears, setup.signal);
  }

  private get expectsWords(): boolean {
    return !this.isOnHold && !this.meetsMachine;
  }

  /** Returns whether the words are to be answered. */
  private customerFinished(words: string): boolean {
    if (!this.expectsWords || this.setup.signal.aborted) return false;
    this.bystander.customerFinished(words);
    return true;
  }

  private customerIs(state: voice.UserState): void {
    this.customerSpeaks = state === 'speaking';
    if (this.customerSpeaks) this.line?.cutInterjection();
    this.listener?.onCustomer(this.customerSpeaks ? 'speaking' : 'silent');
  }

  private speechStarted(): void {
    this.turns.dropUnanswered();
    this.timing.soundStarted();
    this.thinks(false);
    this.bystander.answerCame();
    this.activity.update();
  }

  private thinks(isThinking: boolean): void {
    if (isThinking === this.isThinking) return;
    this.isThinking = isThinking;
    this.listener?.onThinking?.(isThinking);
  }

  private heardAssistant(speech: HeardSpeech): void {
    this.timing.soundEnded();
    this.activity.update();
    this.turns.assistantSaid(speech);
  }

  private askAgain(): void {
    this.session?.generateReply({
      instructions: 'You could not understand what the customer has just said. Ask them to say it again.',
    });
  }

  private toolBegan(turn: ToolTurn): () => void {
    this.toolTurn = turn;
    this.bystander.answerIsDue();
    this.activity.toolBegan();
    return () => {
      this.activity.toolEnded();
      if (this.activity.runsTools) return;
      this.toolTurn = null;
      void this.answerTyped();
    };
  }

  /** What was said so far is heard first. A customer who speaks into it is answered by whoever takes over. */
  private async sayAtHandover(words: string): Promise<void> {
    const before = await this.spoken();
    const said = before === 'heard' ? await this.say(words) : before;
    this.handoverHeard = said === 'heard';
  }

  private takenOver(): void {
    this.bystander.stop();
    this.bystander = this.makeBystander();
    this.bystander.prepare();
  }

  /** Of whoever has taken over; nothing where the customer has spoken meanwhile, and is answered anyway. */
  private goOn(note: string): void {
    const { session, setup } = this;
    if (!session || setup.signal.aborted || !this.handoverHeard || this.isOnHold) return;
    this.deeds++;
    session.generateReply({ instructions: note });
  }

  /** A tool has ended the call, once the last words are said; customers who speak into them are not hung up on. */
  private endAfter(speech: voice.SpeechHandle): void {
    speech.addDoneCallback(() => {
      if (!speech.interrupted && !this.setup.signal.aborted) this.listener?.onGoodbye();
    });
  }

  private outcomeOf(speech: voice.SpeechHandle): Promise<Spoken> {
    return this.speeches.outcomeOf(speech, speech.waitForPlayout());
  }

  private get isSounding(): boolean {
    const state = this.session?.agentState;
    return state === 'thinking' || state === 'speaking' || this.line?.isSpeaking === true;
  }

  private becomes(isBusy: boolean): void {
    if (!isBusy) this.bystander.answerCame();
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

function framesOf({ samples, sampleRateHz }: RenderedSpeech): ReadableStream<AudioFrame> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(new AudioFrame(samples, sampleRateHz, 1, samples.length));
      controller.close();
    },
  });
}

function patience(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
