import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { McpServersModule } from './mcp-servers.module.js';

export const mcpServersFeature: Feature = {
  sealedColumns: [
    sealedColumn({
      table: 'mcp_servers',
      column: 'sealed_headers',
      place: 'mcp_servers.headers',
      whenLost: () => '[]',
    }),
  ],
  module: McpServersModule,
  tags: [
    {
      name: 'MCP servers',
      description:
        'Servers of tools that speak the Model Context Protocol, and which of their tools are allowed.',
    },
  ],
};
