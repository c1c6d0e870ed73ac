import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { EmailsModule } from './emails.module.js';
import { sendEmailJob } from './send-email.job.js';
import { sweepEmailsJob } from './sweep-emails.job.js';

export const emailsFeature: Feature = {
  module: EmailsModule,
  jobs: [sendEmailJob, sweepEmailsJob],
  sealedColumns: [
    sealedColumn({
      table: 'emails',
      column: 'sealed_content',
      place: 'emails.content',
      newestBy: 'created_at',
      whenLost: 'delete',
    }),
  ],
};
