import { Body, Controller, Delete, Get, Patch, Post, Put, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiPage, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { CurrentAddress, PageAddress, pageRequestOf, toPageResponse } from '../../common/http/page.js';
import { done, reply } from '../../common/http/reply.js';
import { AccountZone, InAccountZone } from '../accounts/account-zone.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { CreateLeadRequest, LeadsQuery, UpdateLeadRequest } from './dto/lead.request.js';
import { LeadResponse, toLeadResponse } from './dto/lead.response.js';
import { LeadsService } from './leads.service.js';
import { OnlyLeadFieldsGuard } from './only-lead-fields.guard.js';

@ApiTags('Leads')
@ForUser()
@Controller('user')
export class LeadsController {
  constructor(private readonly leads: LeadsService) {}

  @Get('leads')
  @InAccountZone()
  @ApiOperation({ operationId: 'listLeads', summary: 'List leads, newest first unless sorted otherwise' })
  @ApiPage(LeadResponse)
  async list(
    @Caller() { userId }: Principal,
    @Query() query: LeadsQuery,
    @CurrentAddress() address: PageAddress,
    @AccountZone() zone: string,
  ) {
    const leads = await this.leads.list(userId, query, zone);
    return toPageResponse(leads, pageRequestOf(query), address, (lead) => toLeadResponse(lead, zone));
  }

  @Post('lead')
  @Idempotent()
  @InAccountZone()
  @ApiOperation({ operationId: 'createLead', summary: 'Add a lead, with its secondary contacts' })
  @ApiReply(LeadResponse)
  @ApiMessageErrors(404, 422)
  async create(
    @Caller() { userId }: Principal,
    @Body() body: CreateLeadRequest,
    @AccountZone() zone: string,
  ) {
    return reply('leads.created', toLeadResponse(await this.leads.create(userId, body), zone));
  }

  @Get('leads/:id')
  @InAccountZone()
  @ApiOperation({ operationId: 'getLead', summary: 'Read a lead' })
  @ApiOk(LeadResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number, @AccountZone() zone: string) {
    return toLeadResponse(await this.leads.get(userId, id), zone);
  }

  @Put('leads/:id')
  @UseGuards(OnlyLeadFieldsGuard)
  @ApiOperation({
    operationId: 'updateLead',
    summary: 'Change the fields that are sent; variables are merged',
  })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(409, 422)
  async update(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: UpdateLeadRequest) {
    await this.leads.update(userId, id, body);
    return done('leads.updated');
  }

  @Patch('leads/:id')
  @UseGuards(OnlyLeadFieldsGuard)
  @ApiOperation({ operationId: 'patchLead', summary: 'Change the fields that are sent, by the other method' })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(409, 422)
  patch(@Caller() caller: Principal, @IdParam() id: number, @Body() body: UpdateLeadRequest) {
    return this.update(caller, id, body);
  }

  @Delete('leads/:id')
  @ApiOperation({ operationId: 'deleteLead', summary: 'Delete a lead and its secondary contacts' })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(409)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.leads.delete(userId, id);
    return done('leads.deleted');
  }
}
