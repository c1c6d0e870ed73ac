import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { StreamAccessService } from '../../../common/auth/stream-access.service.js';
import { ApiOk } from '../../../common/http/api-docs.js';
import { DrainService } from '../../../common/http/connections/drain.service.js';
import { IdParam } from '../../../common/http/id-param.js';
import { OpenStreamsService } from '../../../common/limits/open-streams.service.js';
import { CampaignProgressService } from './campaign-progress.service.js';
import { CampaignProgressResponse } from '../dto/campaign-progress.response.js';
import { respondWithProgress } from './progress-response.js';

@ApiTags('Campaigns')
@ForUser()
@Controller('user/campaigns/:id/progress')
export class CampaignProgressController {
  constructor(
    private readonly progress: CampaignProgressService,
    private readonly streams: OpenStreamsService,
    private readonly access: StreamAccessService,
    private readonly drain: DrainService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getCampaignProgress',
    summary: 'See how far a campaign is',
    description:
      'With `Accept: text/event-stream` the same comes as `progress` events, about each second, until the campaign is ' +
      'completed or stopped or half an hour is over; the last event is `end`.',
  })
  @ApiProduces('application/json', 'text/event-stream')
  @ApiOk(CampaignProgressResponse)
  get(
    @Caller() caller: Principal,
    @IdParam() id: number,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const { userId } = caller;
    return respondWithProgress(request, response, {
      admitStream: () => {
        this.streams.admit(request, response, userId);
        this.access.watch(caller, response);
      },
      now: () => this.progress.get(userId, id),
      watch: (signal) => this.progress.watch(userId, id, signal),
      stopping: this.drain.closing,
    });
  }
}
