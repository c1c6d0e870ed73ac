import { Body, Controller, Put, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { done } from '../../common/http/reply.js';
import { UpdateLeadRequest } from './dto/lead.request.js';
import { LeadsService } from './leads.service.js';
import { OnlyLeadFieldsGuard } from './only-lead-fields.guard.js';

/** The path that published clients of the API family use for a lead. */
@ApiTags('Leads')
@ForUser()
@Controller('leads')
export class LeadAliasesController {
  constructor(private readonly leads: LeadsService) {}

  @Put(':id')
  @UseGuards(OnlyLeadFieldsGuard)
  @ApiOperation({
    operationId: 'updateLeadAlias',
    summary: 'Change the fields that are sent, by the other path; variables are merged',
  })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(409, 422)
  async update(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: UpdateLeadRequest) {
    await this.leads.update(userId, id, body);
    return done('leads.updated');
  }
}
