import { DialBeat } from '../../modules/campaigns/dialler/dial-beat.js';
import { dialCampaignsJob } from '../definitions/dial-campaigns.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(dialCampaignsJob)
export class DialCampaignsProcessor extends JobProcessor<typeof dialCampaignsJob> {
  constructor(private readonly beat: DialBeat) {
    super(dialCampaignsJob);
  }

  protected handle(): Promise<unknown> {
    return this.beat.run();
  }
}
