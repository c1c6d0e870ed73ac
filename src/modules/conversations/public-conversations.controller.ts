import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { MaybeUser } from '../../common/auth/guards.js';
import { ApiAnswerOrEvents, ApiBody200, ApiInvalid, ApiStatusErrors } from '../../common/http/api-docs.js';
import { UuidParam } from '../../common/http/id-param.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { OpenStreamsService } from '../../common/limits/open-streams.service.js';
import { LimitPerConversation } from '../../common/limits/rate-limits.guard.js';
import { CurrentVisitor } from '../visitors/current-visitor.js';
import type { Visitor } from '../visitors/visitor.js';
import { ChatService } from './chat.service.js';
import { ConversationOpeningsService } from './conversation-openings.service.js';
import { ConversationsService } from './conversations.service.js';
import {
  CreateConversationRequest,
  SendMessageRequest,
  toNewConversation,
} from './dto/conversation.request.js';
import {
  ChallengeResponse,
  ConversationResponse,
  CreatedConversationResponse,
  ReplyResponse,
  toChallengeResponse,
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
    private readonly openings: ConversationOpeningsService,
    private readonly chat: ChatService,
    private readonly streams: OpenStreamsService,
  ) {}

  @Post()
  @HttpCode(200)
  @MaybeUser()
  @ApiOperation({ operationId: 'createConversation', summary: 'Open a conversation with an assistant' })
  @ApiBody200(CreatedConversationResponse)
  @ApiStatusErrors(400, 401, 403, 404)
  @ApiInvalid()
  async create(@CurrentVisitor() visitor: Visitor, @Body() body: CreateConversationRequest) {
    return toCreatedResponse(await this.openings.open(visitor, toNewConversation(body)));
  }

  @Post('challenges/:uuid')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'createChallenge',
    summary: 'Get a challenge of an assistant, by its uuid',
    description: 'Its solution opens one conversation with this assistant, within ten minutes.',
  })
  @ApiBody200(ChallengeResponse)
  @ApiStatusErrors(403, 404)
  async challenge(@CurrentVisitor() visitor: Visitor, @UuidParam() uuid: string) {
    return toChallengeResponse(await this.openings.issueChallenge(visitor, uuid));
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
  @ApiStatusErrors(400, 403, 404)
  @ApiInvalid()
  send(
    @UuidParam() uuid: string,
    @Body() body: SendMessageRequest,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return respondWithTurn(
      request,
      response,
      this.chat.modelProvider,
      (listener) => this.chat.send(uuid, body.message, visitor, listener),
      async () => this.streams.admit(request, response, await this.chat.ownerOf(uuid)),
    );
  }
}
