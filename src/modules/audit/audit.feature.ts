import type { Feature } from '../../feature.js';
import { AuditModule } from './audit.module.js';
import { sweepAuditLogJob } from './sweep-audit-log.job.js';
import { SweepAuditLogProcessor } from './sweep-audit-log.processor.js';

export const auditFeature: Feature = {
  module: AuditModule,
  jobs: [{ definition: sweepAuditLogJob, processor: SweepAuditLogProcessor }],
};
