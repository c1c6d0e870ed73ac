import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk } from '../../common/http/api-docs.js';
import { AccountZone, InAccountZone } from '../accounts/account-zone.js';
import { AnalyticsService } from './analytics.service.js';
import { AnalyticsQuery, InboundAnalyticsQuery } from './dto/analytics.query.js';
import { AnalyticsResponse, toAnalyticsResponse } from './dto/analytics.response.js';
import { InboundAnalyticsResponse, toInboundAnalyticsResponse } from './dto/inbound-analytics.response.js';
import { InboundAnalyticsService } from './inbound-analytics.service.js';

@ApiTags('Analytics')
@ForUser()
@Controller('user/analytics')
export class AnalyticsController {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly inbound: InboundAnalyticsService,
  ) {}

  @Get()
  @InAccountZone()
  @ApiOperation({
    operationId: 'getAnalytics',
    summary:
      'Count calls and conversations by day, assistant or campaign, with outcomes, minutes, cost, tokens and waits',
    description:
      'Days are days of the time zone of the account, of 92 of them at most; without `from` and `to`, the last 30. ' +
      'Calls and conversations count on the day on which they were made. Of more than 10,000 measured calls, waits are ' +
      'those of a sample that is spread evenly; `every_nth` says which.',
  })
  @ApiOk(AnalyticsResponse)
  async get(@Caller() { userId }: Principal, @Query() query: AnalyticsQuery, @AccountZone() zone: string) {
    return toAnalyticsResponse(await this.analytics.get(userId, query, zone));
  }

  @Get('inbound')
  @InAccountZone()
  @ApiOperation({
    operationId: 'getInboundAnalytics',
    summary:
      'Count inbound calls of numbers with a routing by number, day or hour, with who was turned away and why',
    description:
      'Days are days of the time zone of the account, of 92 of them at most; without `from` and `to`, the last 30.',
  })
  @ApiOk(InboundAnalyticsResponse)
  async getInbound(
    @Caller() { userId }: Principal,
    @Query() query: InboundAnalyticsQuery,
    @AccountZone() zone: string,
  ) {
    return toInboundAnalyticsResponse(await this.inbound.get(userId, query, zone));
  }
}
