import { Module } from '@nestjs/common';
import { UserEventsController } from './user-events.controller.js';

@Module({ controllers: [UserEventsController] })
export class UserEventsModule {}
