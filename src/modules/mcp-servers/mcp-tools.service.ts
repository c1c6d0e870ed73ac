import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { McpClient } from '../../providers/mcp/mcp-client.js';
import { McpError } from '../../providers/mcp/mcp-error.js';
import { McpServerFailedError, McpToolChangedError, McpToolNotFoundError } from './mcp-servers.errors.js';
import { McpServersRepository } from './mcp-servers.repository.js';
import { endpointOf, type McpServerDetails, McpServersService } from './mcp-servers.service.js';
import { McpToolsRepository, type NamedMcpTool } from './mcp-tools.repository.js';
import { ToolIntake } from './tool-definitions.js';

/** A server may take its time for a list, but it is read while a request waits. */
const LIST_TIMEOUT_MS = 20_000;
const MAX_LIST_PAGES = 10;

/** What servers offer, and what of it their owner allows. */
@Injectable()
export class McpToolsService {
  constructor(
    private readonly servers: McpServersService,
    private readonly listings: McpServersRepository,
    private readonly tools: McpToolsRepository,
    private readonly client: McpClient,
    private readonly transactions: Transactions,
  ) {}

  /** @throws McpServerNotFoundError */
  async list(userId: number, serverId: number): Promise<NamedMcpTool[]> {
    await this.servers.get(userId, serverId);
    return this.tools.listOf(userId, serverId);
  }

  /**
   * Asks the server for its tools. New and changed ones are not allowed before their owner says so.
   *
   * @throws McpServerNotFoundError, McpServerFailedError
   */
  async refresh(userId: number, serverId: number): Promise<McpServerDetails> {
    const server = await this.servers.get(userId, serverId);
    const intake = await this.listed(server);
    await this.transactions.run(async (tx) => {
      // It may have been deleted or moved in the meantime; then the list is discarded.
      const current = await this.listings.findLocked(userId, serverId, tx);
      if (current?.url !== server.url) return;
      await this.tools.replace(userId, serverId, intake.tools, tx);
      await this.listings.keepListing(userId, serverId, { error: null, leftOut: intake.leftOut }, tx);
    });
    return this.servers.get(userId, serverId);
  }

  /**
   * Allows the definition that the owner has seen, or takes the permission back.
   *
   * @param definitionHash of what was seen; null takes back
   * @throws McpToolNotFoundError, McpToolChangedError
   */
  async allow(
    userId: number,
    serverId: number,
    id: number,
    definitionHash: string | null,
  ): Promise<NamedMcpTool> {
    await this.getTool(userId, serverId, id);
    if (definitionHash === null) await this.tools.disallow(userId, id);
    else if (!(await this.tools.allow(userId, id, definitionHash))) throw new McpToolChangedError();
    return this.getTool(userId, serverId, id);
  }

  /** The tools of an assistant, whether they may be used now or not. The assistant is the caller's. */
  ofAssistant(userId: number, assistantId: number): Promise<NamedMcpTool[]> {
    return this.tools.ofAssistant(userId, assistantId);
  }

  /** @throws ValidationFailedError when one of the tools is not the caller's */
  async attach(userId: number, assistantId: number, toolIds: readonly number[]): Promise<NamedMcpTool[]> {
    await this.transactions.run(async (tx) => {
      if (!(await this.tools.attach(userId, assistantId, toolIds, tx)))
        throw ValidationFailedError.of('tool_ids', 'validation.exists');
    });
    return this.tools.ofAssistant(userId, assistantId);
  }

  /** Gives one assistant the tools of another one of the same account. */
  copy(fromAssistantId: number, toAssistantId: number, tx: Tx): Promise<void> {
    return this.tools.copy(fromAssistantId, toAssistantId, tx);
  }

  private async getTool(userId: number, serverId: number, id: number): Promise<NamedMcpTool> {
    return (await this.tools.find(userId, serverId, id)) ?? McpToolNotFoundError.throw();
  }

  private async listed(server: McpServerDetails): Promise<ToolIntake> {
    const intake = new ToolIntake(server.name);
    let pages = 0;
    try {
      await this.client.list({ ...endpointOf(server), timeoutMs: LIST_TIMEOUT_MS }, ({ tools }) => {
        intake.take(tools);
        return intake.isFull || ++pages === MAX_LIST_PAGES;
      });
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      await this.listings.keepListing(server.userId, server.id, { error, leftOut: [] });
      throw new McpServerFailedError(error.message);
    }
    return intake;
  }
}

/** Whether assistants may use it: allowed in the definition that it has, and still offered. */
export function isUsable({ allowedHash, definitionHash, isListed }: NamedMcpTool): boolean {
  return isListed && allowedHash === definitionHash;
}
