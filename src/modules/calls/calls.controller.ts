import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiPage, MessageResponse } from '../../common/http/api-docs.js';
import { ApiCsv, csvReply } from '../../common/csv/csv-export.js';
import { IdParam } from '../../common/http/id-param.js';
import { CurrentOrigin } from '../../common/http/requests/current-origin.js';
import { CurrentAddress, PageAddress, pageRequestOf, toPageResponse } from '../../common/http/page.js';
import { done } from '../../common/http/reply.js';
import { AccountZone, InAccountZone } from '../accounts/account-zone.js';
import { CallsService } from './calls.service.js';
import { CallDetailsResponse, toCallDetailsResponse } from './dto/call-details.response.js';
import { CallResponse, toCallResponse } from './dto/call.response.js';
import { CallsExportQuery, CallsQuery, toCallFilter } from './dto/calls.query.js';
import { CallExportsService } from './listing/call-exports.service.js';
import { CallListService } from './listing/call-list.service.js';

@ApiTags('Calls')
@ForUser()
@Controller('user/calls')
export class CallsController {
  constructor(
    private readonly calls: CallsService,
    private readonly lists: CallListService,
    private readonly exports: CallExportsService,
  ) {}

  @Get()
  @InAccountZone()
  @ApiOperation({ operationId: 'listCalls', summary: 'List calls, newest first unless sorted otherwise' })
  @ApiPage(CallResponse)
  async list(
    @Caller() { userId }: Principal,
    @Query() query: CallsQuery,
    @CurrentAddress() address: PageAddress,
    @CurrentOrigin() origin: string,
    @AccountZone() zone: string,
  ) {
    const page = pageRequestOf(query);
    const calls = await this.lists.page(userId, toCallFilter(query, zone), { ...page, sort: query.sort });
    return toPageResponse(calls, page, address, (call) => toCallResponse(call, { origin, zone }));
  }

  @Get('export')
  @InAccountZone()
  @ApiOperation({
    operationId: 'exportCalls',
    summary: 'Download calls as a CSV file, newest first',
    description: 'Of all calls that the filters let through; at most 100,000, otherwise the answer is 422.',
  })
  @ApiCsv()
  @ApiMessageErrors(422)
  async export(
    @Caller() { userId }: Principal,
    @Query() query: CallsExportQuery,
    @AccountZone() zone: string,
  ) {
    return csvReply(await this.exports.begin(userId, toCallFilter(query, zone), zone));
  }

  @Get(':id')
  @InAccountZone()
  @ApiOperation({ operationId: 'getCall', summary: 'Read a call' })
  @ApiOk(CallDetailsResponse)
  async get(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @CurrentOrigin() origin: string,
    @AccountZone() zone: string,
  ) {
    return toCallDetailsResponse(await this.calls.getWithTurns(userId, id), { origin, zone });
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'deleteCall', summary: 'Delete a call for good' })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(409)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.calls.delete(userId, id);
    return done('calls.deleted');
  }
}
