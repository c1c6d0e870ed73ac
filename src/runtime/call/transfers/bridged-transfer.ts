import type { SecondLegLine } from '../../../providers/telephony/call/call-line.js';
import type { TransferOutcome } from '../../../providers/telephony/call/carrier-call.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { CallControls, Transfer } from '../../tools/call-controls.js';
import type { CallSetup } from '../session/call-setup.js';
import type { CallControllerDependencies } from '../state/call-controller-dependencies.js';
import type { CallTermination } from '../state/call-termination.js';
import { HoldLimit } from '../silence/hold-limit.js';
import type { ModelUsageCount } from '../state/model-usage-count.js';
import { SecondLeg } from './second-leg.js';
import { SupervisorBriefing } from './supervisor-briefing.js';
import type { AssistantSession } from '../session/assistant-session.js';

/** The volume of hold music where the transfer tool sets none. */
const DEFAULT_MUSIC_VOLUME = 80;

export interface BridgedTransferSetup {
  readonly call: CallSetup;
  readonly deps: CallControllerDependencies;
  readonly termination: CallTermination;
  readonly controls: CallControls;
  readonly usage: ModelUsageCount;
  readonly session: AssistantSession;
  onError(error: unknown): void;
}

export interface BridgedTransferRequest {
  /** Of this transfer alone. */
  readonly id: string;
  readonly transfer: Transfer;
  /** What the far end sees. */
  readonly from: string;
  readonly ringingTimeoutMs: number;
  /** Of a warm transfer; it may be made while it rings. */
  readonly briefing: Promise<string> | null;
}

/** The line of the number that is set, else of the assistant's own number; null where neither carries sound. */
export function secondLegLineOf(
  transfer: Transfer,
  call: Pick<CallSetup, 'secondLegs'>,
  { numbers, assistantPhone }: Pick<CallControls, 'numbers' | 'assistantPhone'>,
): { readonly line: SecondLegLine; readonly phoneNumberId: number } | null {
  const [own] = [...numbers].find(([, number]) => number === assistantPhone) ?? [];
  for (const phoneNumberId of [transfer.kind === 'warm' ? transfer.outboundPhoneId : null, own ?? null]) {
    if (phoneNumberId === null) continue;
    const line = call.secondLegs?.get(phoneNumberId);
    if (line && 'audio' in line.media) return { line, phoneNumberId };
  }
  return null;
}

/**
 * A transfer that needs nothing of the carrier but a second call: the customer hears music while the far end is called and
 * briefed, and then the sound of both goes through here, recorded as before. Made for a single transfer.
 */
export class BridgedTransfer {
  private leg: SecondLeg | null = null;
  private connecting: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> = Promise.resolve();
  private isJoined = false;
  private supervisor: SupervisorBriefing | null = null;
  private isLegHeld = false;
  private readonly holdLimit: HoldLimit;

  constructor(private readonly setup: BridgedTransferSetup) {
    const { clock, maxHoldMs } = setup.deps;
    this.holdLimit = new HoldLimit(clock, maxHoldMs, () => void this.hangUp());
  }

  /** Whether the two hear each other. */
  get joined(): boolean {
    return this.isJoined;
  }

  /**
   * Connects. `answered`: the two hear each other; after any other outcome the second leg is closed, and the customer
   * hears the assistant again.
   *
   * @throws CallEndedError when the call ends before that
   * @throws CallCarrierError when no second call can be made; `not-supported` where no number of the account carries sound
   */
  async connect(request: BridgedTransferRequest): Promise<TransferOutcome> {
    const { termination, session } = this.setup;
    const { transfer } = request;
    const leg = this.secondLeg(request);
    if (!leg) throw new CallCarrierError('not-supported', 'no');
    this.leg = leg;
    leg.onHold = (isHeld) => this.legIsHeld(isHeld);
    session.hold({
      volume: (transfer.kind === 'warm' ? transfer.holdMusicVolume : DEFAULT_MUSIC_VOLUME) ?? 0,
    });
    try {
      const asking = this.askFarEnd(leg, request);
      this.connecting = asking.catch(() => undefined);
      const outcome = await asking;
      termination.check();
      if (outcome !== 'answered') return outcome;
      if (leg.ended.aborted) return 'declined';
      session.join(await leg.openAudio(termination.signal));
      this.isJoined = true;
      return 'answered';
    } finally {
      if (!this.isJoined) {
        await this.hangUp();
        session.hold(null);
      }
    }
  }

  /**
   * Lets them talk until the far end hangs up.
   *
   * @throws CallEndedError when the call ends before that
   */
  async waitForEnd(): Promise<void> {
    const { leg } = this;
    if (leg) await this.setup.termination.wait(Infinity, leg.ended);
  }

  /** The customer's keys, which may be meant for an exchange at the far end. */
  press(digits: string): void {
    this.leg?.sendDigits(digits).catch((error: unknown) => this.setup.onError(error));
  }

  /** Ends the second leg in any state. Returns when nothing of the transfer is left. */
  async end(): Promise<void> {
    await this.hangUp();
    await this.connecting;
    await this.closing;
  }

  /** The person who was called has the leg on hold: a briefing waits, and the customer hears what their exchange sends. */
  private legIsHeld(isHeld: boolean): void {
    this.isLegHeld = isHeld;
    this.holdLimit.lineIs(isHeld ? 'held' : 'open');
    this.supervisor?.lineIsHeld(isHeld);
  }

  private async hangUp(): Promise<void> {
    this.holdLimit.close();
    try {
      await this.leg?.hangUp();
    } catch (error) {
      this.setup.onError(error);
    }
  }

  private secondLeg({ id, transfer, from, ringingTimeoutMs }: BridgedTransferRequest): SecondLeg | null {
    const { termination, call, controls } = this.setup;
    const found = secondLegLineOf(transfer, call, controls);
    if (!found) return null;
    const { line, phoneNumberId } = found;
    const request = { key: id, from, to: transfer.to, phoneNumberId, ringingTimeoutMs, isSecondLeg: true };
    return new SecondLeg(line, request, termination.signal);
  }

  private async askFarEnd(leg: SecondLeg, request: BridgedTransferRequest): Promise<TransferOutcome> {
    const outcome = await leg.dial();
    if (outcome !== 'answered' || request.briefing === null) return outcome;
    this.setup.termination.check();
    return this.brief(leg, request.briefing);
  }

  private async brief(leg: SecondLeg, briefing: Promise<string>): Promise<TransferOutcome> {
    const { call, deps, termination, controls, usage } = this.setup;
    if (!call.voice) return 'failed';
    const supervisor = new SupervisorBriefing({
      leg,
      briefing,
      sessions: deps.sessions,
      userId: deps.userId,
      chatModel: deps.chatModel,
      assistant: call.assistant,
      voice: call.voice,
      controls,
      clock: deps.clock,
      signal: termination.signal,
      onUsage: (used) => usage.add(used),
      onError: (error) => this.setup.onError(error),
    });
    this.supervisor = supervisor;
    supervisor.lineIsHeld(this.isLegHeld);
    try {
      return await supervisor.run();
    } finally {
      this.supervisor = null;
      this.closing = supervisor.closed();
    }
  }
}
