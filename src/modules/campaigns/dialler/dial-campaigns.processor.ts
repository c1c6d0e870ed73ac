import { DialBeatService } from './dial-beat.service.js';
import { dialCampaignsJob } from './dial-campaigns.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(dialCampaignsJob)
export class DialCampaignsProcessor extends JobProcessor<typeof dialCampaignsJob> {
  constructor(private readonly beat: DialBeatService) {
    super(dialCampaignsJob);
  }

  protected handle(): Promise<unknown> {
    return this.beat.run();
  }
}
