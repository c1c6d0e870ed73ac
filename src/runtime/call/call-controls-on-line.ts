import type { TransferOutcome } from '../../providers/telephony/call-carrier.js';
import { briefing } from './call-briefing.js';
import type { CallControls, Transfer } from './call-controls.js';
import type { EngineCall } from './call-engine.js';
import type { CallLifeDependencies } from './call-life-dependencies.js';
import type { CallRecord } from './call-record.js';
import { type CallTermination, CallOver } from './call-termination.js';
import { CallTransfers } from './call-transfers.js';
import type { ModelUsageCount } from './model-usage-count.js';
import type { Talk } from './talk.js';
import { allowedCountries } from './transfer-policy.js';

/** What tools may do with the line of a call. */
export class CallControlsOnLine implements CallControls {
  readonly customerPhone: string | null;
  readonly assistantPhone: string | null;
  readonly transferCountries: readonly string[];
  readonly numbers: ReadonlyMap<number, string>;
  private readonly transfers: CallTransfers;

  /** @param talk of this call; asked for when a tool runs, which is after it was made */
  constructor(
    private readonly call: EngineCall,
    private readonly deps: CallLifeDependencies,
    private readonly termination: CallTermination,
    private readonly record: CallRecord,
    private readonly usage: ModelUsageCount,
    private readonly talk: () => Talk,
  ) {
    this.customerPhone = call.variableContext.customerPhone ?? null;
    this.assistantPhone = call.variableContext.assistantPhone ?? null;
    this.transferCountries = allowedCountries(deps.transferCountries, this.assistantPhone);
    this.numbers = call.numbers ?? new Map();
    this.transfers = new CallTransfers(deps.line, call.callId, termination, deps.resolveSipTarget);
  }

  async transfer(transfer: Transfer): Promise<TransferOutcome> {
    if (this.transfers.isRunning) return 'failed';
    try {
      if (!(await this.announce(transfer))) return 'failed';
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
      if ((await this.talk().spoken()) === 'cut') return false;
      const { line } = this.deps;
      if (line.capabilities.inBandDigits) await this.talk().sendKeys(digits);
      else await line.sendDigits(this.call.callId, digits);
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

  /** What the customer hears before. False when nobody is to be transferred any more. */
  private async announce(transfer: Transfer): Promise<boolean> {
    if ((await this.talk().spoken()) === 'cut') return false;
    if (transfer.kind === 'cold') return true;
    return (await this.talk().say(transfer.holdMessage, { interruptible: false })) !== 'cut';
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
      onUsage: (model, usage) => this.usage.used(model, usage),
      onError: (error) => this.record.error(error),
    });
  }

  /** Somebody else has the customer: the last words, and the assistant is gone. */
  private async handOver(transfer: Transfer): Promise<void> {
    try {
      if (transfer.kind === 'warm') {
        await this.talk().say(transfer.connectedMessage, { interruptible: false });
      }
    } finally {
      this.termination.finish('transfer');
    }
  }
}
