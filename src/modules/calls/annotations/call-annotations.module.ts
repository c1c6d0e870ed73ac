import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { CallsModule } from '../calls.module.js';
import { CallAnnotationsController } from './call-annotations.controller.js';
import { CallAnnotationsRepository } from './call-annotations.repository.js';
import { CallAnnotationsService } from './call-annotations.service.js';

/** Notes and tags of calls. */
@Module({
  imports: [AccountsModule, CallsModule],
  controllers: [CallAnnotationsController],
  providers: [CallAnnotationsRepository, CallAnnotationsService],
})
export class CallAnnotationsModule {}
