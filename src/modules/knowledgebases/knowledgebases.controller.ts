import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import {
  ApiOk,
  ApiData,
  ApiDataList,
  ApiErrorBody,
  ApiReply,
  MessageResponse,
} from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { done, reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Idempotent } from '../idempotency/idempotent.js';
import {
  CreateKnowledgebaseRequest,
  SearchKnowledgebaseRequest,
  UpdateKnowledgebaseRequest,
} from './dto/knowledgebase.request.js';
import {
  CreatedKnowledgebaseResponse,
  KnowledgebaseResponse,
  toCreatedKnowledgebase,
  toKnowledgebaseResponse,
  toUpdatedKnowledgebase,
  UpdatedKnowledgebaseResponse,
} from './dto/knowledgebase.response.js';
import { PassageResponse, toPassageResponse } from './dto/passage.response.js';
import { KnowledgebasesService } from './knowledgebases.service.js';
import { KnowledgeService } from './retrieval/knowledge.service.js';

@ApiTags('Knowledge bases')
@ForUser()
@Controller('user/knowledgebases')
export class KnowledgebasesController {
  constructor(
    private readonly knowledgebases: KnowledgebasesService,
    private readonly knowledge: KnowledgeService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listKnowledgebases', summary: 'List the knowledge bases' })
  @ApiDataList(KnowledgebaseResponse)
  async list(@Caller() { userId }: Principal) {
    return { data: (await this.knowledgebases.list(userId)).map(toKnowledgebaseResponse) };
  }

  @Post()
  @Idempotent()
  @ApiOperation({ operationId: 'createKnowledgebase', summary: 'Create an empty knowledge base' })
  @ApiReply(CreatedKnowledgebaseResponse, 201)
  @ApiErrorBody(422)
  async create(@Caller() { userId }: Principal, @Body() body: CreateKnowledgebaseRequest) {
    return reply(
      'knowledgebases.created',
      toCreatedKnowledgebase(await this.knowledgebases.create(userId, body)),
    );
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getKnowledgebase', summary: 'Read a knowledge base' })
  @ApiData(KnowledgebaseResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return { data: toKnowledgebaseResponse(await this.knowledgebases.get(userId, id)) };
  }

  @Put(':id')
  @ReadBack(KnowledgebaseResponse)
  @ApiOperation({
    operationId: 'updateKnowledgebase',
    summary: 'Change name or description; documents and their processing are not affected',
  })
  @ApiReply(UpdatedKnowledgebaseResponse)
  async update(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() body: UpdateKnowledgebaseRequest,
  ) {
    return reply(
      'knowledgebases.updated',
      toUpdatedKnowledgebase(await this.knowledgebases.update(userId, id, body)),
    );
  }

  @Post(':id/search')
  @ApiOperation({
    operationId: 'searchKnowledgebase',
    summary: 'Try a question: the passages that an assistant would be given, best first',
  })
  @ApiDataList(PassageResponse)
  async search(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() { query }: SearchKnowledgebaseRequest,
  ) {
    return { data: (await this.knowledge.ask(userId, id, query)).map(toPassageResponse) };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteKnowledgebase',
    summary: 'Delete a knowledge base with all its documents; assistants that used it go on without',
  })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.knowledgebases.delete(userId, id);
    return done('knowledgebases.deleted');
  }
}
