import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { McpClient } from '../../providers/mcp/mcp-client.js';
import { McpError } from '../../providers/mcp/mcp-error.js';
import type { McpTool } from '../../runtime/tools/mcp-tool.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { endpointOf, type McpServerDetails, McpServersService } from './mcp-servers.service.js';
import { isUsable } from './mcp-tools.service.js';
import { McpToolsRepository, type NamedMcpTool } from './mcp-tools.repository.js';
import { functionNameOf } from './tool-definitions.js';

const BREAKER = { failures: 5, openMs: 30_000 };
const PAUSED = 'The server of this tool does not answer at the moment.';

/** Gives assistants the tools of MCP servers that they may use. */
@Injectable()
export class McpCallsService implements OnApplicationShutdown {
  private readonly breaker = new CircuitBreaker(BREAKER);

  constructor(
    private readonly tools: McpToolsRepository,
    private readonly servers: McpServersService,
    private readonly client: McpClient,
  ) {}

  /** As they are now: allowed, and in the definition that was allowed. */
  async toolsOf(userId: number, assistantId: number): Promise<McpTool[]> {
    const tools = (await this.tools.ofAssistant(userId, assistantId)).filter(isUsable);
    if (tools.length === 0) return [];
    const servers = await this.tools.serversOfAssistant(userId, assistantId);
    const byId = new Map(servers.map((server) => [server.id, this.servers.open(server)]));
    return tools.flatMap((tool) => {
      const server = byId.get(tool.serverId);
      return server ? [this.toolOf(tool, server)] : [];
    });
  }

  onApplicationShutdown(): void {
    this.client.close();
  }

  private toolOf(
    { name, description, inputSchema, serverName }: NamedMcpTool,
    server: McpServerDetails,
  ): McpTool {
    return {
      functionName: functionNameOf(serverName, name),
      description,
      inputSchema,
      call: (args, signal) => this.call(server, name, args, signal),
    };
  }

  private async call(
    server: McpServerDetails,
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): ReturnType<McpTool['call']> {
    const endpoint = endpointOf(server);
    if (!this.breaker.allows(endpoint.key)) return { problem: PAUSED };
    try {
      const answer = await this.client.call(endpoint, name, args, signal);
      this.breaker.succeeded(endpoint.key);
      return answer;
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      if (error.code === 'refused') this.breaker.succeeded(endpoint.key);
      else if (error.code !== 'aborted') this.breaker.failed(endpoint.key);
      return { problem: error.message };
    }
  }
}
