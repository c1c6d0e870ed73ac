import type { Feature } from '../../feature.js';
import { AuditModule } from './audit.module.js';
import { sweepAuditLogJob } from './sweep-audit-log.job.js';

export const auditFeature: Feature = {
  module: AuditModule,
  jobs: [sweepAuditLogJob],
};
