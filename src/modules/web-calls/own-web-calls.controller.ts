import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiMessageErrors, ApiReply } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { CurrentOrigin } from '../../common/http/requests/current-origin.js';
import { reply } from '../../common/http/reply.js';
import { OpenOwnWebCallRequest } from './dto/web-call.request.js';
import { toWebCallResponse, WebCallResponse } from './dto/web-call.response.js';
import { WebCallsService } from './web-calls.service.js';

@ApiTags('Calls')
@ForUser()
@Controller('user/assistant')
export class OwnWebCallsController {
  constructor(private readonly webCalls: WebCallsService) {}

  @Post(':id/web-call')
  @ApiOperation({ operationId: 'openOwnWebCall', summary: 'Call an assistant of the account from a browser' })
  @ApiReply(WebCallResponse, 201)
  @ApiMessageErrors(422)
  async open(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() body: OpenOwnWebCallRequest,
    @CurrentOrigin() origin: string,
  ) {
    const opened = await this.webCalls.openOwn(userId, id, body.variables ?? {});
    return reply('web_calls.opened', toWebCallResponse(opened, origin));
  }
}
