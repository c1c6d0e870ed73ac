import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { MaybeUser } from '../../common/auth/guards.js';
import { MaybeCaller, type Principal } from '../../common/auth/principal.js';
import { ApiAnswerOrEvents, ApiBody200, ApiInvalid, ApiStatusErrors } from '../../common/http/api-docs.js';
import { UuidParam } from '../../common/http/id-param.js';
import { Idempotent } from '../../common/idempotency/idempotent.js';
import { LimitPerConversation } from '../../common/limits/rate-limits.guard.js';
import { ChatService } from './chat.service.js';
import { ConversationsService } from './conversations.service.js';
import { CreateConversationRequest, SendMessageRequest } from './dto/conversation.request.js';
import {
  ConversationResponse,
  CreatedConversationResponse,
  ReplyResponse,
  toConversationResponse,
  toCreatedResponse,
} from './dto/conversation.response.js';
import { respondWithTurn } from './turn-response.js';

/** What a chat widget calls: no token, the conversation's UUID is the capability. */
@ApiTags('Conversations')
@Controller('conversations')
export class PublicConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly chat: ChatService,
  ) {}

  @Post()
  @HttpCode(200)
  @MaybeUser()
  @ApiOperation({ operationId: 'createConversation', summary: 'Open a conversation with an assistant' })
  @ApiBody200(CreatedConversationResponse)
  @ApiStatusErrors(400, 401, 404)
  @ApiInvalid()
  async create(@MaybeCaller() caller: Principal | null, @Body() body: CreateConversationRequest) {
    return toCreatedResponse(
      await this.conversations.create(caller?.userId ?? null, {
        assistantUuid: body.assistant_id,
        type: body.type ?? 'widget',
        variables: body.variables ?? {},
      }),
    );
  }

  @Get(':uuid')
  @ApiOperation({ operationId: 'getConversation', summary: 'Read a conversation with its history' })
  @ApiBody200(ConversationResponse)
  @ApiStatusErrors(404)
  async get(@UuidParam() uuid: string) {
    return toConversationResponse(await this.conversations.read(uuid));
  }

  @Post(':uuid/messages')
  @HttpCode(200)
  @LimitPerConversation()
  @Idempotent()
  @ApiOperation({
    operationId: 'sendMessage',
    summary: 'Send a message and get the answer',
    description:
      'With `Accept: text/event-stream` the answer comes as events while it is made: `token` {delta}, `function_call`, ' +
      '`restart` (begin again), then `done` with the JSON answer, or `error`.',
  })
  @ApiAnswerOrEvents(ReplyResponse)
  @ApiStatusErrors(400, 404)
  @ApiInvalid()
  send(
    @UuidParam() uuid: string,
    @Body() body: SendMessageRequest,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return respondWithTurn(request, response, this.chat.modelProvider, (listener) =>
      this.chat.send(uuid, body.message, listener),
    );
  }
}
