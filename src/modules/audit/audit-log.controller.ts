import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiCsv, csvReply } from '../../common/csv/csv-export.js';
import { ApiOk, ApiMessageErrors } from '../../common/http/api-docs.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditLogExportsService } from './exports/audit-log-exports.service.js';
import { AuditLogExportQuery, AuditLogQuery, logFilterOf, logRequestOf } from './dto/audit-log.request.js';
import { AuditLogResponse, toAuditLogResponse } from './dto/audit-log.response.js';

@ApiTags('Privacy')
@ForUser()
@Controller('user/audit-log')
export class AuditLogController {
  constructor(
    private readonly log: AuditLogService,
    private readonly exports: AuditLogExportsService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listAuditLog', summary: 'Who signed in and who changed what, newest first' })
  @ApiOk(AuditLogResponse)
  async list(@Caller() { userId }: Principal, @Query() query: AuditLogQuery) {
    const { filter, after, limit } = logRequestOf(query);
    return toAuditLogResponse(await this.log.list(userId, filter, after, limit));
  }

  @Get('export')
  @ApiOperation({
    operationId: 'exportAuditLog',
    summary: 'Download the audit log as a CSV file, newest first',
    description: 'Of all entries that the filters let through; at most 100,000, otherwise the answer is 422.',
  })
  @ApiCsv()
  @ApiMessageErrors(422)
  async export(@Caller() { userId }: Principal, @Query() query: AuditLogExportQuery) {
    return csvReply(await this.exports.begin(userId, logFilterOf(query)));
  }
}
