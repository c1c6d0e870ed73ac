import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import {
  ApiDataList,
  ApiMessageErrors,
  ApiOk,
  ApiReply,
  MessageResponse,
} from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { done, reply } from '../../common/http/reply.js';
import { CurrentOrigin } from '../../common/http/requests/current-origin.js';
import { CallSharesService } from './call-shares.service.js';
import {
  CallShareResponse,
  MadeCallShareResponse,
  MOST_DAYS,
  ShareCallRequest,
  toCallShareResponse,
  toMadeCallShareResponse,
} from './dto/call-share.js';

@ApiTags('Calls')
@ForUser()
@Controller('user/calls')
export class CallSharesController {
  constructor(private readonly shares: CallSharesService) {}

  @Post(':id/share')
  @ApiOperation({
    operationId: 'shareCall',
    summary: 'Make a link by which people without an account read and hear a call',
    description:
      'The page of the link shows the assistant, the date, the duration, what was said and the recording; no numbers, variables or ' +
      'tools. The answer is 409 while `call_sharing` is off in the settings of the account, and while the call is on. A call has at ' +
      'most 20 valid links.',
  })
  @ApiReply(MadeCallShareResponse, 201)
  @ApiMessageErrors(409)
  async create(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() { expires_in_days: days }: ShareCallRequest,
    @CurrentOrigin() origin: string,
  ) {
    const made = await this.shares.create(userId, id, days ?? MOST_DAYS);
    return reply('call_shares.created', toMadeCallShareResponse(made, origin));
  }

  @Get(':id/shares')
  @ApiOperation({ operationId: 'listCallShares', summary: 'List the valid links to a call, newest first' })
  @ApiDataList(CallShareResponse)
  async list(@Caller() { userId }: Principal, @IdParam() id: number) {
    return { data: (await this.shares.list(userId, id)).map(toCallShareResponse) };
  }

  @Delete(':id/shares/:shareId')
  @ApiOperation({ operationId: 'revokeCallShare', summary: 'Revoke a link to a call' })
  @ApiOk(MessageResponse)
  async revoke(@Caller() { userId }: Principal, @IdParam() id: number, @IdParam('shareId') shareId: number) {
    await this.shares.revoke(userId, id, shareId);
    return done('call_shares.revoked');
  }
}
