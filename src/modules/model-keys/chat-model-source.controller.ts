import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk } from '../../common/http/api-docs.js';
import { ChatKeysService } from './chat-keys.service.js';
import { ChatModelSourceResponse } from './dto/chat-model-key.response.js';

/** Apart from the keys, which only administrators see: every member may know what answers. */
@ApiTags('Model keys')
@ForUser()
@Controller('user/chat-model')
export class ChatModelSourceController {
  constructor(private readonly keys: ChatKeysService) {}

  @Get()
  @ApiOperation({ operationId: 'getChatModelSource', summary: 'Read which model answers your assistants' })
  @ApiOk(ChatModelSourceResponse)
  async get(@Caller() { userId }: Principal): Promise<ChatModelSourceResponse> {
    return { answers_from: await this.keys.source(userId) };
  }
}
