import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiBody200, ApiInvalid, ApiMessageErrors, ApiReply } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { reply } from '../../../common/http/reply.js';
import { ApiCsvBody, CsvBody, CsvUpload } from './csv-upload.js';
import { LeadImportResponse, toLeadImportResponse } from '../dto/lead-import.response.js';
import { ImportLeadsQuery } from '../dto/lead.request.js';
import { LeadImportsService } from './lead-imports.service.js';

@ApiTags('Leads')
@ForUser()
@Controller('user/campaigns/:id/leads')
export class LeadImportsController {
  constructor(private readonly imports: LeadImportsService) {}

  @Post('import')
  @HttpCode(200)
  @ApiCsvBody()
  @ApiOperation({
    operationId: 'importLeads',
    summary: 'Add leads from a CSV file; answers when all of it is read',
  })
  @ApiReply(LeadImportResponse)
  @ApiMessageErrors(400, 401, 404, 413, 415)
  @ApiInvalid()
  async import(
    @Caller() { userId }: Principal,
    @IdParam() campaignId: number,
    @CsvBody() upload: CsvUpload,
    @Query() query: ImportLeadsQuery,
  ) {
    return reply(
      'leads.imported',
      toLeadImportResponse(await this.imports.run(userId, campaignId, upload, query)),
    );
  }

  @Get('imports')
  @ApiOperation({
    operationId: 'listLeadImports',
    summary: 'List the newest imports, those that still run among them',
  })
  @ApiBody200(LeadImportResponse, { isArray: true })
  @ApiMessageErrors(401, 404)
  async list(@Caller() { userId }: Principal, @IdParam() campaignId: number) {
    return (await this.imports.list(userId, campaignId)).map(toLeadImportResponse);
  }

  @Get('imports/:importId')
  @ApiOperation({ operationId: 'getLeadImport', summary: 'Read how far an import is' })
  @ApiBody200(LeadImportResponse)
  @ApiMessageErrors(401, 404)
  async get(
    @Caller() { userId }: Principal,
    @IdParam() campaignId: number,
    @IdParam('importId') importId: number,
  ) {
    return toLeadImportResponse(await this.imports.get(userId, campaignId, importId));
  }
}
