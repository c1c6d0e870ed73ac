import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiData, ApiDataList, ApiInvalid, ApiReply } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Unaudited } from '../../common/http/unaudited.js';
import { RoutedPhoneNumberResponse } from '../phone-numbers/dto/phone-number.response.js';
import {
  changesOf,
  TestNumberRoutingRequest,
  UpdateNumberRoutingRequest,
} from './dto/number-routing.request.js';
import {
  NumberRoutingResponse,
  RoutingTestResponse,
  toNumberRoutingResponse,
  toRoutedPhoneNumberResponse,
  toRoutingTestResponse,
} from './dto/number-routing.response.js';
import { NumberLookupResponse, toNumberLookupResponse } from './dto/number-lookup.response.js';
import { inboundRoutingTexts } from './inbound-routing.texts.js';
import { NumberRoutingsService } from './number-routings.service.js';
import { RoutingTestsService } from './lookups/routing-tests.service.js';
import { RoutedNumbersService } from './routed-numbers.service.js';

@ApiTags('Phone numbers')
@ForUser()
@Controller('user/phone-numbers')
export class NumberRoutingsController {
  constructor(
    private readonly routings: NumberRoutingsService,
    private readonly numbers: RoutedNumbersService,
    private readonly tests: RoutingTestsService,
  ) {}

  @Get('all')
  @ApiOperation({
    operationId: 'listPhoneNumbers',
    summary: 'List the own numbers and those granted by others, with who answers the own ones now',
  })
  @ApiDataList(RoutedPhoneNumberResponse)
  async listAll(@Caller() { userId }: Principal) {
    const listed = await this.numbers.list(userId);
    return { data: listed.map(({ number, preview }) => toRoutedPhoneNumberResponse(number, preview)) };
  }

  @Get(':id/routing')
  @ApiOperation({
    operationId: 'getNumberRouting',
    summary: 'Read who answers the calls of a number: its hours, and what happens otherwise',
  })
  @ApiData(NumberRoutingResponse)
  @ApiInvalid()
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return { data: toNumberRoutingResponse(await this.routings.get(userId, id)) };
  }

  @Put(':id/routing')
  @ReadBack(NumberRoutingResponse)
  @ApiOperation({
    operationId: 'updateNumberRouting',
    summary:
      'Change the parts that are sent. A number without hours and lookup whose parts are both busy is as one without a routing',
  })
  @ApiReply(NumberRoutingResponse)
  async update(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() body: UpdateNumberRoutingRequest,
  ) {
    const updated = await this.routings.update(userId, id, changesOf(body));
    return reply(inboundRoutingTexts('number_routings.updated'), toNumberRoutingResponse(updated));
  }

  @Post(':id/routing/test')
  @Unaudited()
  @ApiOperation({
    operationId: 'testNumberRouting',
    summary:
      'Tell what would happen to a call at a moment, if lines and balance suffice. The lookup is asked, with `test`; no one is called',
  })
  @ApiData(RoutingTestResponse)
  async test(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() { at, customer_phone: customerPhone }: TestNumberRoutingRequest,
  ) {
    const call = { customerPhone, at: at ? new Date(at) : new Date() };
    return { data: toRoutingTestResponse(await this.tests.test(userId, id, call)) };
  }

  @Get(':id/routing/lookups')
  @ApiOperation({
    operationId: 'listNumberLookups',
    summary: 'List the ten newest lookups of callers of a number, the newest first',
  })
  @ApiDataList(NumberLookupResponse)
  @ApiInvalid()
  async listLookups(@Caller() { userId }: Principal, @IdParam() id: number) {
    const lookups = await this.tests.listLookups(userId, id);
    return { data: lookups.map(toNumberLookupResponse) };
  }
}
