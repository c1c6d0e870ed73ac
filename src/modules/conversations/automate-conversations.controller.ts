import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForAutomate } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk } from '../../common/http/api-docs.js';
import { UuidParam } from '../../common/http/id-param.js';
import { ConversationsService } from './conversations.service.js';
import { AiSwitchResponse } from './dto/conversation.response.js';

/** What a mid-call tool or an automation calls to hand a conversation to a person, and back. */
@ApiTags('Automate')
@ForAutomate()
@Controller('automate/conversations')
export class AutomateConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Post(':uuid/disable-ai')
  @ApiOperation({ operationId: 'disableAi', summary: 'Switch the AI off: messages are stored, not answered' })
  @ApiOk(AiSwitchResponse)
  async disable(@Caller() { userId }: Principal, @UuidParam() uuid: string) {
    await this.conversations.setAiEnabled(userId, uuid, false);
    return { status: true, ai_enabled: false };
  }

  @Post(':uuid/enable-ai')
  @ApiOperation({ operationId: 'enableAi', summary: 'Switch the AI on again' })
  @ApiOk(AiSwitchResponse)
  async enable(@Caller() { userId }: Principal, @UuidParam() uuid: string) {
    await this.conversations.setAiEnabled(userId, uuid, true);
    return { status: true, ai_enabled: true };
  }
}
