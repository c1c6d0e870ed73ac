import { Module } from '@nestjs/common';
import { PluginEventsRepository } from './plugin-events.repository.js';
import { PluginEventsService } from './plugin-events.service.js';

/** Of the worker role alone, and only where a plugin listens. */
@Module({
  providers: [PluginEventsRepository, PluginEventsService],
})
export class PluginEventsModule {}
