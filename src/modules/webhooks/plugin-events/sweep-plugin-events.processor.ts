import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { PluginEventsService } from './plugin-events.service.js';
import { sweepPluginEventsJob } from './sweep-plugin-events.job.js';

@ProcessorOf(sweepPluginEventsJob)
export class SweepPluginEventsProcessor extends JobProcessor<typeof sweepPluginEventsJob> {
  constructor(private readonly events: PluginEventsService) {
    super(sweepPluginEventsJob);
  }

  protected handle(): Promise<unknown> {
    return this.events.deleteFailed();
  }
}
