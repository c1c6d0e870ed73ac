import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiInvalid, ApiMessageErrors } from '../../common/http/api-docs.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditLogQuery, logRequestOf } from './dto/audit-log.request.js';
import { AuditLogResponse, toAuditLogResponse } from './dto/audit-log.response.js';

@ApiTags('Privacy')
@ForUser()
@Controller('user/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @ApiOperation({ operationId: 'listAuditLog', summary: 'Who changed what through the API, newest first' })
  @ApiOk(AuditLogResponse)
  @ApiMessageErrors(401)
  @ApiInvalid()
  async list(@Caller() { userId }: Principal, @Query() query: AuditLogQuery) {
    const { filter, after, limit } = logRequestOf(query);
    return toAuditLogResponse(await this.log.list(userId, filter, after, limit));
  }
}
