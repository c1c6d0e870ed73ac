import type { TransferOutcome } from '../../providers/telephony/call-carrier.js';
import { briefing } from './call-briefing.js';
import type { CallControls, Transfer } from './call-controls.js';
import type { EngineCall } from './call-engine.js';
import { type CallTermination, CallOver } from './call-termination.js';
import type { CallRecord } from './call-record.js';
import type { CallSpeech } from './call-speech.js';
import { CallTransfers } from './call-transfers.js';
import type { TextCallDependencies } from './text-call-dependencies.js';
import { allowedCountries } from './transfer-policy.js';

/** What tools may do with a text call. */
export class TextCallControls implements CallControls {
  readonly customerPhone: string | null;
  readonly assistantPhone: string | null;
  readonly transferCountries: readonly string[];
  readonly numbers: ReadonlyMap<number, string>;
  private readonly transfers: CallTransfers;

  constructor(
    private readonly call: EngineCall,
    private readonly deps: TextCallDependencies,
    private readonly termination: CallTermination,
    private readonly record: CallRecord,
    private readonly speech: CallSpeech,
  ) {
    this.customerPhone = call.variableContext.customerPhone ?? null;
    this.assistantPhone = call.variableContext.assistantPhone ?? null;
    this.transferCountries = allowedCountries(deps.transferCountries, this.assistantPhone);
    this.numbers = call.numbers ?? new Map();
    this.transfers = new CallTransfers(deps.carrier, call.callId, termination, deps.resolveSipTarget);
  }

  async transfer(transfer: Transfer): Promise<TransferOutcome> {
    if (this.transfers.isRunning) return 'failed';
    try {
      await this.speech.sayUnspoken();
      if (transfer.kind === 'warm') await this.speech.say(transfer.holdMessage);
      const outcome = await this.transfers.run(
        { transfer, from: this.callerIdOf(transfer), briefing: await this.briefingOf(transfer) },
        (error) => this.record.error(error),
      );
      const { kind, to } = transfer;
      this.record.action({ type: 'transfer', kind, to, outcome });
      if (outcome === 'answered') await this.handOver(transfer);
      return outcome;
    } catch (error) {
      if (!(error instanceof CallOver)) this.record.error(error);
      return 'failed';
    }
  }

  async sendDigits(digits: string): Promise<boolean> {
    try {
      await this.speech.sayUnspoken();
      await this.deps.carrier.sendDigits(this.call.callId, digits);
      this.record.action({ type: 'digits-sent', digits });
      return true;
    } catch (error) {
      if (!(error instanceof CallOver)) this.record.error(error);
      return false;
    }
  }

  /** To be told of each `transfer` event; null is whichever runs. False when the transfer was none of this process. */
  concludeTransfer(transferId: string | null, outcome: TransferOutcome): boolean {
    return this.transfers.conclude(transferId, outcome);
  }

  private callerIdOf(transfer: Transfer): string {
    const chosen = transfer.kind === 'warm' ? transfer.from : null;
    return chosen ?? this.assistantPhone ?? this.customerPhone ?? '';
  }

  private async briefingOf(transfer: Transfer): Promise<string | null> {
    if (transfer.kind === 'cold') return null;
    return briefing(transfer, {
      assistant: this.call.assistant,
      chatModel: this.deps.chatModel,
      turns: this.record.turns,
      signal: this.termination.signal,
      onUsage: (model, usage) => this.record.used(model, usage),
      onError: (error) => this.record.error(error),
    });
  }

  /** Somebody else has the customer: the last words, and the assistant is gone. */
  private async handOver(transfer: Transfer): Promise<void> {
    try {
      if (transfer.kind === 'warm' && transfer.connectedMessage !== '') {
        await this.speech.speak(transfer.connectedMessage);
      }
    } finally {
      this.termination.finish('transfer');
    }
  }
}
