import { applyDecorators, Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiReply, MessageResponse } from '../../../common/http/api-docs.js';
import { UuidParam } from '../../../common/http/id-param.js';
import { CurrentAddress, PageAddress } from '../../../common/http/page.js';
import { done, reply } from '../../../common/http/reply.js';
import { Unaudited } from '../../../common/http/unaudited.js';
import { Idempotent } from '../../idempotency/idempotent.js';
import { ConversationOpeningsService } from '../conversation-openings.service.js';
import {
  ListConversationsQuery,
  SendMessageRequest,
  TestConversationRequest,
  ThreadQuery,
  threadRequestOf,
} from '../dto/conversation.request.js';
import {
  AgentMessageResponse,
  ThreadResponse,
  toAgentMessageResponse,
  toThreadResponse,
} from '../dto/thread.response.js';
import {
  ConversationItemResponse,
  ConversationListResponse,
  toConversationItem,
  toListResponse,
} from '../dto/conversation-item.response.js';
import { TestConversationResponse, toTestConversationResponse } from '../dto/conversation.response.js';
import { listRequestOf } from '../dto/list-filter.js';
import { InboxService } from './inbox.service.js';

/** Something a person does in a conversation, which is answered as it is afterwards. */
const Action = (name: string, operationId: string, summary: string) =>
  applyDecorators(
    Post(`:uuid/${name}`),
    ApiOperation({ operationId, summary }),
    ApiReply(ConversationItemResponse),
  );

/** What the people of a tenant see of its conversations, and do in them. */
@ApiTags('Conversations')
@ForUser()
@Controller('user/conversations')
export class InboxController {
  constructor(
    private readonly inbox: InboxService,
    private readonly openings: ConversationOpeningsService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listConversations',
    summary: 'List the conversations, newest first unless sorted otherwise',
  })
  @ApiOk(ConversationListResponse)
  async list(
    @Caller() caller: Principal,
    @Query() query: ListConversationsQuery,
    @CurrentAddress() address: PageAddress,
  ) {
    const request = listRequestOf(query, caller);
    return toListResponse(await this.inbox.list(caller.userId, request), request, address.path);
  }

  @Post()
  @ApiOperation({
    operationId: 'openTestConversation',
    summary: 'Open a free test conversation with an assistant',
  })
  @ApiReply(TestConversationResponse, 201)
  @ApiMessageErrors(404)
  async openTest(@Caller() { userId }: Principal, @Body() body: TestConversationRequest) {
    return reply(
      'conversations.opened',
      toTestConversationResponse(await this.openings.openTestWith(userId, body.assistant_id, body.variables)),
    );
  }

  @Get(':uuid')
  @ApiOperation({
    operationId: 'getInboxConversation',
    summary: 'Read what the list shows of a conversation',
  })
  @ApiOk(ConversationItemResponse)
  async get(@Caller() { userId }: Principal, @UuidParam() uuid: string) {
    return toConversationItem(await this.inbox.get(userId, uuid));
  }

  @Get(':uuid/messages')
  @ApiOperation({
    operationId: 'listMessages',
    summary: 'Read the messages of a conversation',
    description:
      'The last ones; with `before`, those before a message; with `after` alone, the first ones after it.',
  })
  @ApiOk(ThreadResponse)
  async thread(@Caller() { userId }: Principal, @UuidParam() uuid: string, @Query() query: ThreadQuery) {
    return toThreadResponse(await this.inbox.thread(userId, uuid, threadRequestOf(query)));
  }

  @Post(':uuid/messages')
  @Idempotent()
  @ApiOperation({
    operationId: 'sendAgentMessage',
    summary: 'Write as a person, and take the conversation over with it',
    description:
      'The AI is off from then on, and a conversation that had ended is open again. An answer the AI is working on is ' +
      'dropped and costs nothing.',
  })
  @ApiReply(AgentMessageResponse, 201)
  async send(
    @Caller() caller: Principal,
    @UuidParam() uuid: string,
    @Body() { message }: SendMessageRequest,
  ) {
    return reply(
      'conversations.message_sent',
      toAgentMessageResponse(await this.inbox.reply(caller, uuid, message)),
    );
  }

  @Action('takeover', 'takeOverConversation', 'Switch the AI off and drop an answer it is working on')
  async takeOver(@Caller() caller: Principal, @UuidParam() uuid: string) {
    return reply('conversations.taken_over', toConversationItem(await this.inbox.takeOver(caller, uuid)));
  }

  @Action('handback', 'handBackConversation', 'Let the AI answer again, from the next message on')
  async handBack(@Caller() { userId }: Principal, @UuidParam() uuid: string) {
    return reply('conversations.handed_back', toConversationItem(await this.inbox.handBack(userId, uuid)));
  }

  @Action('close', 'closeConversation', 'End the conversation')
  async close(@Caller() { userId }: Principal, @UuidParam() uuid: string) {
    return reply('conversations.closed', toConversationItem(await this.inbox.close(userId, uuid)));
  }

  @Action('reopen', 'reopenConversation', 'Open the conversation again, as it was before a person closed it')
  async reopen(@Caller() { userId }: Principal, @UuidParam() uuid: string) {
    return reply('conversations.reopened', toConversationItem(await this.inbox.reopen(userId, uuid)));
  }

  @Unaudited()
  @Action('read', 'markConversationRead', 'Say that a person has read everything')
  async read(@Caller() { userId }: Principal, @UuidParam() uuid: string) {
    return reply('conversations.marked_read', toConversationItem(await this.inbox.markRead(userId, uuid)));
  }

  @Unaudited()
  @Action('unread', 'markConversationUnread', 'Mark a conversation as unread')
  async unread(@Caller() { userId }: Principal, @UuidParam() uuid: string) {
    return reply(
      'conversations.marked_unread',
      toConversationItem(await this.inbox.markUnread(userId, uuid)),
    );
  }

  @Unaudited()
  @Post(':uuid/typing')
  @ApiOperation({ operationId: 'showTyping', summary: 'Let the customer know that a person types' })
  @ApiOk(MessageResponse)
  async typing(@Caller() { userId }: Principal, @UuidParam() uuid: string) {
    await this.inbox.showTyping(userId, uuid);
    return done('conversations.typing_shown');
  }
}
