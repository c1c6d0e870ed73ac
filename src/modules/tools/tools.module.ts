import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ToolTestsService } from './tool-tests.service.js';
import { ToolsController } from './tools.controller.js';
import { ToolsRepository } from './tools.repository.js';
import { ToolsService } from './tools.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [ToolsController],
  providers: [ToolsService, ToolsRepository, ToolTestsService],
  exports: [ToolsService],
})
export class ToolsModule {}
