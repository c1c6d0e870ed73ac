import type { Feature } from '../../feature.js';
import { CallsModule } from './calls.module.js';
import { sweepCallMonitorsJob } from './monitors/sweep-call-monitors.job.js';
import { indexCallWordsJob } from './search/index-call-words.job.js';
import { sweepRecordingsJob } from './recordings/sweep-recordings.job.js';

export const callsFeature: Feature = {
  module: CallsModule,
  jobs: [indexCallWordsJob, sweepRecordingsJob, sweepCallMonitorsJob],
  tags: [{ name: 'Calls', description: 'Calls that were made, and calls of one’s own.' }],
};
