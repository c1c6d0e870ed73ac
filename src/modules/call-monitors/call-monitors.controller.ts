import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiMessageErrors, ApiReply } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { CurrentOrigin } from '../../common/http/requests/current-origin.js';
import { reply } from '../../common/http/reply.js';
import { CallMonitorGrantsService } from './call-monitor-grants.service.js';
import { MonitorGrantResponse, toMonitorGrantResponse } from './dto/monitor-grant.response.js';

@ApiTags('Calls')
@ForUser()
@Controller('user/calls')
export class CallMonitorsController {
  constructor(private readonly grants: CallMonitorGrantsService) {}

  @Post(':id/monitor')
  @ApiOperation({
    operationId: 'monitorCall',
    summary: 'Listen to a call that is on',
    description:
      'Returns the address of a WebSocket and a token for it. On the socket the caller hears both sides of the call, reads what is ' +
      'said, and may whisper to the assistant, have it say words, and hang up. The answer is 409 when the call is over, is not ' +
      'answered yet, carries no sound, or has three listeners, and 503 when no voice process has it.',
  })
  @ApiReply(MonitorGrantResponse, 201)
  @ApiMessageErrors(409, 503)
  async grant(@Caller() caller: Principal, @IdParam() id: number, @CurrentOrigin() origin: string) {
    const granted = await this.grants.grant(caller, id);
    return reply('call_monitors.granted', toMonitorGrantResponse(id, granted, origin));
  }
}
