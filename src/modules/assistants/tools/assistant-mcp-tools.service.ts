import { Injectable } from '@nestjs/common';
import { McpToolsService } from '../../mcp-servers/mcp-tools.service.js';
import { AssistantsService } from '../assistants.service.js';

type AttachedTools = Awaited<ReturnType<McpToolsService['ofAssistant']>>;

/** Which tools of MCP servers an assistant has. */
@Injectable()
export class AssistantMcpToolsService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly tools: McpToolsService,
  ) {}

  /** @throws AssistantNotFoundError */
  async list(userId: number, assistantId: number): Promise<AttachedTools> {
    await this.assistants.get(userId, assistantId);
    return this.tools.ofAssistant(userId, assistantId);
  }

  /** @throws AssistantNotFoundError, ValidationFailedError */
  async set(userId: number, assistantId: number, toolIds: readonly number[]): Promise<AttachedTools> {
    await this.assistants.get(userId, assistantId);
    return this.tools.attach(userId, assistantId, toolIds);
  }
}
