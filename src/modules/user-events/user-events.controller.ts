import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { StreamAccessService } from '../../common/auth/stream-access.service.js';
import { ApiEvents, ApiMessageErrors } from '../../common/http/api-docs.js';
import { OpenStreamsService } from '../../common/limits/open-streams.service.js';
import { LiveStreamsService } from '../../common/live/live-streams.service.js';
import { AvailabilityStreamsService } from '../accounts/members/availability/availability-streams.service.js';

@ApiTags('Live')
@ForUser()
@Controller('user/events')
export class UserEventsController {
  constructor(
    private readonly live: LiveStreamsService,
    private readonly streams: OpenStreamsService,
    private readonly access: StreamAccessService,
    private readonly availability: AvailabilityStreamsService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'watchAccount',
    summary: 'Hear what changes in the account, as events',
    description:
      'Each event is a hint `{type, ids}`: `conversation` and `typing` (a customer types) with uuids, `call` with ids, ' +
      '`transfer-offer` with ids of offers (`GET /user/transfer-offers`), and `resync` where hints may have been missed, also at the beginning: read anew what you show. One stream a browser ' +
      'is enough. An event `heartbeat` comes every 20 seconds. It ends after a quarter of an hour, with the token, ' +
      'and when the server stops; connect again.',
  })
  @ApiEvents('{"type":"conversation","ids":["3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f"]}')
  @ApiMessageErrors(406)
  watch(@Caller() caller: Principal, @Req() request: Request, @Res() response: Response) {
    return this.live.open(request, response, () => {
      this.streams.admit(request, response, caller.userId);
      this.access.watch(caller, response);
      this.availability.watch(caller, response);
      return `account ${caller.userId}`;
    });
  }
}
