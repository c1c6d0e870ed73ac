import type { Feature } from '../../feature.js';
import { McpServersModule } from './mcp-servers.module.js';

export const mcpServersFeature: Feature = {
  module: McpServersModule,
  tags: [
    {
      name: 'MCP servers',
      description:
        'Servers of tools that speak the Model Context Protocol, and which of their tools are allowed.',
    },
  ],
};
