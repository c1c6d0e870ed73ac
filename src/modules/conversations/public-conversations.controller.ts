import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ForVisitors, MaybeUser } from '../../common/auth/guards.js';
import { ApiAnswerOrEvents, ApiOk, ApiEvents, ApiStatusErrors } from '../../common/http/api-docs.js';
import { UuidParam } from '../../common/http/id-param.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { OpenStreamsService } from '../../common/limits/open-streams.service.js';
import { LimitPerConversation } from '../../common/limits/rate-limits.guard.js';
import { LiveStreamsService } from '../../common/live/live-streams.service.js';
import { CurrentVisitor } from '../visitors/current-visitor.js';
import type { Visitor } from '../visitors/visitor.js';
import { ChatService } from './turns/chat.service.js';
import { ConversationOpeningsService } from './conversation-openings.service.js';
import { ConversationsService } from './conversations.service.js';
import {
  CreateConversationRequest,
  SendMessageRequest,
  ThreadQuery,
  threadRequestOf,
  toNewConversation,
} from './dto/conversation.request.js';
import { ChallengeResponse, toChallengeResponse } from './dto/challenge.response.js';
import {
  ConversationResponse,
  CreatedConversationResponse,
  ReplyResponse,
  StatusResponse,
  toConversationResponse,
  toCreatedResponse,
} from './dto/conversation.response.js';
import { PublicThreadResponse, toPublicThreadResponse } from './dto/thread.response.js';
import { respondWithTurn } from './turns/turn-response.js';

/** What a chat widget calls: no token, the conversation's UUID is the capability. */
@ApiTags('Conversations')
@Controller('conversations')
export class PublicConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly openings: ConversationOpeningsService,
    private readonly chat: ChatService,
    private readonly streams: OpenStreamsService,
    private readonly live: LiveStreamsService,
  ) {}

  @Post()
  @MaybeUser()
  @ApiOperation({ operationId: 'createConversation', summary: 'Open a conversation with an assistant' })
  @ApiOk(CreatedConversationResponse)
  @ApiStatusErrors(400, 403, 404)
  async create(@CurrentVisitor() visitor: Visitor, @Body() body: CreateConversationRequest) {
    return toCreatedResponse(await this.openings.open(visitor, toNewConversation(body)));
  }

  @Post('challenges/:uuid')
  @ForVisitors()
  @ApiOperation({
    operationId: 'createChallenge',
    summary: 'Get a challenge of an assistant, by its uuid',
    description: 'Its solution opens one conversation with this assistant, within ten minutes.',
  })
  @ApiOk(ChallengeResponse)
  @ApiStatusErrors(403)
  async challenge(@CurrentVisitor() visitor: Visitor, @UuidParam() uuid: string) {
    return toChallengeResponse(await this.openings.issueChallenge(visitor, uuid));
  }

  @Get(':uuid')
  @ApiOperation({ operationId: 'getConversation', summary: 'Read a conversation with its history' })
  @ApiOk(ConversationResponse)
  async get(@UuidParam() uuid: string) {
    return toConversationResponse(await this.conversations.read(uuid));
  }

  @Get(':uuid/messages')
  @ApiOperation({
    operationId: 'readMessages',
    summary: 'Read the messages of a conversation, with who wrote them',
    description:
      'The last ones; with `before`, those before a message; with `after` alone, the first ones after it.',
  })
  @ApiOk(PublicThreadResponse)
  async thread(@UuidParam() uuid: string, @Query() query: ThreadQuery) {
    return toPublicThreadResponse(await this.conversations.thread(uuid, threadRequestOf(query)));
  }

  @Post(':uuid/messages')
  @ForVisitors()
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
  @ApiStatusErrors(400, 403)
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
      () => this.chat.modelProviderOf(uuid),
      (listener) => this.chat.send(uuid, body.message, visitor, listener),
      async () => this.streams.admit(request, response, await this.chat.ownerOf(uuid)),
    );
  }

  @Post(':uuid/typing')
  @ForVisitors()
  @ApiOperation({
    operationId: 'showCustomerTyping',
    summary: "Let the assistant's people know that the customer types",
  })
  @ApiOk(StatusResponse)
  @ApiStatusErrors(403)
  async typing(@UuidParam() uuid: string) {
    await this.conversations.showTyping(uuid);
    return { status: true };
  }

  @Get(':uuid/events')
  @ApiOperation({
    operationId: 'watchConversation',
    summary: 'Hear what changes in a conversation, as events',
    description:
      'Each event is a hint `{type, ids}`: `message` with ids of messages, `state` (a person or the AI answers from now on, ' +
      'or the end), `typing` (a person types), and `resync` where hints may have been missed, also at the beginning. An ' +
      'event `heartbeat` comes every 20 seconds. It ends after a quarter of an hour, and when the server stops; connect again.',
  })
  @ApiEvents('{"type":"message","ids":[4711]}')
  @ApiStatusErrors(406)
  watch(@UuidParam() uuid: string, @Req() request: Request, @Res() response: Response) {
    return this.live.open(request, response, async () => {
      this.streams.admitVisitor(request, response, await this.chat.ownerOf(uuid), uuid);
      return `conversation ${uuid}`;
    });
  }
}
