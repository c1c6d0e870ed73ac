import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { done, reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { CampaignDeletionService } from './campaign-deletion.service.js';
import { CampaignLifecycleService } from './campaign-lifecycle.service.js';
import { CampaignsService } from './campaigns.service.js';
import {
  CreateCampaignRequest,
  UpdateCampaignRequest,
  UpdateCampaignStatusRequest,
} from './dto/campaign.request.js';
import {
  CampaignResponse,
  CampaignStatusErrorResponse,
  CampaignStatusResponse,
  toCampaignResponse,
  toCampaignStatusResponse,
} from './dto/campaign.response.js';

@ApiTags('Campaigns')
@ForUser()
@Controller('user')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly lifecycle: CampaignLifecycleService,
    private readonly deletion: CampaignDeletionService,
  ) {}

  @Get('campaigns')
  @ApiOperation({ operationId: 'listCampaigns', summary: 'List the campaigns, newest first, at most 1,000' })
  @ApiOk(CampaignResponse, { isArray: true })
  async list(@Caller() { userId }: Principal) {
    return (await this.campaigns.list(userId)).map(toCampaignResponse);
  }

  @Post('campaign')
  @Idempotent()
  @ApiOperation({ operationId: 'createCampaign', summary: 'Create a campaign' })
  @ApiReply(CampaignResponse, 201)
  @ApiMessageErrors(403, 404)
  async create(@Caller() { userId }: Principal, @Body() body: CreateCampaignRequest) {
    return reply('campaigns.created', toCampaignResponse(await this.campaigns.create(userId, body)));
  }

  @Post('campaigns')
  @Idempotent()
  @ApiOperation({ operationId: 'createCampaignAlias', summary: 'Create a campaign, by its other path' })
  @ApiReply(CampaignResponse, 201)
  @ApiMessageErrors(403, 404)
  createAlias(@Caller() caller: Principal, @Body() body: CreateCampaignRequest) {
    return this.create(caller, body);
  }

  @Post('campaigns/update-status')
  @ApiOperation({ operationId: 'updateCampaignStatus', summary: 'Start or stop a campaign' })
  @ApiOk(CampaignStatusResponse)
  @ApiResponse({ status: 400, type: CampaignStatusErrorResponse, description: 'Refused: the text says why' })
  @ApiResponse({
    status: 404,
    type: CampaignStatusErrorResponse,
    description: 'Missing, or belongs to another account',
  })
  async updateStatus(@Caller() { userId }: Principal, @Body() body: UpdateCampaignStatusRequest) {
    return toCampaignStatusResponse(await this.lifecycle.switch(userId, body));
  }

  @Get('campaign/:id')
  @ApiOperation({ operationId: 'getCampaign', summary: 'Read a campaign' })
  @ApiOk(CampaignResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return toCampaignResponse(await this.campaigns.get(userId, id));
  }

  @Put('campaign/:id')
  @ReadBack(CampaignResponse)
  @ApiOperation({ operationId: 'updateCampaign', summary: 'Change the fields that are sent' })
  @ApiReply(CampaignResponse)
  async update(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: UpdateCampaignRequest) {
    return reply('campaigns.updated', toCampaignResponse(await this.campaigns.update(userId, id, body)));
  }

  @Delete('campaign/:id')
  @ApiOperation({ operationId: 'deleteCampaign', summary: 'Stop a campaign and delete it with its leads' })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.deletion.delete(userId, id);
    return done('campaigns.deleted');
  }
}
