import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiBody200, ApiInvalid, ApiMessageErrors, ApiReply } from '../../common/http/api-docs.js';
import { UuidParam } from '../../common/http/id-param.js';
import { CurrentAddress, PageAddress } from '../../common/http/page.js';
import { reply } from '../../common/http/reply.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { ConversationsService } from './conversations.service.js';
import { ListConversationsQuery, SendMessageRequest } from './dto/conversation.request.js';
import {
  AgentMessageResponse,
  ConversationListResponse,
  toAgentMessageResponse,
  toListResponse,
} from './dto/conversation.response.js';
import { decodeCursor } from './dto/cursor.js';
import { filterOf } from './dto/list-filter.js';

const DEFAULT_PER_PAGE = 15;

/** What the tenant sees of its conversations. */
@ApiTags('Conversations')
@ForUser()
@Controller('user/conversations')
export class UserConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Get()
  @ApiOperation({ operationId: 'listConversations', summary: 'List the conversations, newest first' })
  @ApiBody200(ConversationListResponse)
  @ApiMessageErrors(401)
  @ApiInvalid()
  async list(
    @Caller() { userId }: Principal,
    @Query() query: ListConversationsQuery,
    @CurrentAddress() address: PageAddress,
  ) {
    const perPage = query.per_page ?? DEFAULT_PER_PAGE;
    const slice = await this.conversations.list(userId, filterOf(query), perPage, decodeCursor(query.cursor));
    return toListResponse(slice, perPage, address.path);
  }

  @Post(':uuid/messages')
  @HttpCode(201)
  @Idempotent()
  @ApiOperation({
    operationId: 'sendAgentMessage',
    summary: "Write as the tenant's own agent, during a takeover",
  })
  @ApiReply(AgentMessageResponse, 201)
  @ApiMessageErrors(401, 404)
  @ApiInvalid()
  async send(
    @Caller() { userId }: Principal,
    @UuidParam() uuid: string,
    @Body() { message }: SendMessageRequest,
  ) {
    return reply(
      'conversations.message_sent',
      toAgentMessageResponse(await this.conversations.addAgentMessage(userId, uuid, message)),
    );
  }
}
