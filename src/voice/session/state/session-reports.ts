import type { AssistantState } from '../../../providers/telephony/call/call-line.js';
import type { RemoteParty } from '../../../runtime/call/session/remote-party.js';
import type { TranscriptTurn } from '../../../runtime/call/session/call-setup.js';
import type { IgnoredWords, SpokenVoice, TurnMetrics } from '../../../runtime/call/session/session-facts.js';
import type { SessionListener } from '../../../runtime/call/session/assistant-session.js';
import type { FunctionCall, StartedFunction } from '../../../runtime/function-call.js';

/** Passes what happens in a session on to its listener, from the start of the session to its end. */
export class SessionReports {
  private listener: SessionListener | null = null;
  private isEnded = false;

  begin(listener: SessionListener): void {
    this.listener = listener;
  }

  /** From now on only the calls of functions are reported: tools may answer after the call. */
  end(): void {
    this.isEnded = true;
  }

  turn(turn: TranscriptTurn, earlier?: TranscriptTurn): void {
    this.open?.onTurn(turn, earlier);
  }

  customer(state: 'speaking' | 'silent'): void {
    this.open?.onCustomer(state);
  }

  keys(digits: string): void {
    this.open?.onKeys(digits);
  }

  activity(activity: 'listening' | 'busy'): void {
    this.open?.onAssistant(activity);
  }

  shown(state: AssistantState): void {
    this.open?.onState?.(state);
  }

  goodbye(): void {
    this.open?.onGoodbye();
  }

  farEnd(farEnd: RemoteParty): void {
    this.open?.onFarEnd(farEnd);
  }

  functionStarted(call: StartedFunction): void {
    this.open?.onFunctionStarted?.(call);
  }

  functionCall(call: FunctionCall): void {
    this.listener?.onFunctionCall(call);
  }

  metrics(turn: TurnMetrics): void {
    this.open?.onMetrics(turn);
  }

  voice(voice: SpokenVoice): void {
    this.open?.onVoice?.(voice);
  }

  ignored(ignored: IgnoredWords): void {
    this.open?.onIgnored?.(ignored);
  }

  error(error: unknown): void {
    this.open?.onError(error);
  }

  failure(error: unknown): void {
    this.open?.onFailure(error);
  }

  private get open(): SessionListener | null {
    return this.isEnded ? null : this.listener;
  }
}
