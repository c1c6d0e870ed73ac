import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { IncomingEventsService } from './incoming-events.service.js';

/** Tells webhook endpoints of calls that come in, and how they are routed. */
@Module({
  imports: [WebhooksModule],
  providers: [IncomingEventsService],
  exports: [IncomingEventsService],
})
export class InboundEventsModule {}
