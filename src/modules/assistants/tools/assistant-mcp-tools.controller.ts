import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { AssistantMcpToolsRequest } from '../../mcp-servers/dto/mcp-server.request.js';
import { McpToolResponse, toMcpToolResponse } from '../../mcp-servers/dto/mcp-server.response.js';
import { AssistantMcpToolsService } from './assistant-mcp-tools.service.js';

@ApiTags('MCP servers')
@ForUser()
@Controller('user/assistant/:id/mcp-tools')
export class AssistantMcpToolsController {
  constructor(private readonly tools: AssistantMcpToolsService) {}

  @Get()
  @ApiOperation({ operationId: 'listAssistantMcpTools', summary: 'List the MCP tools of an assistant' })
  @ApiOk(McpToolResponse, { isArray: true })
  async list(@Caller() { userId }: Principal, @IdParam() id: number) {
    return (await this.tools.list(userId, id)).map(toMcpToolResponse);
  }

  @Put()
  @ApiOperation({
    operationId: 'setAssistantMcpTools',
    summary: 'Give an assistant MCP tools, in place of those it has; it uses those that are allowed',
  })
  @ApiOk(McpToolResponse, { isArray: true })
  async set(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: AssistantMcpToolsRequest) {
    return (await this.tools.set(userId, id, body.tool_ids)).map(toMcpToolResponse);
  }
}
