import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../database/transactions.js';
import { JobsService } from '../../../queues/jobs.service.js';
import { CallOverError } from '../../calls/calls.errors.js';
import { CallsService } from '../../calls/calls.service.js';
import { ActiveCallsRepository } from '../active-calls.repository.js';
import type { RequestedEnd } from '../running-call.js';
import { endCallsJob } from './end-calls.job.js';

/** Requests that calls end. The mark on the row is the request; the job and the sweep carry it out. */
@Injectable()
export class EndRequestsService {
  constructor(
    private readonly activeCalls: ActiveCallsRepository,
    private readonly calls: CallsService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Ends a call that is on: it is not dialled any more, or the customer hears the line go dead. The request is on record when
   * this returns; the end follows within seconds.
   *
   * @throws CallNotFoundError | CallOverError
   */
  async hangUp(userId: number, callId: number): Promise<void> {
    await this.calls.checkExists(userId, callId);
    if (!(await this.request(userId, callId))) throw new CallOverError();
    this.jobs.wake(endCallsJob, {});
  }

  /** Ends all calls of the account that are on. Returns for how many calls something is left to do. */
  async hangUpAll(userId: number): Promise<number> {
    const left = await this.activeCalls.requestAllEnds(userId);
    if (left > 0) this.jobs.wake(endCallsJob, {});
    return left;
  }

  /** Marks one open call. False when it is not open, or belongs to another account. */
  request(userId: number, callId: number): Promise<boolean> {
    return this.activeCalls.requestEnd(userId, callId);
  }

  /** Marks the open calls of a campaign, in the transaction that stops it. */
  requestForCampaign(userId: number, campaignId: number, tx: Tx): Promise<void> {
    return this.activeCalls.requestEnds(userId, campaignId, tx);
  }

  /** Marked calls that have not ended, of all accounts, those that were marked first. */
  findOpen(except: readonly number[], limit: number): Promise<RequestedEnd[]> {
    return this.activeCalls.findEndRequested(except, limit);
  }
}
