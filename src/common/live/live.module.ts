import { Global, Module } from '@nestjs/common';
import { LiveEventsService } from './live-events.service.js';
import { LiveStreamsService } from './live-streams.service.js';

/** Hints to those who watch. The queues carry them between processes. */
@Global()
@Module({
  providers: [LiveEventsService, LiveStreamsService],
  exports: [LiveEventsService, LiveStreamsService],
})
export class LiveModule {}
