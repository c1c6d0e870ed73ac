import { Body, Controller, Delete, Get, Post, Put, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiData, ApiMessageErrors, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { JsonHeadersGuard } from '../../common/http/requests/json-headers.guard.js';
import { done, reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { CreateToolRequest, UpdateToolRequest } from './dto/tool.request.js';
import { TestToolRequest } from './dto/tool-test.request.js';
import { ToolTestResponse, toToolTestResponse } from './dto/tool-test.response.js';
import { ToolResponse, toToolResponse } from './dto/tool.response.js';
import { ToolTestsService } from './tool-tests.service.js';
import { ToolsService } from './tools.service.js';

@ApiTags('Mid-call tools')
@ForUser()
@Controller('user/tools')
export class ToolsController {
  constructor(
    private readonly tools: ToolsService,
    private readonly tests: ToolTestsService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listTools', summary: 'List the mid-call tools' })
  @ApiOk(ToolResponse, { isArray: true })
  async list(@Caller() caller: Principal) {
    return (await this.tools.list(caller.userId)).map((tool) => toToolResponse(tool, caller));
  }

  @Post()
  @Idempotent()
  @ApiOperation({ operationId: 'createTool', summary: 'Create a mid-call tool' })
  @ApiReply(ToolResponse, 201)
  @ApiMessageErrors(422)
  async create(@Caller() caller: Principal, @Body() body: CreateToolRequest) {
    return reply('tools.created', toToolResponse(await this.tools.create(caller.userId, body), caller));
  }

  @Get(':id')
  @UseGuards(JsonHeadersGuard)
  @ApiOperation({
    operationId: 'getTool',
    summary: 'Read a mid-call tool; Content-Type and Accept must be JSON',
    description:
      'This route asks for the headers `Content-Type: application/json` and `Accept: application/json`, though the request has ' +
      'no body. They are not listed as parameters, because OpenAPI ignores parameters of these names.',
  })
  @ApiOk(ToolResponse)
  @ApiMessageErrors(406, 415)
  async get(@Caller() caller: Principal, @IdParam() id: number) {
    return toToolResponse(await this.tools.get(caller.userId, id), caller);
  }

  @Put(':id')
  @ReadBack(ToolResponse)
  @ApiOperation({ operationId: 'updateTool', summary: 'Change the fields that are sent' })
  @ApiReply(ToolResponse)
  async update(@Caller() caller: Principal, @IdParam() id: number, @Body() body: UpdateToolRequest) {
    return reply('tools.updated', toToolResponse(await this.tools.update(caller.userId, id, body), caller));
  }

  @Post(':id/test')
  @ApiOperation({
    operationId: 'testTool',
    summary: 'Call a mid-call tool once, as an assistant would, and see what comes back',
    description:
      'The request is really sent, with the headers of the tool, and within its time limit. Every outcome is an ' +
      'answer with 200.',
  })
  @ApiData(ToolTestResponse)
  async test(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: TestToolRequest) {
    return { data: toToolTestResponse(await this.tests.run(userId, id, body)) };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteTool',
    summary: 'Delete a mid-call tool and detach it from all assistants',
  })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.tools.delete(userId, id);
    return done('tools.deleted');
  }
}
