import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { leadOutcomeJob } from './lead-outcome.job.js';
import { JobsService } from '../../queues/jobs.service.js';

/** Whoever calls leads, and wants to know how their calls go. */
export interface LeadCallListener {
  /** A line is free; the work after its call may go on. */
  lineFreed(): void;
  /** The call is over, and all work after it is done. */
  ended(callId: number): Promise<void>;
}

/**
 * Tells the dialler of the calls of its leads. In a worker it listens itself; any other process sends it a job. Either
 * may be lost with its process: the rows are the record, and a sweep finds what was not told.
 */
@Injectable()
export class CallEndNotifierService {
  private listener: LeadCallListener | null = null;

  constructor(
    private readonly jobs: JobsService,
    private readonly logger: Logger,
  ) {}

  listen(listener: LeadCallListener): void {
    this.listener = listener;
  }

  /** To be called after the commit, as is the next. */
  lineFreed(): void {
    this.listener?.lineFreed();
  }

  async ended(callId: number): Promise<void> {
    try {
      if (this.listener) await this.listener.ended(callId);
      else this.jobs.wake(leadOutcomeJob, { callId });
    } catch (error) {
      this.logger.warn('end of a call not told', { callId, err: error });
    }
  }
}
