import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiData, ApiDataList, ApiErrorBody, ApiReply } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { CreateSipTrunkRequest, UpdateSipTrunkRequest } from './dto/sip-trunk.request.js';
import {
  SipTrunkDetailsResponse,
  SipTrunkResponse,
  toSipTrunkDetailsResponse,
  toSipTrunkResponse,
} from './dto/sip-trunk.response.js';
import { SipTrunksService } from './sip-trunks.service.js';

/** A trunk is deleted as the phone number it is. */
@ApiTags('Phone numbers')
@ForUser()
@Controller('user/phone-numbers/sip-trunks')
export class SipTrunksController {
  constructor(private readonly trunks: SipTrunksService) {}

  @Get()
  @ApiOperation({ operationId: 'listSipTrunks', summary: 'List your SIP trunks' })
  @ApiDataList(SipTrunkResponse)
  async list(@Caller() { userId }: Principal) {
    return { data: (await this.trunks.list(userId)).map(toSipTrunkResponse) };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getSipTrunk', summary: 'Read a SIP trunk; its password is never returned' })
  @ApiData(SipTrunkDetailsResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return { data: toSipTrunkDetailsResponse(await this.trunks.get(userId, id)) };
  }

  @Post()
  @Idempotent()
  @ApiOperation({ operationId: 'createSipTrunk', summary: 'Connect a number of your SIP provider' })
  @ApiReply(SipTrunkDetailsResponse, 201)
  @ApiErrorBody(409)
  async create(@Caller() { userId }: Principal, @Body() body: CreateSipTrunkRequest) {
    return reply('sip_trunks.created', toSipTrunkDetailsResponse(await this.trunks.create(userId, body)));
  }

  @Put(':id')
  @ReadBack(SipTrunkDetailsResponse)
  @ApiOperation({
    operationId: 'updateSipTrunk',
    summary: 'Change the fields that are sent; the authorization type auth clears the addresses',
  })
  @ApiReply(SipTrunkDetailsResponse)
  @ApiErrorBody(409)
  async update(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: UpdateSipTrunkRequest) {
    return reply('sip_trunks.updated', toSipTrunkDetailsResponse(await this.trunks.update(userId, id, body)));
  }
}
