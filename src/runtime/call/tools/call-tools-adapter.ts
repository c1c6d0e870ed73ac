import type { TransferOutcome } from '../../../providers/telephony/call/carrier-call.js';
import type { DestinationRefusal } from '../../../common/phone/destination-refusal.js';
import { EgressError } from '../../../common/egress/egress-error.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { BridgedTransfer, secondLegLineOf } from '../transfers/bridged-transfer.js';
import { briefing, type BriefingInput, writtenBriefing } from '../transfers/call-briefing.js';
import type {
  CallControls,
  MemberTransfer,
  MemberTransferOutcome,
  RefusedTransfer,
  Transfer,
  UnansweredOffer,
} from '../../tools/call-controls.js';
import type { AcceptedOffer, MemberOffers } from '../session/member-offers.js';
import type { CallSetup } from '../session/call-setup.js';
import type { CallControllerDependencies } from '../state/call-controller-dependencies.js';
import type { CallLog } from '../state/call-log.js';
import { type CallTermination, CallEndedError } from '../state/call-termination.js';
import { CallTransfers, TRANSFER_RINGING_MS } from '../transfers/call-transfers.js';
import type { ModelUsageCount } from '../state/model-usage-count.js';
import type { AssistantSession } from '../session/assistant-session.js';

import { allowedCountries, refusePrivateSipTarget } from '../transfers/transfer-policy.js';

/** A person who takes calls reads the briefing if it is there by then. */
const WRITTEN_BRIEFING_MS = 8_000;

/** What tools may do with the line of a call. */
export class CallToolsAdapter implements CallControls {
  readonly customerPhone: string | null;
  readonly assistantPhone: string | null;
  readonly transferCountries: readonly string[];
  readonly numbers: ReadonlyMap<number, string>;
  private readonly transfers: CallTransfers;
  private transferring = false;
  private bridged: BridgedTransfer | null = null;

  /** @param session of this call; asked for when a tool runs, which is after it was made */
  constructor(
    private readonly call: CallSetup,
    private readonly deps: CallControllerDependencies,
    private readonly termination: CallTermination,
    private readonly record: CallLog,
    private readonly usage: ModelUsageCount,
    private readonly session: () => AssistantSession,
  ) {
    this.customerPhone = call.variableContext.customerPhone ?? null;
    this.assistantPhone = call.variableContext.assistantPhone ?? null;
    this.transferCountries = allowedCountries(deps.transferCountries, this.assistantPhone);
    this.numbers = call.numbers ?? new Map();
    this.transfers = new CallTransfers(deps.line, call.callId, termination);
  }

  transfer(transfer: Transfer): Promise<TransferOutcome | RefusedTransfer> {
    return this.attempt(transfer, () => this.announce(transfer));
  }

  /** For a person: the assistant has been cut off, and is not waited for. */
  transferAtOnce(to: string): Promise<TransferOutcome | RefusedTransfer> {
    return this.attempt({ kind: 'cold', to }, async () => true);
  }

  async transferToMember(transfer: MemberTransfer): Promise<MemberTransferOutcome> {
    const { offers } = this.call;
    if (this.transferring) return 'failed';
    if (!offers || !('audio' in this.deps.line.media)) return 'unavailable';
    this.transferring = true;
    try {
      if (!(await offers.isAnyAvailable(transfer.role))) return 'unavailable';
      if (!(await this.announceHold(transfer))) return 'failed';
      const answer = await this.ringMembers(offers, transfer);
      this.termination.check();
      if (typeof answer === 'string') return answer;
      // A person can only take over while the line is free.
      this.transferring = false;
      return (await answer.connect()) ? 'accepted' : 'failed';
    } catch (error) {
      if (!(error instanceof CallEndedError)) this.record.reportError(error);
      return 'failed';
    } finally {
      this.transferring = false;
    }
  }

  /** Whether the customer is being connected to another party, or talks with it. */
  get isTransferring(): boolean {
    return this.transferring;
  }

  /** Whether the customer talks with another party over a line of ours, and not by the carrier. */
  get isBridged(): boolean {
    return this.bridged?.joined === true;
  }

  /** Keys the customer pressed for whom they talk with. */
  passOn(digits: string): void {
    this.bridged?.press(digits);
  }

  /** To be called at the end of the call: no second leg outlasts it. */
  async close(): Promise<void> {
    await this.bridged?.end();
  }

  async sendDigits(digits: string): Promise<boolean> {
    try {
      if ((await this.session().spoken()) === 'cut') return false;
      const { line } = this.deps;
      if (line.capabilities.inBandDigits) await this.session().sendKeys(digits);
      else await line.sendDigits(this.call.callId, digits);
      this.record.addAction({ type: 'digits-sent', digits });
      return true;
    } catch (error) {
      if (!(error instanceof CallEndedError)) this.record.reportError(error);
      return false;
    }
  }

  /** To be called for each `transfer` event; null is the running one. False when the transfer was none of this process. */
  concludeTransfer(transferId: string | null, outcome: TransferOutcome): boolean {
    return this.transfers.conclude(transferId, outcome);
  }

  /** Whether a person may transfer the call to a number. `no-line`: neither its line nor the assistant's number can. */
  async refusalOf(to: string): Promise<DestinationRefusal | 'no-line' | null> {
    const transfer = { kind: 'cold', to } as const;
    await this.call.loadNumbers?.();
    const isByLine = this.deps.line.capabilities.transfer !== 'none';
    if (!isByLine && !secondLegLineOf(transfer, this.call, this)) return 'no-line';
    return this.checkDestination(transfer);
  }

  /** @param announce false: the transfer must not be made any more */
  private async attempt(
    transfer: Transfer,
    announce: () => Promise<boolean>,
  ): Promise<TransferOutcome | RefusedTransfer> {
    if (this.transferring) return 'failed';
    const refused = this.checkDestination(transfer);
    if (refused) return { refused };
    this.transferring = true;
    try {
      if (!(await announce())) return 'failed';
      const outcome = await this.connect(transfer);
      const { kind, to } = transfer;
      this.record.addAction({ type: 'transfer', kind, to, outcome });
      if (outcome === 'answered') await this.handOver(transfer);
      return outcome;
    } catch (error) {
      if (!(error instanceof CallEndedError)) this.record.reportError(error);
      return 'failed';
    } finally {
      this.transferring = false;
    }
  }

  /** Asked before the customer hears of the transfer. Second legs are also checked when they are placed. */
  private checkDestination(transfer: Transfer): DestinationRefusal | null {
    const { transfer: means } = this.deps.line.capabilities;
    const isByLine = means === 'carrier' || (means === 'refer' && transfer.kind === 'cold');
    const leg = isByLine ? null : secondLegLineOf(transfer, this.call, this);
    if (!isByLine && !leg) return null;
    return this.call.destinations?.check(transfer.to, leg?.phoneNumberId ?? null) ?? null;
  }

  /** What the customer hears before. False when the transfer must not be made any more. */
  private async announce(transfer: Transfer): Promise<boolean> {
    if (transfer.kind === 'cold') return (await this.session().spoken()) !== 'cut';
    return this.announceHold(transfer);
  }

  private async announceHold({ holdMessage }: Pick<MemberTransfer, 'holdMessage'>): Promise<boolean> {
    if ((await this.session().spoken()) === 'cut') return false;
    return (await this.session().say(holdMessage, { interruptible: false })) !== 'cut';
  }

  /** The customer hears music until a person has accepted, or none will. */
  private async ringMembers(
    offers: MemberOffers,
    transfer: MemberTransfer,
  ): Promise<AcceptedOffer | UnansweredOffer> {
    const { role, holdMusicVolume } = transfer;
    const { signal } = this.termination;
    this.session().hold({ volume: holdMusicVolume ?? 0 });
    try {
      return await offers.ring({ role, briefing: await this.writtenBriefingOf(transfer), signal });
    } finally {
      this.session().hold(null);
    }
  }

  /** By the carrier, where it does that; otherwise over a second leg. */
  private async connect(transfer: Transfer): Promise<TransferOutcome> {
    const onError = (error: unknown) => this.record.reportError(error);
    try {
      await refusePrivateSipTarget(transfer.to, this.deps.resolveSipTarget);
      const from = this.callerIdOf(transfer);
      if (transfer.kind === 'cold' || this.deps.line.capabilities.transfer === 'carrier') {
        const request = { transfer, from, briefing: await this.briefingOf(transfer) };
        const outcome = await this.transfers.run(request, onError);
        if (outcome !== 'not-supported') return outcome;
      }
      return await this.bridge(transfer, from);
    } catch (error) {
      if (!(error instanceof CallCarrierError || error instanceof EgressError)) throw error;
      onError(error);
      return 'failed';
    }
  }

  private async bridge(transfer: Transfer, from: string): Promise<TransferOutcome> {
    const { call, deps, termination, usage } = this;
    const onError = (error: unknown) => this.record.reportError(error);
    await this.bridged?.end();
    this.bridged = new BridgedTransfer({
      call,
      deps,
      termination,
      controls: this,
      usage,
      session: this.session(),
      onError,
    });
    const briefing = transfer.kind === 'warm' ? this.briefingOf(transfer).then((words) => words ?? '') : null;
    briefing?.catch(() => undefined);
    const id = this.transfers.nextId();
    return this.bridged.connect({ id, transfer, from, ringingTimeoutMs: TRANSFER_RINGING_MS, briefing });
  }

  private callerIdOf(transfer: Transfer): string {
    const chosen = transfer.kind === 'warm' ? transfer.from : null;
    return chosen ?? this.assistantPhone ?? this.customerPhone ?? '';
  }

  private async briefingOf(transfer: Transfer): Promise<string | null> {
    return transfer.kind === 'cold' ? null : briefing(transfer, this.briefingInput);
  }

  /** Empty where the model is slow. */
  private async writtenBriefingOf(transfer: MemberTransfer): Promise<string> {
    const written = new AbortController();
    let briefing = '';
    void writtenBriefing(transfer, this.briefingInput)
      .then((text) => (briefing = text))
      .catch((error: unknown) => this.briefingInput.onError(error))
      .finally(() => written.abort());
    await this.termination.wait(WRITTEN_BRIEFING_MS, written.signal);
    return briefing;
  }

  private get briefingInput(): BriefingInput {
    return {
      assistant: this.call.assistant,
      chatModel: this.deps.chatModel,
      turns: this.record.turns,
      signal: this.termination.signal,
      onUsage: (model, usage) => this.usage.used(model, usage),
      // A briefing has no use once the customer has gone.
      onError: (error) => {
        if (!this.termination.isOver) this.record.reportError(error);
      },
    };
  }

  /** Another party has the customer: the last words, and the assistant leaves, or is silent until they have hung up. */
  private async handOver(transfer: Transfer): Promise<void> {
    try {
      if (transfer.kind === 'warm') {
        await this.session().say(transfer.connectedMessage, { interruptible: false });
      }
      if (this.isBridged) await this.bridged?.waitForEnd();
    } finally {
      this.termination.finish('transfer');
    }
  }
}
