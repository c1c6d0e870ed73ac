import { ModelError } from '../../providers/llm/model-error.js';
import type { CallEnd, CallEvent, TransferOutcome } from '../../providers/telephony/call-carrier.js';
import { type ChatTurnResult, runChatTurn } from '../chat-turn.js';
import { fillPlaceholders, type Variables } from '../variables.js';
import type { CallEndedBy, CallResult, EngineCall } from './call-engine.js';
import { TurnInbox } from './turn-inbox.js';
import { CallTermination, CallOver, readEvents } from './call-termination.js';
import { CallRecord } from './call-record.js';
import { CallSpeech } from './call-speech.js';
import { Keypad } from './keypad.js';
import { Silence } from './silence.js';
import { TextCallControls } from './text-call-controls.js';
import type { TextCallDependencies } from './text-call-dependencies.js';

/** One call of the TextCallEngine. Made for a single `run`. */
export class TextCall {
  private readonly termination: CallTermination;
  private readonly record: CallRecord;
  private readonly silence: Silence;
  private readonly inbox: TurnInbox;
  private readonly keypad: Keypad | null;
  private readonly speech: CallSpeech;
  private readonly controls: TextCallControls;
  private readonly variables: Variables;
  private readonly startedMs: number;

  constructor(
    private readonly call: EngineCall,
    private readonly deps: TextCallDependencies,
  ) {
    const { clock } = deps;
    const { settings, resumed, listener, assistant, variableContext } = call;
    this.startedMs = clock.nowMs() - (resumed?.elapsedMs ?? 0);
    this.termination = new CallTermination(clock);
    this.record = new CallRecord(resumed?.turns ?? [], () => this.elapsedMs, listener);
    this.silence = new Silence(settings);
    if (resumed?.turns.some(({ speaker }) => speaker === 'customer')) this.silence.break();
    this.keypad = settings.keypad && new Keypad(settings.keypad, clock, (digits) => this.entered(digits));
    const isTyping = () => this.keypad?.isOpen === true;
    this.inbox = new TurnInbox(this.termination, this.silence, clock, isTyping, resumed?.isOnHold ?? false);
    this.speech = new CallSpeech(deps.textLine, call.callId, this.termination, this.record);
    this.variables = assistant.variablesOf(variableContext);
    this.controls = new TextCallControls(call, deps, this.termination, this.record, this.speech);
    if (call.answeredBy) this.hint(call.answeredBy);
  }

  async run(): Promise<CallResult> {
    const { call, deps, termination } = this;
    const stop = () => termination.finish('stopped');
    if (call.signal.aborted) stop();
    call.signal.addEventListener('abort', stop, { once: true });
    const remainingMs = Math.max(call.settings.maxDurationMs - this.elapsedMs, 0);
    const cancelLimit = deps.clock.after(remainingMs, () => termination.finish('limit'));
    const reading = readEvents(call.events, termination, (event) => this.hear(event));
    try {
      await this.converse();
    } catch (error) {
      if (!(error instanceof CallOver)) termination.finish('failed', error);
    }
    cancelLimit();
    call.signal.removeEventListener('abort', stop);
    this.keypad?.close();
    const durationMs = Math.round(this.elapsedMs);
    const lineIsOpen = await this.leave();
    await call.events.return?.();
    await reading;
    return this.result(durationMs, lineIsOpen);
  }

  private get elapsedMs(): number {
    return this.deps.clock.nowMs() - this.startedMs;
  }

  private result(durationMs: number, lineIsOpen: boolean): CallResult {
    const { turns: transcript, actions, answeredBy, modelUsage } = this.record;
    const { by: endedBy, error } = this.termination.end;
    const { variables } = this;
    return { endedBy, error, lineIsOpen, transcript, answeredBy, variables, actions, durationMs, modelUsage };
  }

  /** Hangs up where that is ours to do. Returns whether the line goes on. */
  private async leave(): Promise<boolean> {
    const { by } = this.termination.end;
    if (by === 'transfer') return true;
    if (by === 'customer') return false;
    try {
      await this.deps.carrier.hangUp(this.call.callId);
      return false;
    } catch (error) {
      this.record.error(error);
      return true;
    }
  }

  private hear(event: CallEvent): void {
    switch (event.type) {
      case 'heard':
        this.record.turn('customer', event.text);
        return this.inbox.customerSaid(event.text);
      case 'digits':
        this.keypad?.press(event.digits);
        return this.inbox.customerPressed();
      case 'answering-machine-detection':
        return this.hint(event.answeredBy);
      case 'transfer':
        if (!this.controls.concludeTransfer(event.transferId, event.outcome))
          this.transferElsewhere(event.outcome);
        return;
      case 'state':
        if (event.call.answeredBy) this.hint(event.call.answeredBy);
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

  private hint(answeredBy: 'human' | 'machine'): void {
    if (this.record.answeredBy === answeredBy) return;
    this.record.hint(answeredBy);
    if (answeredBy === 'human') return;
    this.speech.cut();
    this.inbox.machineDetected();
  }

  /** Of a transfer that another process began, or of one that was given up as failed and has succeeded since. */
  private transferElsewhere(outcome: TransferOutcome): void {
    if (outcome === 'answered') this.termination.finish('transfer');
    else this.inbox.transferFailed(outcome);
  }

  private entered(digits: string): void {
    this.record.action({ type: 'digits-received', digits });
    const note = `[Keypad: ${digits}]`;
    this.record.turn('customer', note);
    this.inbox.customerSaid(note);
  }

  private async converse(): Promise<never> {
    const { assistant, settings, resumed } = this.call;
    if (!resumed && !settings.waitForCustomer) await this.speech.say(assistant.greeting(this.variables));
    for (;;) {
      const item = await this.inbox.next();
      this.speech.begin();
      if (item.type === 'machine') await this.leaveMessage();
      else if (item.type === 'customer') await this.takeTurn({ message: item.text });
      else if (item.type === 'back') await this.welcomeBack(item.outcome);
      else await this.reengage();
    }
  }

  /** Once, also when the call was adopted while the message was being left. */
  private async leaveMessage(): Promise<void> {
    const { voicemailMessage, endOnVoicemail } = this.call.settings;
    const message =
      voicemailMessage === null ? '' : fillPlaceholders(voicemailMessage, this.variables).trim();
    if (message !== '' && !this.record.turns.some(({ text }) => text === message)) {
      this.record.action({ type: 'voicemail-message' });
      await this.speech.say(message);
    }
    if (endOnVoicemail) this.termination.finish('assistant');
  }

  private async welcomeBack(outcome: TransferOutcome): Promise<void> {
    await this.takeTurn({
      message: null,
      note: `The transfer did not succeed (${outcome}). The customer is back on the line with you. Tell them.`,
    });
  }

  private async reengage(): Promise<void> {
    const { reengagementPrompt } = this.call.settings;
    this.record.action({ type: 'reengagement' });
    await this.takeTurn({
      message: null,
      note: `The customer has been silent for a while. Speak to them now. ${reengagementPrompt ?? ''}`,
    });
    this.silence.reengaged();
  }

  private async takeTurn(input: { message: string | null; note?: string }): Promise<void> {
    const history = this.record.history;
    if (input.message !== null) this.record.remember('user', input.message);
    const signal = AbortSignal.any([this.termination.signal, this.speech.cutSignal]);
    try {
      const { effects } = await this.think({ ...input, history, signal });
      await this.speech.sayUnspoken();
      if (effects.includes('end-call')) this.termination.finish('assistant');
    } catch (error) {
      this.termination.check();
      // A machine was detected meanwhile: what was meant for a person is not said.
      if (!this.speech.cutSignal.aborted) throw error;
    }
  }

  /** Asks once more when no model answered, unless a tool has run already: it might do its work twice. */
  private async think(input: {
    readonly message: string | null;
    readonly note?: string;
    readonly history: CallRecord['history'];
    readonly signal: AbortSignal;
  }): Promise<ChatTurnResult> {
    const actionsBefore = this.record.actions.length;
    try {
      return await this.runTurn(input);
    } catch (error) {
      const isTemporary = error instanceof ModelError && error.code !== 'aborted';
      if (!isTemporary || this.record.actions.length > actionsBefore) throw error;
      this.record.error(error);
      return this.runTurn(input);
    }
  }

  private runTurn(input: Parameters<TextCall['think']>[0]): Promise<ChatTurnResult> {
    const { assistant } = this.call;
    const { chatModel, limits } = this.deps;
    const { speech } = this;
    speech.unspoken = '';
    return runChatTurn({
      ...input,
      assistant,
      chatModel,
      limits,
      variables: this.variables,
      call: this.controls,
      listener: {
        onText: (delta) => (speech.unspoken += delta),
        onRestart: () => (speech.unspoken = ''),
        onFunctionCall: (call) => this.record.action({ type: 'function-call', call }),
        onUsage: (model, usage) => this.record.used(model, usage),
      },
      onToolError: (_tool, error) => this.record.error(error),
    });
  }
}

/** The end as the carrier tells it. `platform`: another process has hung up, because the campaign was stopped, say. */
function endedBy(by: CallEnd['by'] | undefined): [CallEndedBy, unknown?] {
  switch (by) {
    case 'platform':
      return ['stopped'];
    case 'carrier':
      return ['failed', new Error('The carrier ended the call.')];
    case 'customer':
    case undefined:
      return ['customer'];
  }
}
