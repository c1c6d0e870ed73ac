import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiPage, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { CurrentAddress, type PageAddress, pageRequestOf, toPageResponse } from '../../common/http/page.js';
import { done, reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { AssistantNumbersService } from './numbers/assistant-numbers.service.js';
import { AssistantChangesService } from './assistant-changes.service.js';
import { AssistantCopiesService } from './assistant-copies.service.js';
import { AssistantDeletionService } from './deletion/assistant-deletion.service.js';
import { AssistantsService } from './assistants.service.js';
import {
  AssistantNumberResponse,
  AssistantResponse,
  AssistantSummaryResponse,
  OutboundAssistantResponse,
  toAssistantNumberResponse,
  toAssistantResponse,
  toAssistantSummary,
  toOutboundAssistantResponse,
} from './dto/assistant.response.js';
import { AssistantNumbersQuery, AssistantsQuery } from './dto/assistants.query.js';
import { BUILT_IN_TOOL_FORMS } from './dto/built-in-tool.request.js';
import { CopyAssistantRequest } from './dto/copy-assistant.request.js';
import { CreateAssistantRequest } from './dto/create-assistant.request.js';
import { UpdateAssistantRequest } from './dto/update-assistant.request.js';

const DEFAULT_PER_PAGE = 10;

@ApiTags('Assistants')
@ApiExtraModels(...BUILT_IN_TOOL_FORMS)
@ForUser()
@Controller('user')
export class AssistantsController {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly changes: AssistantChangesService,
    private readonly copies: AssistantCopiesService,
    private readonly deletion: AssistantDeletionService,
    private readonly numbers: AssistantNumbersService,
  ) {}

  @Get('assistants')
  @ApiOperation({ operationId: 'listAssistants', summary: 'List the assistants, the newest 500' })
  @ApiOk(AssistantResponse, { isArray: true })
  async list(@Caller() caller: Principal) {
    const assistants = await this.assistants.list(caller.userId);
    return assistants.map((assistant) => toAssistantResponse(assistant, caller));
  }

  @Get('assistants/get')
  @ApiOperation({ operationId: 'pageAssistants', summary: 'List the assistants by pages, the newest first' })
  @ApiPage(AssistantResponse)
  async page(
    @Caller() caller: Principal,
    @Query() query: AssistantsQuery,
    @CurrentAddress() address: PageAddress,
  ) {
    return toPageResponse(
      await this.assistants.page(caller.userId, query.type, pageRequestOf(query, DEFAULT_PER_PAGE)),
      pageRequestOf(query, DEFAULT_PER_PAGE),
      address,
      (assistant) => toAssistantResponse(assistant, caller),
    );
  }

  @Get('assistants/outbound')
  @ApiOperation({
    operationId: 'listOutboundAssistants',
    summary: 'List the outbound assistants, the newest 500',
  })
  @ApiOk(OutboundAssistantResponse, { isArray: true })
  async listOutbound(@Caller() caller: Principal) {
    const assistants = await this.assistants.list(caller.userId, 'outbound');
    return assistants.map((assistant) => toOutboundAssistantResponse(assistant, caller));
  }

  @Get('assistants/phone-numbers')
  @ApiOperation({ operationId: 'listAssistantPhoneNumbers', summary: 'List the numbers for assistants' })
  @ApiOk(AssistantNumberResponse, { isArray: true })
  async listNumbers(@Caller() { userId }: Principal, @Query() { type }: AssistantNumbersQuery) {
    return (await this.numbers.list(userId, type)).map(toAssistantNumberResponse);
  }

  @Post('assistant')
  @Idempotent()
  @ApiOperation({ operationId: 'createAssistant', summary: 'Create an assistant' })
  @ApiReply(AssistantSummaryResponse, 201)
  async create(@Caller() { userId }: Principal, @Body() body: CreateAssistantRequest) {
    return reply('assistants.created', toAssistantSummary(await this.changes.create(userId, body)));
  }

  @Get('assistant/:id')
  @ApiOperation({ operationId: 'getAssistant', summary: 'Read an assistant' })
  @ApiOk(AssistantResponse)
  async get(@Caller() caller: Principal, @IdParam() id: number) {
    return toAssistantResponse(await this.assistants.get(caller.userId, id), caller);
  }

  @Put('assistant/:id')
  @ReadBack(AssistantResponse)
  @ApiOperation({ operationId: 'updateAssistant', summary: 'Change the fields that are sent' })
  @ApiReply(AssistantSummaryResponse)
  async update(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: UpdateAssistantRequest) {
    return reply('assistants.updated', toAssistantSummary(await this.changes.update(userId, id, body)));
  }

  @Post('assistant/:id/copy')
  @Idempotent()
  @ApiOperation({
    operationId: 'copyAssistant',
    summary: 'Copy an assistant with its settings and tools; the copy is inactive and has no number',
  })
  @ApiReply(AssistantSummaryResponse, 201)
  async copy(@Caller() { userId }: Principal, @IdParam() id: number, @Body() { name }: CopyAssistantRequest) {
    return reply('assistants.created', toAssistantSummary(await this.copies.copy(userId, id, name)));
  }

  @Delete('assistant/:id')
  @ApiOperation({ operationId: 'deleteAssistant', summary: 'Delete an assistant' })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.deletion.delete(userId, id);
    return done('assistants.deleted');
  }
}
