import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiReply } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { reply } from '../../../common/http/reply.js';
import { Unaudited } from '../../../common/http/unaudited.js';
import { ReaderLanguage, ReaderLanguageQuery } from '../../../common/http/requests/reader-language.js';
import type { Language } from '../../../i18n/text.js';
import { ApiLeadFile, LeadFileBody, LeadUpload } from './file/lead-upload.js';
import {
  importReply,
  LeadFileColumnsResponse,
  LeadImportResponse,
  toLeadFileColumnsResponse,
  toLeadImportResponse,
} from '../dto/lead-import.response.js';
import { ImportLeadsQuery } from '../dto/lead.request.js';
import { LeadImportsService } from './lead-imports.service.js';

@ApiTags('Leads')
@ForUser()
@Controller('user/campaigns/:id/leads')
export class LeadImportsController {
  constructor(private readonly imports: LeadImportsService) {}

  @Post('import')
  @Unaudited(({ query }) => query['preview'] === 'true' || query['preview'] === '1')
  @ApiLeadFile()
  @ApiOperation({
    operationId: 'importLeads',
    summary: 'Add leads from a CSV or XLSX file; answers when all of it is read',
  })
  @ApiReply(LeadImportResponse)
  @ApiMessageErrors(400, 413, 415)
  async import(
    @Caller() { userId }: Principal,
    @IdParam() campaignId: number,
    @LeadFileBody() upload: LeadUpload,
    @Query() query: ImportLeadsQuery,
    @ReaderLanguage() language: Language,
  ) {
    return importReply(await this.imports.run(userId, campaignId, upload, query), language);
  }

  @Post('import/columns')
  @Unaudited()
  @ApiLeadFile()
  @ApiOperation({
    operationId: 'readLeadColumns',
    summary: 'Read the columns of a CSV or XLSX file with some values; stores nothing',
  })
  @ApiReply(LeadFileColumnsResponse)
  @ApiMessageErrors(400, 413, 415)
  async readColumns(
    @Caller() { userId }: Principal,
    @IdParam() campaignId: number,
    @LeadFileBody() upload: LeadUpload,
  ) {
    return reply(
      'leads.columns_read',
      toLeadFileColumnsResponse(await this.imports.readColumns(userId, campaignId, upload)),
    );
  }

  @Get('imports')
  @ApiOperation({
    operationId: 'listLeadImports',
    summary: 'List the newest imports, those that still run among them',
  })
  @ApiOk(LeadImportResponse, { isArray: true })
  async list(
    @Caller() { userId }: Principal,
    @IdParam() campaignId: number,
    @Query() _query: ReaderLanguageQuery,
    @ReaderLanguage() language: Language,
  ) {
    const imports = await this.imports.list(userId, campaignId);
    return imports.map((job) => toLeadImportResponse(job, language));
  }

  @Get('imports/:importId')
  @ApiOperation({ operationId: 'getLeadImport', summary: 'Read how far an import is' })
  @ApiOk(LeadImportResponse)
  async get(
    @Caller() { userId }: Principal,
    @IdParam() campaignId: number,
    @IdParam('importId') importId: number,
    @Query() _query: ReaderLanguageQuery,
    @ReaderLanguage() language: Language,
  ) {
    return toLeadImportResponse(await this.imports.get(userId, campaignId, importId), language);
  }
}
