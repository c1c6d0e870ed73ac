import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SavedRepliesController } from './saved-replies.controller.js';
import { SavedRepliesRepository } from './saved-replies.repository.js';
import { SavedRepliesService } from './saved-replies.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [SavedRepliesController],
  providers: [SavedRepliesService, SavedRepliesRepository],
})
export class SavedRepliesModule {}
