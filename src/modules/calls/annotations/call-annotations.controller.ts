import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import {
  ApiDataList,
  ApiMessageErrors,
  ApiOk,
  ApiReply,
  MessageResponse,
} from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { done, reply } from '../../../common/http/reply.js';
import { TagsRequest, TagsResponse } from '../../../common/tags/tags.js';
import { Idempotent } from '../../idempotency/idempotent.js';
import { CallAnnotationsService } from './call-annotations.service.js';
import { AddCallNoteRequest, CallNoteResponse, toCallNoteResponse } from './dto/call-annotations.js';

@ApiTags('Calls')
@ForUser()
@Controller('user/calls')
export class CallAnnotationsController {
  constructor(private readonly annotations: CallAnnotationsService) {}

  @Get(':id/notes')
  @ApiOperation({ operationId: 'listCallNotes', summary: 'List the notes of a call, newest first' })
  @ApiDataList(CallNoteResponse)
  async notes(@Caller() { userId }: Principal, @IdParam() id: number) {
    return { data: (await this.annotations.notes(userId, id)).map(toCallNoteResponse) };
  }

  @Post(':id/notes')
  @Idempotent()
  @ApiOperation({
    operationId: 'addCallNote',
    summary: 'Note something about a call, for the people of the account',
    description:
      'Notes are in no webhook and in no shared call. A call has at most 200 of them; then the answer is 409.',
  })
  @ApiReply(CallNoteResponse, 201)
  @ApiMessageErrors(409)
  async addNote(@Caller() caller: Principal, @IdParam() id: number, @Body() { text }: AddCallNoteRequest) {
    return reply('call_notes.added', toCallNoteResponse(await this.annotations.addNote(caller, id, text)));
  }

  @Delete(':id/notes/:noteId')
  @ApiOperation({ operationId: 'deleteCallNote', summary: 'Delete a note of a call' })
  @ApiOk(MessageResponse)
  async deleteNote(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @IdParam('noteId') noteId: number,
  ) {
    await this.annotations.deleteNote(userId, id, noteId);
    return done('call_notes.deleted');
  }

  @Put(':id/tags')
  @ApiOperation({ operationId: 'setCallTags', summary: 'Tag a call, in place of its tags before' })
  @ApiReply(TagsResponse)
  async setTags(@Caller() { userId }: Principal, @IdParam() id: number, @Body() { tags }: TagsRequest) {
    return reply('call_tags.updated', { tags: await this.annotations.setTags(userId, id, tags) });
  }
}
