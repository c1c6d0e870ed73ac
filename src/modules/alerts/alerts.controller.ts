import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiPage } from '../../common/http/api-docs.js';
import {
  CurrentAddress,
  PageAddress,
  PageQuery,
  pageRequestOf,
  toPageResponse,
} from '../../common/http/page.js';
import { AlertsService } from './alerts.service.js';
import { AlertResponse, toAlertResponse } from './dto/alert.response.js';

@ApiTags('Alerts')
@ForUser()
@Controller('user/alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAlerts',
    summary: 'List the limits that have refused visitors, newest first, each once a day; kept for 90 days',
  })
  @ApiPage(AlertResponse)
  async list(
    @Caller() { userId }: Principal,
    @Query() query: PageQuery,
    @CurrentAddress() address: PageAddress,
  ) {
    const page = pageRequestOf(query);
    return toPageResponse(await this.alerts.page(userId, page), page, address, toAlertResponse);
  }
}
