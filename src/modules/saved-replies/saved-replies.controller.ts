import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { done, reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { CreateSavedReplyRequest, UpdateSavedReplyRequest } from './dto/saved-reply.request.js';
import {
  SavedRepliesResponse,
  SavedReplyResponse,
  toSavedReplyResponse,
} from './dto/saved-reply.response.js';
import { SavedRepliesService } from './saved-replies.service.js';
import { savedRepliesTexts } from './saved-replies.texts.js';

/** Texts that people of the account send again and again. */
@ApiTags('Saved replies')
@ForUser()
@Controller('user/saved-replies')
export class SavedRepliesController {
  constructor(private readonly savedReplies: SavedRepliesService) {}

  @Get()
  @ApiOperation({ operationId: 'listSavedReplies', summary: 'List all saved replies, by their shortcuts' })
  @ApiOk(SavedRepliesResponse)
  async list(@Caller() { userId }: Principal): Promise<SavedRepliesResponse> {
    return { data: (await this.savedReplies.list(userId)).map(toSavedReplyResponse) };
  }

  @Post()
  @Idempotent()
  @ApiOperation({ operationId: 'createSavedReply', summary: 'Create a saved reply' })
  @ApiReply(SavedReplyResponse, 201)
  async create(@Caller() { userId }: Principal, @Body() body: CreateSavedReplyRequest) {
    const created = await this.savedReplies.create(userId, body);
    return reply(savedRepliesTexts('saved_replies.created'), toSavedReplyResponse(created));
  }

  @Put(':id')
  @ReadBack(SavedReplyResponse)
  @ApiOperation({ operationId: 'updateSavedReply', summary: 'Change the fields that are sent' })
  @ApiReply(SavedReplyResponse)
  async update(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() body: UpdateSavedReplyRequest,
  ) {
    const updated = await this.savedReplies.update(userId, id, body);
    return reply(savedRepliesTexts('saved_replies.updated'), toSavedReplyResponse(updated));
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'deleteSavedReply', summary: 'Delete a saved reply' })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.savedReplies.delete(userId, id);
    return done(savedRepliesTexts('saved_replies.deleted'));
  }
}
