import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { handlePluginEventJob } from './handle-plugin-event.job.js';
import { PluginEventsService } from './plugin-events.service.js';

@ProcessorOf(handlePluginEventJob)
export class HandlePluginEventProcessor extends JobProcessor<typeof handlePluginEventJob> {
  constructor(private readonly events: PluginEventsService) {
    super(handlePluginEventJob);
  }

  protected handle({ id }: { readonly id: string }): Promise<unknown> {
    return this.events.handle(id);
  }
}
