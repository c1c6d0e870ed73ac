import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { done, reply } from '../../common/http/reply.js';
import { ChatKeysService } from './chat-keys.service.js';
import { PutChatModelKeyRequest } from './dto/chat-model-key.request.js';
import {
  ChatModelKeyResponse,
  ChatModelKeyTestResponse,
  StoredChatModelKeyResponse,
  toChatModelKeyResponse,
} from './dto/chat-model-key.response.js';
import { modelKeyText } from './model-keys.texts.js';

@ApiTags('Model keys')
@ForUser()
@Controller('user/model-keys')
export class ChatKeysController {
  constructor(private readonly keys: ChatKeysService) {}

  @Get('chat')
  @ApiOperation({
    operationId: 'getChatModelKey',
    summary: 'Read your key for chat models; it is shown masked',
  })
  @ApiOk(StoredChatModelKeyResponse)
  async getChat(@Caller() { userId }: Principal) {
    const key = await this.keys.find(userId);
    return { data: key && toChatModelKeyResponse(key) };
  }

  @Put('chat')
  @ApiOperation({
    operationId: 'putChatModelKey',
    summary: 'Store your key for chat models, which its server is asked about first',
    description:
      'From then on assistants of the account are answered with it, in chats, calls, evaluations and simulations: in other processes ' +
      'within ten seconds. A key that the server does not take is not stored.',
  })
  @ApiReply(ChatModelKeyResponse)
  async putChat(@Caller() { userId }: Principal, @Body() body: PutChatModelKeyRequest) {
    const key = await this.keys.put(userId, body);
    return reply(modelKeyText('model_keys.stored'), toChatModelKeyResponse(key));
  }

  @Delete('chat')
  @ApiOperation({
    operationId: 'deleteChatModelKey',
    summary: 'Forget your key for chat models: those of the installation answer again',
  })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(404)
  async deleteChat(@Caller() { userId }: Principal) {
    await this.keys.delete(userId);
    return done(modelKeyText('model_keys.deleted'));
  }

  @Post('chat/test')
  @ApiOperation({
    operationId: 'testChatModelKey',
    summary: 'Ask the server whether it takes the stored key',
  })
  @ApiReply(ChatModelKeyTestResponse)
  @ApiMessageErrors(404)
  async testChat(@Caller() { userId }: Principal) {
    return reply(modelKeyText('model_keys.tested'), { result: await this.keys.test(userId) });
  }
}
