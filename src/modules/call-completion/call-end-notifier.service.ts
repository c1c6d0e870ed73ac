import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { leadOutcomeJob } from './lead-outcome.job.js';
import { JobsService } from '../../queues/jobs.service.js';

/** Listens to the ends of calls to leads. */
export interface LeadCallListener {
  /** A line is free; the work after its call may still run. */
  lineFreed(): void;
  /** The call is over, and all work after it is done. */
  ended(callId: number): Promise<void>;
}

/**
 * Notifies the dialler of the ends of calls to its leads. In a worker the dialler listens itself; any other process
 * sends it a job. A notification may be lost with its process: the rows are the record, and a sweep finds missed
 * ends.
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
      this.logger.warn('end of a call not reported', { callId, err: error });
    }
  }
}
