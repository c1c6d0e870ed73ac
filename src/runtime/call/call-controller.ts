import type { CallEnd, CallEvent, TransferOutcome } from '../../providers/telephony/call/carrier-call.js';
import { type Speaker, speakerOf } from '../handoff/handoffs.js';
import { CallToolsAdapter } from './tools/call-tools-adapter.js';
import { afterBrokenLine } from './broken-line-phrases.js';
import {
  type CallEndedBy,
  type CallResult,
  type CallSetup,
  ENDED_BY_LINE,
  type ResumedSession,
} from './session/call-setup.js';
import { AnswererPolicy } from './answerer/answerer-policy.js';
import type { CallControllerDependencies } from './state/call-controller-dependencies.js';
import { CallLog } from './state/call-log.js';
import { CallSpeakers } from './session/call-speakers.js';
import { CallEndedError, CallTermination, readEvents } from './state/call-termination.js';
import { Keypad } from './keypad/keypad.js';
import { ModelUsageCount } from './state/model-usage-count.js';
import { DeskControl } from './takeovers/desk-control.js';
import { MonitoringNotice } from './takeovers/monitoring-notice.js';
import { HoldLimit } from './silence/hold-limit.js';
import { SilenceWatch } from './silence/silence-watch.js';
import { Silence } from './silence/silence.js';
import type {
  AssistantSession,
  SessionListener,
  SessionSummary,
  Spoken,
} from './session/assistant-session.js';

const NOTHING_SAID: SessionSummary = { modelUsage: [], recording: null };

/**
 * The rules of one answered call: how it begins and ends, how long it may last and be silent, what a voicemail hears, and
 * what keys and transfers do. Its AssistantSession decides what is said. Made for a single `run`.
 */
export class CallController {
  private readonly termination: CallTermination;
  private readonly record: CallLog;
  private readonly silence: SilenceWatch;
  private readonly holdLimit: HoldLimit;
  private readonly keypad: Keypad | null;
  private readonly controls: CallToolsAdapter;
  private readonly answerer: AnswererPolicy;
  /** For the people who listen to the call. */
  readonly desk: DeskControl;
  /** Tells the customer of them. */
  readonly notice: MonitoringNotice;
  private readonly usage = new ModelUsageCount();
  /** The assistant that the call begins with. */
  private readonly own: Speaker;
  private readonly startedMs: number;
  /** Also a session that could not start: it holds connections and a file. */
  private made: AssistantSession | null = null;
  private session: AssistantSession | null = null;
  private isOnHold: boolean;
  /** The far end has put the call on hold. */
  private isHeld = false;
  /** What the assistant says because of an event. */
  private aside = Promise.resolve();

  constructor(
    private readonly call: CallSetup,
    private readonly deps: CallControllerDependencies,
  ) {
    const { clock } = deps;
    const { settings, resumed, listener, assistant, variableContext } = call;
    this.startedMs = clock.nowMs() - (resumed?.elapsedMs ?? 0);
    this.termination = new CallTermination(clock);
    this.record = new CallLog(resumed?.turns ?? [], () => this.elapsedMs, listener);
    this.isOnHold = resumed?.isOnHold ?? false;
    this.keypad = settings.keypad && new Keypad(settings.keypad, clock, (digits) => this.entered(digits));
    const isTyping = () => this.keypad?.isOpen === true;
    this.silence = new SilenceWatch(new Silence(settings), clock, isTyping, this.isOnHold);
    this.holdLimit = new HoldLimit(clock, deps.maxHoldMs, () => this.termination.finish('hold'));
    if (resumed?.turns.some(({ speaker }) => speaker === 'customer')) this.silence.broken();
    this.own = speakerOf(assistant, variableContext);
    this.controls = new CallToolsAdapter(call, deps, this.termination, this.record, this.usage, () =>
      this.runningSession(),
    );
    this.answerer = this.makeAnswererPolicy();
    this.desk = this.makeDeskControl();
    const { monitoringAnnouncement } = settings;
    const { variables } = this.own;
    this.notice = new MonitoringNotice(monitoringAnnouncement, variables, clock, () => this.record.turns);
  }

  /**
   * Runs the call until it is over for the assistant. The line is then hung up, unless the result says `lineIsOpen`. It throws
   * nothing: an error is in the result.
   */
  async run(): Promise<CallResult> {
    const { call, deps, termination } = this;
    const stop = () => termination.finish('stopped');
    if (call.signal.aborted) stop();
    call.signal.addEventListener('abort', stop, { once: true });
    const remainingMs = Math.max(call.settings.maxDurationMs - this.elapsedMs, 0);
    const cancelLimit = deps.clock.after(remainingMs, () => termination.finish('limit'));
    let reading = Promise.resolve();
    try {
      this.session = await this.startSession();
      this.notice.begin(this.session);
      // The greeting comes before events since the answer.
      const conversation = this.converse(this.session);
      reading = readEvents(call.events, termination, (event) => this.onEvent(event));
      await conversation;
    } catch (error) {
      if (!(error instanceof CallEndedError)) termination.finish('failed', error);
    }
    cancelLimit();
    call.signal.removeEventListener('abort', stop);
    this.keypad?.close();
    this.holdLimit.close();
    this.notice.close();
    const durationMs = Math.round(this.elapsedMs);
    await Promise.all([this.aside, this.controls.close()]);
    const summary = (await this.made?.close()) ?? NOTHING_SAID;
    const lineIsOpen = await this.leave();
    await call.events.return?.();
    await reading;
    return this.result(durationMs, lineIsOpen, summary);
  }

  /** As `AssistantSession.whisper`; nothing before the session has begun and after the end. */
  whisper(text: string): void {
    if (!this.termination.isOver) this.session?.whisper(text);
  }

  /** Has the assistant say these words. Returns when they have been heard, or have not. */
  async say(text: string): Promise<Spoken> {
    return (await this.session?.say(text)) ?? 'cut';
  }

  private get elapsedMs(): number {
    return this.deps.clock.nowMs() - this.startedMs;
  }

  private result(durationMs: number, lineIsOpen: boolean, summary: SessionSummary): CallResult {
    const { turns: transcript, actions, answeredBy, gatekeeper, metrics, ignored } = this.record;
    const { by: endedBy, error } = this.termination.end;
    const { usage } = this;
    const { variables } = this.own;
    for (const used of summary.modelUsage) usage.add(used);
    return {
      endedBy,
      error,
      lineIsOpen,
      transcript,
      answeredBy,
      gatekeeper,
      variables,
      actions,
      durationMs,
      modelUsage: usage.all,
      metrics,
      ignored,
      lateness: summary.lateness ?? null,
      recording: summary.recording,
      ...(summary.toolsDone ? { toolsDone: summary.toolsDone } : {}),
    };
  }

  /** Hangs up where that is ours to do. Returns whether the line stays open. */
  private async leave(): Promise<boolean> {
    const { by } = this.termination.end;
    if (by === 'transfer' && !this.controls.isBridged) return true;
    if (by === 'customer') return false;
    try {
      await this.deps.line.hangUp(this.call.callId);
      return false;
    } catch (error) {
      this.record.reportError(error);
      return true;
    }
  }

  private async startSession(): Promise<AssistantSession> {
    const { call, deps } = this;
    const { assistant, resumed } = call;
    const speaker = resumed?.speaker ?? { ...this.own, voice: call.voice ?? null };
    this.made = await deps.sessions.make({
      ...speaker,
      callId: call.callId,
      userId: deps.userId,
      media: deps.line.media,
      chatModel: deps.chatModel,
      speakers: new CallSpeakers(assistant.id, speaker, call.handoffs),
      controls: this.controls,
      origin: call.origin,
      history: this.notice.without(resumed?.turns ?? []),
      elapsedMs: () => this.elapsedMs,
      signal: this.termination.signal,
      recordAs: call.recordAs ?? null,
      inBandDigits: deps.line.capabilities.inBandDigits,
      detectsMachines: this.detectsMachines,
    });
    await this.made.start(this.sessionListener);
    return this.made;
  }

  /** Where the carrier cannot tell, and it is not known from before the call was adopted. */
  private get detectsMachines(): boolean {
    const { amdEnabled = false, answeredBy, resumed } = this.call;
    return amdEnabled && !answeredBy && !resumed && !this.deps.line.capabilities.machineDetection;
  }

  private makeAnswererPolicy(): AnswererPolicy {
    const { call, deps, own, record, termination } = this;
    const session = () => this.session;
    return new AnswererPolicy(call, deps.line, own.variables, record, termination, {
      get session() {
        return session();
      },
      runInBackground: (action) => this.runInBackground(action),
    });
  }

  private makeDeskControl(): DeskControl {
    const session = () => this.session;
    const isOnHold = () => this.isOnHold;
    return new DeskControl(this.controls, this.record, this.silence, this.termination, {
      get session() {
        return session();
      },
      get isOnHold() {
        return isOnHold();
      },
      onTransferFailed: (outcome) =>
        this.runInBackground((running) => this.resumeAfterTransfer(running, outcome)),
    });
  }

  private runningSession(): AssistantSession {
    if (!this.session) throw new Error('a tool ran before the session was made');
    return this.session;
  }

  private get sessionListener(): SessionListener {
    const { record, silence, termination } = this;
    return {
      onTurn: (turn, earlier) => {
        record.addTurn(turn, earlier);
        if (turn.speaker === 'customer') silence.broken();
      },
      onCustomer: (state) => silence.customerIs(state),
      onKeys: (digits) => this.pressed(digits),
      onAssistant: (state) => silence.assistantIs(state),
      onState: (state) => this.call.listener?.onState?.(state),
      onGoodbye: () => termination.finish('assistant'),
      onFarEnd: (farEnd) => {
        if (!this.desk.isTakenOver) this.answerer.report(farEnd);
      },
      onFunctionStarted: (call) => this.call.listener?.onFunctionStarted?.(call),
      onFunctionCall: (call) => record.addAction({ type: 'function-call', call }),
      onMetrics: (turn) => record.addMetrics(turn),
      onIgnored: (ignored) => record.addIgnored(ignored),
      onVoice: (voice) => this.call.listener?.onVoice?.(voice),
      onError: (error) => record.reportError(error),
      onFailure: (error) => termination.finish('failed', error),
    };
  }

  private onEvent(event: CallEvent): void {
    switch (event.type) {
      case 'heard':
        return this.session?.hear(event.text);
      case 'digits':
        return this.pressed(event.digits);
      case 'hold':
        return this.lineIsHeld(event.isHeld);
      case 'answering-machine-detection':
        return this.answerer.report(event.answeredBy);
      case 'transfer':
        if (!this.controls.concludeTransfer(event.transferId, event.outcome))
          this.transferElsewhere(event.outcome);
        return;
      case 'state':
        this.lineIsHeld(event.call.isHeld ?? this.isHeld);
        if (event.call.answeredBy) this.answerer.report(event.call.answeredBy);
        if (event.call.transfer === 'connected' && !this.controls.concludeTransfer(null, 'answered'))
          this.termination.finish('transfer');
        return;
      case 'ended':
        return this.termination.finish(...endedBy(event.call.end?.by));
      case 'ringing':
      case 'answered':
        return;
    }
  }

  private lineIsHeld(isHeld: boolean): void {
    if (isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    const state = isHeld ? 'held' : 'open';
    this.record.addAction({ type: isHeld ? 'hold-began' : 'hold-ended' });
    this.holdLimit.lineIs(state);
    this.silence.lineIs(state);
    if (isHeld) this.session?.suspend();
    else this.session?.resume();
  }

  private pressed(digits: string): void {
    if (this.controls.isBridged) return this.controls.passOn(digits);
    this.keypad?.press(digits);
    this.silence.broken();
  }

  /** Of a transfer that another process began, or of one that was given up as failed and has succeeded since. */
  private transferElsewhere(outcome: TransferOutcome): void {
    if (outcome === 'answered') return this.termination.finish('transfer');
    if (!this.isOnHold) return;
    this.isOnHold = false;
    this.silence.holdEnded();
    this.session?.hold(null);
    this.runInBackground((session) => this.resumeAfterTransfer(session, outcome));
  }

  private entered(digits: string): void {
    this.record.addAction({ type: 'digits-received', digits });
    this.session?.hear(`[Keypad: ${digits}]`);
  }

  private async converse(session: AssistantSession): Promise<never> {
    const { assistant, answeredBy, settings, resumed, takeover } = this.call;
    if (this.isOnHold) session.hold({ volume: 0 });
    this.lineIsHeld(this.call.isHeld ?? false);
    if (answeredBy) this.answerer.report(answeredBy);
    // A customer who has heard nothing before the line broke is greeted.
    const begins = !resumed || (resumed.lineBroke === true && resumed.turns.length === 0);
    const person = takeover?.person() ?? null;
    if (person) takeover?.onResumed(this.desk.takeOver(person));
    const { isTakenOver } = this.desk;
    const greets =
      !isTakenOver && begins && !settings.waitForCustomer && this.record.answeredBy !== 'machine';
    if (greets) await session.say(assistant.greeting(this.own.variables));
    else if (resumed?.lineBroke && !isTakenOver && !this.isOnHold && this.record.answeredBy !== 'machine')
      await this.resumeAfterReconnect(session, resumed);
    for (;;) {
      const due = await this.silence.next(this.termination);
      if (due === 'end') this.termination.finish('silence');
      else await this.reengage(session);
    }
  }

  /** What was heard of the last words is unknown, so the assistant repeats nothing: it asks the customer to repeat. */
  private async resumeAfterReconnect(session: AssistantSession, { turns }: ResumedSession): Promise<void> {
    const isAnswerOwed = turns.at(-1)?.speaker === 'customer';
    const phrase = afterBrokenLine(this.call.voice?.languages[0]?.iso2 ?? '', isAnswerOwed);
    if (phrase !== null) await session.say(phrase);
    if (phrase !== null && !isAnswerOwed) return;
    const excuse = phrase === null ? 'The line broke for a moment: say sorry for it. ' : '';
    const rest = isAnswerOwed
      ? "Now answer the customer's last words."
      : 'Ask the customer to say again what you may have missed.';
    await session.respond({ note: `${excuse}${rest}` });
  }

  /** Runs the action that an event requires, during the call. */
  private runInBackground(action: (session: AssistantSession) => Promise<void>): void {
    const { session, aside } = this;
    if (!session) return;
    const done = action(session).catch((error: unknown) => this.termination.finish('failed', error));
    this.aside = aside.then(() => done);
  }

  private resumeAfterTransfer(session: AssistantSession, outcome: string): Promise<void> {
    return session.respond({
      note: `The transfer did not succeed (${outcome}). The customer is back on the line with you. Tell them.`,
    });
  }

  private async reengage(session: AssistantSession): Promise<void> {
    const { reengagementPrompt } = this.call.settings;
    this.record.addAction({ type: 'reengagement' });
    await session.respond({
      note: `The customer has been silent for a while. Speak to them now. ${reengagementPrompt ?? ''}`,
    });
    this.silence.reengaged();
  }
}

/** The end as the carrier tells it. */
function endedBy(by: CallEnd['by'] = 'customer'): [CallEndedBy, unknown?] {
  return [ENDED_BY_LINE[by], by === 'carrier' ? new Error('The carrier ended the call.') : undefined];
}
