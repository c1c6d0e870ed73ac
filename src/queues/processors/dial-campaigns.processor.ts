import { Dialler } from '../../modules/campaigns/dialler/dialler.js';
import { dialCampaignsJob } from '../definitions/dial-campaigns.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(dialCampaignsJob)
export class DialCampaignsProcessor extends JobProcessor<typeof dialCampaignsJob> {
  constructor(private readonly dialler: Dialler) {
    super(dialCampaignsJob);
  }

  protected handle(): Promise<unknown> {
    return this.dialler.run();
  }
}
