import { Module } from '@nestjs/common';
import { EgressClient } from '../../common/egress/egress-client.js';
import { McpClient } from '../../providers/mcp/mcp-client.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { McpCallsService } from './mcp-calls.service.js';
import { McpServersController } from './mcp-servers.controller.js';
import { McpServersRepository } from './mcp-servers.repository.js';
import { McpServersService } from './mcp-servers.service.js';
import { McpToolsRepository } from './mcp-tools.repository.js';
import { McpToolsService } from './mcp-tools.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [McpServersController],
  providers: [
    McpCallsService,
    McpServersRepository,
    McpServersService,
    McpToolsRepository,
    McpToolsService,
    {
      provide: McpClient,
      useFactory: (egress: EgressClient) => new McpClient(egress),
      inject: [EgressClient],
    },
  ],
  exports: [McpCallsService, McpToolsService],
})
export class McpServersModule {}
