import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { inParallel } from '../../../common/concurrency/in-parallel.js';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { Handles } from '../../../queues/workers/handles.js';
import { CallCompletionService } from '../../call-completion/call-completion.service.js';
import { ActiveCallsService } from '../../active-calls/active-calls.service.js';
import { EndRequestsService } from '../../active-calls/ends/end-requests.service.js';
import type { RequestedEnd } from '../../active-calls/running-call.js';
import { CallLostError } from '../../calls/calls.errors.js';
import { endCallsJob } from '../../active-calls/ends/end-calls.job.js';

const BATCH = 500;
/** Calls that are ended at the same time. */
const AT_ONCE = 16;
/** How soon, and for how long, a call is looked at again for which the carrier is being asked. */
const LOOK_AGAIN_MS = 200;
const MAX_WAIT_MS = 15_000;

/**
 * Ends the calls of stopped campaigns. The mark in the database is the record: every repetition finds the calls that
 * are left.
 */
@Injectable()
export class CallStopsService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly requests: EndRequestsService,
    private readonly completion: CallCompletionService,
    private readonly transactions: Transactions,
    private readonly carriers: CallCarriers,
    private readonly logger: Logger,
  ) {}

  /** Ends the calls of a campaign: those that wait are not dialled any more, the others hear the line go dead. */
  async stopCampaignCalls(userId: number, campaignId: number): Promise<void> {
    await this.transactions.run((tx) => this.requests.requestForCampaign(userId, campaignId, tx));
    await this.endRequested();
  }

  /** Ends all calls that are marked: those that wait are not dialled any more, the others hear the line go dead. */
  @Handles(endCallsJob)
  async endRequested(): Promise<void> {
    const done = new Set<number>();
    const endsAt = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const requested = await this.requests.findOpen([...done], BATCH);
      const endable = requested.filter(({ stage }) => stage !== 'placing');
      for (const { callId } of endable) done.add(callId);
      await inParallel(endable, AT_ONCE, (call) => this.end(call));
      // What is being sent may be the carrier's in a moment; later the sweep finds it.
      if (requested.length === 0 || performance.now() > endsAt) return;
      if (endable.length === 0) await sleep(LOOK_AGAIN_MS);
    }
  }

  /** A call that cannot be ended keeps its mark, and does not stop the other calls from being ended. */
  private async end({ callId, stage, carrier, carrierCallId, isOfStopped }: RequestedEnd): Promise<void> {
    // The dialler, which is sending it, sees the mark and takes it back: what was not dialled is no attempt.
    if (stage === 'waiting' && isOfStopped) return;
    try {
      if (stage === 'waiting') await this.cancel(callId);
      else if (carrierCallId !== null) await this.carriers.named(carrier).hangUp(carrierCallId);
    } catch (error) {
      if (this.isElsewhere(carrier, error)) return;
      this.logger.warn('call of a stopped campaign continues', { callId, err: error });
    }
  }

  /** The process that has the line hangs it up, when it renews its lease and sees the mark. */
  private isElsewhere(carrier: string, error: unknown): boolean {
    const { livesInProcess } = this.carriers.named(carrier).capabilities;
    return livesInProcess && error instanceof CallCarrierError && error.code === 'no-such-call';
  }

  private async cancel(callId: number): Promise<void> {
    const found = await this.activeCalls.find(callId);
    if (found?.active.stage !== 'waiting' || !(await this.activeCalls.beginPlacing(found.call))) return;
    try {
      await this.completion.unanswered(found, 'failed', null);
    } catch (error) {
      if (!(error instanceof CallLostError)) throw error;
    }
  }
}
