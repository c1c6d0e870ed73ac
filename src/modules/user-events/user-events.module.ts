import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { UserEventsController } from './user-events.controller.js';

@Module({ imports: [AccountsModule], controllers: [UserEventsController] })
export class UserEventsModule {}
