import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { done, reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Idempotent } from '../idempotency/idempotent.js';
import {
  AllowMcpToolRequest,
  CreateMcpServerRequest,
  UpdateMcpServerRequest,
} from './dto/mcp-server.request.js';
import {
  McpServerResponse,
  McpToolResponse,
  toMcpServerResponse,
  toMcpToolResponse,
} from './dto/mcp-server.response.js';
import { McpServersService } from './mcp-servers.service.js';
import { McpToolsService } from './mcp-tools.service.js';

@ApiTags('MCP servers')
@ForUser()
@Controller('user/mcp-servers')
export class McpServersController {
  constructor(
    private readonly servers: McpServersService,
    private readonly tools: McpToolsService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listMcpServers', summary: 'List the MCP servers' })
  @ApiOk(McpServerResponse, { isArray: true })
  async list(@Caller() caller: Principal) {
    return (await this.servers.list(caller.userId)).map((server) => toMcpServerResponse(server, caller));
  }

  @Post()
  @Idempotent()
  @ApiOperation({
    operationId: 'createMcpServer',
    summary: 'Register an MCP server; refresh it to see its tools',
  })
  @ApiReply(McpServerResponse, 201)
  @ApiMessageErrors(422)
  async create(@Caller() caller: Principal, @Body() body: CreateMcpServerRequest) {
    const server = await this.servers.create(caller.userId, body);
    return reply('mcp_servers.created', toMcpServerResponse(server, caller));
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getMcpServer', summary: 'Read an MCP server' })
  @ApiOk(McpServerResponse)
  async get(@Caller() caller: Principal, @IdParam() id: number) {
    return toMcpServerResponse(await this.servers.get(caller.userId, id), caller);
  }

  @Put(':id')
  @ReadBack(McpServerResponse)
  @ApiOperation({
    operationId: 'updateMcpServer',
    summary: 'Change the fields that are sent; with another address its tools have to be allowed again',
  })
  @ApiReply(McpServerResponse)
  async update(@Caller() caller: Principal, @IdParam() id: number, @Body() body: UpdateMcpServerRequest) {
    const server = await this.servers.update(caller.userId, id, body);
    return reply('mcp_servers.updated', toMcpServerResponse(server, caller));
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteMcpServer',
    summary: 'Delete an MCP server and take its tools from all assistants',
  })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.servers.delete(userId, id);
    return done('mcp_servers.deleted');
  }

  @Post(':id/refresh')
  @ApiOperation({
    operationId: 'refreshMcpServer',
    summary: 'Ask the server for its tools; new and changed ones wait to be allowed',
  })
  @ApiReply(McpServerResponse)
  @ApiMessageErrors(400)
  async refresh(@Caller() caller: Principal, @IdParam() id: number) {
    const server = await this.tools.refresh(caller.userId, id);
    return reply('mcp_servers.refreshed', toMcpServerResponse(server, caller));
  }

  @Get(':serverId/mcp-tools')
  @ApiOperation({ operationId: 'listMcpTools', summary: 'List the tools of an MCP server' })
  @ApiOk(McpToolResponse, { isArray: true })
  async listTools(
    @Caller() { userId }: Principal,
    @IdParam('serverId', 'Id of the MCP server') serverId: number,
  ) {
    return (await this.tools.list(userId, serverId)).map(toMcpToolResponse);
  }

  @Put(':serverId/mcp-tools/:id')
  @ApiOperation({
    operationId: 'allowMcpTool',
    summary: 'Allow a tool in the definition that was looked at, or take that back',
  })
  @ApiReply(McpToolResponse)
  @ApiMessageErrors(409)
  async allow(
    @Caller() { userId }: Principal,
    @IdParam('serverId', 'Id of the MCP server') serverId: number,
    @IdParam() id: number,
    @Body() { allowed, definition_hash: hash = '' }: AllowMcpToolRequest,
  ) {
    const tool = await this.tools.allow(userId, serverId, id, allowed ? hash : null);
    return reply('mcp_servers.tool_updated', toMcpToolResponse(tool));
  }
}
