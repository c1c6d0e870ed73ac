import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiCsv, csvReply } from '../../../common/csv/csv-export.js';
import { ApiMessageErrors } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { AccountZone, InAccountZone } from '../../accounts/account-zone.js';
import { LeadsExportQuery } from '../dto/lead.request.js';
import { LeadExportsService } from './lead-exports.service.js';

@ApiTags('Leads')
@ForUser()
@Controller('user/campaigns/:id/leads')
export class LeadExportsController {
  constructor(private readonly exports: LeadExportsService) {}

  @Get('export')
  @InAccountZone()
  @ApiOperation({
    operationId: 'exportLeads',
    summary: 'Download the leads of a campaign as a CSV file, newest first',
    description:
      'Of all leads that the filters let through; at most 100,000, otherwise the answer is 422. The hundred variables ' +
      'that most leads have get a column each; others stand as JSON in `other_variables`.',
  })
  @ApiCsv()
  @ApiMessageErrors(422)
  async export(
    @Caller() { userId }: Principal,
    @IdParam() campaignId: number,
    @Query() query: LeadsExportQuery,
    @AccountZone() zone: string,
  ) {
    return csvReply(await this.exports.begin(userId, campaignId, query, zone));
  }
}
