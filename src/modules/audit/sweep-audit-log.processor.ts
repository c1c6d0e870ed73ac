import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';
import { AuditLogService } from './audit-log.service.js';
import { sweepAuditLogJob } from './sweep-audit-log.job.js';

@ProcessorOf(sweepAuditLogJob)
export class SweepAuditLogProcessor extends JobProcessor<typeof sweepAuditLogJob> {
  constructor(private readonly log: AuditLogService) {
    super(sweepAuditLogJob);
  }

  protected handle(): Promise<unknown> {
    return this.log.sweep();
  }
}
