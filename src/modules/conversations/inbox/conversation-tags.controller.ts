import { Body, Controller, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiReply } from '../../../common/http/api-docs.js';
import { UuidParam } from '../../../common/http/id-param.js';
import { reply } from '../../../common/http/reply.js';
import { TagsRequest, TagsResponse } from '../../../common/tags/tags.js';
import { InboxService } from './inbox.service.js';

@ApiTags('Conversations')
@ForUser()
@Controller('user/conversations')
export class ConversationTagsController {
  constructor(private readonly inbox: InboxService) {}

  @Put(':uuid/tags')
  @ApiOperation({
    operationId: 'setConversationTags',
    summary: 'Tag a conversation, in place of its tags before',
    description: 'Customers do not see them, and they are in no webhook.',
  })
  @ApiReply(TagsResponse)
  async set(@Caller() { userId }: Principal, @UuidParam() uuid: string, @Body() { tags }: TagsRequest) {
    return reply('conversation_tags.updated', { tags: await this.inbox.setTags(userId, uuid, tags) });
  }
}
