import { EgressError } from '../../common/egress/egress-error.js';
import type { CallSignals, TransferOutcome } from '../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { type ResolveSipTarget, sipTargetOf } from '../../providers/telephony/sip-target.js';
import type { Transfer } from './call-controls.js';
import type { CallTermination } from './call-termination.js';

const RINGING_TIMEOUT_MS = 30_000;
/** A carrier that tells of no outcome by then never will: ringing, a briefing of a minute and a decision. */
const OUTCOME_TIMEOUT_MS = 180_000;

export interface TransferRequest {
  readonly transfer: Transfer;
  readonly from: string;
  readonly briefing: string | null;
}

/** The transfers of one call, one at a time. */
export class CallTransfers {
  private count = 0;
  private running: {
    readonly id: string;
    outcome: TransferOutcome | null;
    readonly done: AbortController;
  } | null = null;

  constructor(
    private readonly carrier: CallSignals,
    private readonly callId: string,
    private readonly termination: CallTermination,
    private readonly resolveSipTarget: ResolveSipTarget,
  ) {}

  get isRunning(): boolean {
    return this.running !== null;
  }

  /**
   * Transfers and waits for the far end. A carrier that refuses, or says nothing in time, is an outcome `failed`, and so
   * is a SIP address that leads where outbound connections may not go.
   *
   * @throws CallOver when the call ends meanwhile
   */
  async run(
    { transfer, from, briefing }: TransferRequest,
    onError: (error: unknown) => void,
  ): Promise<TransferOutcome> {
    const running = { id: `${this.callId}-${++this.count}`, outcome: null, done: new AbortController() };
    this.running = running;
    try {
      await this.refusePrivateTarget(transfer.to);
      await this.carrier.transfer(this.callId, {
        transferId: running.id,
        to: transfer.to,
        from,
        ringingTimeoutMs: RINGING_TIMEOUT_MS,
        briefing,
        holdMusicVolume: transfer.kind === 'warm' ? transfer.holdMusicVolume : null,
      });
      await this.termination.wait(OUTCOME_TIMEOUT_MS, running.done.signal);
      return this.running.outcome ?? 'failed';
    } catch (error) {
      if (!(error instanceof CallCarrierError || error instanceof EgressError)) throw error;
      onError(error);
      return 'failed';
    } finally {
      this.running = null;
    }
  }

  /** A name that nobody can look up is the carrier's to fail with, who may know it. */
  private async refusePrivateTarget(to: string): Promise<void> {
    if (!sipTargetOf(to)) return;
    try {
      await this.resolveSipTarget(to);
    } catch (error) {
      if (!(error instanceof EgressError) || error.code !== 'dns') throw error;
    }
  }

  /** To be told of each `transfer` event; null is whichever runs. False when none of that id runs here. */
  conclude(transferId: string | null, outcome: TransferOutcome): boolean {
    if (!this.running || (transferId !== null && this.running.id !== transferId)) return false;
    this.running.outcome = outcome;
    this.running.done.abort();
    return true;
  }
}
