import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ActsOutside } from '../../common/http/acts-outside.js';
import { ApiOk, ApiMessageErrors } from '../../common/http/api-docs.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { MakeCallRequest } from './dto/make-call.request.js';
import { MadeCallResponse, toMadeCallResponse } from './dto/make-call.response.js';
import { MakeCallService } from './make-call.service.js';

@ApiTags('Calls')
@ForUser()
@Controller('user/make_call')
export class MakeCallController {
  constructor(private readonly makeCall: MakeCallService) {}

  @Post()
  @ActsOutside()
  @Idempotent()
  @ApiOperation({ operationId: 'makeCall', summary: 'Call a number with an assistant' })
  @ApiOk(MadeCallResponse)
  @ApiMessageErrors(400, 404, 409)
  async make(@Caller() { userId }: Principal, @Body() body: MakeCallRequest) {
    return toMadeCallResponse(await this.makeCall.make(userId, body));
  }
}
