import { queryOptions } from '@tanstack/react-query';
import { listMcpServers, listMcpTools } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';

export const mcpServersQuery = queryOptions({
  queryKey: ['mcp-servers'],
  queryFn: ({ signal }) => dataOf(listMcpServers, { signal }),
});

/** What a server offers, allowed or not. */
export const mcpToolsQuery = (serverId: number) =>
  queryOptions({
    queryKey: ['mcp-tools', serverId],
    queryFn: ({ signal }) => dataOf(listMcpTools, { path: { serverId }, signal }),
  });
