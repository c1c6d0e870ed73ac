import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, MessageResponse } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { done } from '../../../common/http/reply.js';
import { SessionsResponse, toSessionsResponse } from '../dto/listed-session.response.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Sessions')
@ForUser()
@Controller('auth/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listSessions',
    summary: 'List the sessions that have not ended, newest first',
  })
  @ApiOk(SessionsResponse)
  async list(@Caller() caller: Principal) {
    return toSessionsResponse(await this.sessions.list(caller));
  }

  @Delete()
  @ApiOperation({
    operationId: 'endOtherSessions',
    summary: 'End all sessions but that of the request; with an API key, all',
  })
  @ApiOk(MessageResponse)
  async endOthers(@Caller() caller: Principal) {
    await this.sessions.endOthers(caller);
    return done('auth.sessions_ended');
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'endSession', summary: 'End a session' })
  @ApiOk(MessageResponse)
  async end(@Caller() caller: Principal, @IdParam() id: number) {
    await this.sessions.end(caller, id);
    return done('auth.session_ended');
  }
}
