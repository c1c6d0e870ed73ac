import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, ApiReply } from '../../../common/http/api-docs.js';
import { UuidParam } from '../../../common/http/id-param.js';
import { reply } from '../../../common/http/reply.js';
import { ReadBack } from '../../../common/http/requests/read-back.js';
import {
  AssigneeRequest,
  AssigneeResponse,
  AssigneesResponse,
  assignmentOf,
  toAssigneeResponse,
} from '../dto/assignee.js';
import { ConversationItemResponse, toConversationItem } from '../dto/conversation-item.response.js';
import { AssigneesService } from './assignees.service.js';
import { InboxService } from './inbox.service.js';

/** Who takes care of a conversation. */
@ApiTags('Conversations')
@ForUser()
@Controller('user/conversations')
export class AssigneesController {
  constructor(
    private readonly assignees: AssigneesService,
    private readonly inbox: InboxService,
  ) {}

  @Get('assignees')
  @ApiOperation({
    operationId: 'listAssignees',
    summary: 'List the people a conversation can be assigned to',
  })
  @ApiOk(AssigneesResponse)
  async list(@Caller() { userId }: Principal): Promise<AssigneesResponse> {
    return { data: (await this.assignees.people(userId)).map(toAssigneeResponse) };
  }

  @Put(':uuid/assignee')
  @ReadBack(AssigneeResponse)
  @ApiOperation({
    operationId: 'assignConversation',
    summary: 'Assign the conversation to a person, or remove the assignee',
    description:
      'Customers do not see it. A person who takes over an unassigned conversation becomes its assignee.',
  })
  @ApiReply(ConversationItemResponse)
  async assign(@Caller() { userId }: Principal, @UuidParam() uuid: string, @Body() body: AssigneeRequest) {
    const row = await this.inbox.assign(userId, uuid, assignmentOf(body));
    return reply('conversations.assigned', toConversationItem(row));
  }
}
