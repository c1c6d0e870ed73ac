import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { BackupsRepository } from './backups.repository.js';

const SECOND_MS = 1_000;

/** Shows operators how old the last backup is. An installation that backs up by other means has no value. */
@Injectable()
export class BackupMetricsService {
  constructor(metrics: MetricsService, backups: BackupsRepository) {
    metrics.gauge({
      name: 'prosa_last_backup_timestamp_seconds',
      help: 'When the last finished backup of npm run backup began; without a value where there was none',
      labelNames: [],
      read: async () => {
        const beganAt = await backups.findLast();
        return beganAt === null ? [] : [{ labels: {}, value: beganAt.getTime() / SECOND_MS }];
      },
    });
  }
}
