import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiPage, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { CurrentAddress, PageAddress, pageRequestOf, toPageResponse } from '../../common/http/page.js';
import { done, reply } from '../../common/http/reply.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { DoNotCallService } from './do-not-call.service.js';
import { AddDoNotCallRequest, DoNotCallQuery } from './dto/do-not-call.request.js';
import { DoNotCallResponse, toDoNotCallResponse } from './dto/do-not-call.response.js';
import { doNotCallTexts } from './do-not-call.texts.js';

@ApiTags('Do-not-call list')
@ForUser()
@Controller('user/do-not-call')
export class DoNotCallController {
  constructor(private readonly doNotCall: DoNotCallService) {}

  @Get()
  @ApiOperation({
    operationId: 'listDoNotCall',
    summary: 'List the numbers that are never called, newest first',
  })
  @ApiPage(DoNotCallResponse)
  async list(
    @Caller() { userId }: Principal,
    @Query() query: DoNotCallQuery,
    @CurrentAddress() address: PageAddress,
  ) {
    const page = pageRequestOf(query);
    return toPageResponse(
      await this.doNotCall.list(userId, query.phone_number, { ...page, sort: query.sort }),
      page,
      address,
      toDoNotCallResponse,
    );
  }

  @Post()
  @Idempotent()
  @ApiOperation({
    operationId: 'addDoNotCall',
    summary: 'Never call a number; a number that is listed already stays so',
  })
  @ApiReply(DoNotCallResponse, 201)
  async add(@Caller() { userId }: Principal, @Body() body: AddDoNotCallRequest) {
    return reply(
      doNotCallTexts('do_not_call.added'),
      toDoNotCallResponse(await this.doNotCall.add(userId, body)),
    );
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'deleteDoNotCall', summary: 'Allow calls to a number again' })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.doNotCall.delete(userId, id);
    return done(doNotCallTexts('do_not_call.deleted'));
  }
}
