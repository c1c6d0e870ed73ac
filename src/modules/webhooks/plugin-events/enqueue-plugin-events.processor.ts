import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { enqueuePluginEventsJob } from './enqueue-plugin-events.job.js';
import { PluginEventsService } from './plugin-events.service.js';

@ProcessorOf(enqueuePluginEventsJob)
export class EnqueuePluginEventsProcessor extends JobProcessor<typeof enqueuePluginEventsJob> {
  constructor(private readonly events: PluginEventsService) {
    super(enqueuePluginEventsJob);
  }

  protected handle(): Promise<unknown> {
    return this.events.enqueueDue();
  }
}
