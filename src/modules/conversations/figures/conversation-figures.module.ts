import { Module } from '@nestjs/common';
import { ConversationFiguresRepository } from './conversation-figures.repository.js';
import { ConversationFiguresService } from './conversation-figures.service.js';

@Module({
  providers: [ConversationFiguresRepository, ConversationFiguresService],
  exports: [ConversationFiguresService],
})
export class ConversationFiguresModule {}
