import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '#src/common/auth/guards.js';
import { Caller, type Principal } from '#src/common/auth/principal.js';
import { ApiCsv, csvReply } from '#src/common/csv/csv-export.js';
import { ApiMessageErrors } from '#src/common/http/api-docs.js';
import { IdParam } from '#src/common/http/id-param.js';
import { ReaderLanguage, ReaderLanguageQuery } from '#src/common/http/requests/reader-language.js';
import type { Language } from '#src/i18n/text.js';
import { LeadRefusalsService } from './lead-refusals.service.js';

@ApiTags('Leads')
@ForUser()
@Controller('user/campaigns/:id/leads/imports/:importId/refusals')
export class LeadRefusalsController {
  constructor(private readonly refusals: LeadRefusalsService) {}

  @Get()
  @ApiOperation({
    operationId: 'exportLeadRefusals',
    summary: 'Download the rows that an import refused as a CSV file, each with the reason',
    description:
      'In the order of the file, at most 100,000, for 7 days. The first two columns are the line and the reason; an ' +
      'import passes over them, so that the corrected file can be sent again.',
  })
  @ApiCsv()
  @ApiMessageErrors(429)
  async export(
    @Caller() { userId }: Principal,
    @IdParam() campaignId: number,
    @IdParam('importId') importId: number,
    @Query() _query: ReaderLanguageQuery,
    @ReaderLanguage() language: Language,
  ) {
    return csvReply(await this.refusals.begin(userId, campaignId, importId, language));
  }
}
