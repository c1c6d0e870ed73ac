import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, MessageResponse } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { done } from '../../../common/http/reply.js';
import { EndRequestsService } from './end-requests.service.js';

@ApiTags('Calls')
@ForUser()
@Controller('user/calls')
export class HangUpController {
  constructor(private readonly endRequests: EndRequestsService) {}

  @Post(':id/hangup')
  @ApiOperation({
    operationId: 'hangUpCall',
    summary: 'End a call that is on',
    description:
      'A call that waits is not dialled any more; any other hears the line go dead, within seconds. The answer does not ' +
      'wait for that.',
  })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(409)
  async hangUp(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.endRequests.hangUp(userId, id);
    return done('calls.hung_up');
  }
}
