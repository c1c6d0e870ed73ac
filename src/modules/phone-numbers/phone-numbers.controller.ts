import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ActsOutside } from '../../common/http/acts-outside.js';
import { ApiOk, ApiDataList, ApiErrorBody, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { done, reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Idempotent } from '../idempotency/idempotent.js';
import {
  AdoptNumberRequest,
  ContainedDigitsQuery,
  PurchaseNumberRequest,
  SearchNumbersQuery,
  UpdatePhoneNumberRequest,
} from './dto/phone-number.request.js';
import {
  AdoptableNumberResponse,
  ListedPhoneNumberResponse,
  NumberRentResponse,
  OfferedNumberResponse,
  PhoneNumberResponse,
  PurchasedNumberResponse,
  RoutedPhoneNumberResponse,
  toAdoptableNumberResponse,
  toListedPhoneNumberResponse,
  toNumberRentResponse,
  toOfferedNumberResponse,
  toPhoneNumberResponse,
  toPurchasedNumberResponse,
} from './dto/phone-number.response.js';
import { NumberAdoptionsService } from './carrier-numbers/number-adoptions.service.js';
import { NumberRentsService } from './carrier-numbers/number-rents.service.js';
import { NumberOffersService } from './carrier-numbers/number-offers.service.js';
import { NumberPurchasesService } from './carrier-numbers/number-purchases.service.js';
import { PhoneNumbersService } from './phone-numbers.service.js';

@ApiTags('Phone numbers')
@ForUser()
@Controller('user/phone-numbers')
export class PhoneNumbersController {
  constructor(
    private readonly numbers: PhoneNumbersService,
    private readonly offers: NumberOffersService,
    private readonly purchases: NumberPurchasesService,
    private readonly adoptions: NumberAdoptionsService,
    private readonly rents: NumberRentsService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listSmsPhoneNumbers',
    summary: 'List the rented numbers that can send text messages (legacy: prefer all)',
    deprecated: true,
  })
  @ApiDataList(ListedPhoneNumberResponse)
  async listSmsCapable(@Caller() { userId }: Principal) {
    return { data: (await this.numbers.listSmsCapable(userId)).map(toListedPhoneNumberResponse) };
  }

  @Get('search')
  @ApiOperation({ operationId: 'searchPhoneNumbers', summary: 'Search numbers that can be rented' })
  @ApiDataList(OfferedNumberResponse)
  @ApiErrorBody(400, 503)
  async search(@Caller() { userId }: Principal, @Query() query: SearchNumbersQuery) {
    return { data: (await this.offers.search(userId, query)).map(toOfferedNumberResponse) };
  }

  @Post('purchase')
  @ActsOutside()
  @Idempotent()
  @ApiOperation({
    operationId: 'purchasePhoneNumber',
    summary: 'Rent a number; the first month is paid from the balance at once',
  })
  @ApiReply(PurchasedNumberResponse, 201)
  @ApiErrorBody(400, 402, 422, 503)
  async purchase(@Caller() { userId }: Principal, @Body() body: PurchaseNumberRequest) {
    const number = await this.purchases.purchase(userId, body.phone_number);
    return reply('phone_numbers.purchased', toPurchasedNumberResponse(number));
  }

  @Get('rents')
  @ApiOperation({
    operationId: 'listNumberRents',
    summary:
      'List the numbers that are paid by the month, with what they cost and when the next month is due',
  })
  @ApiDataList(NumberRentResponse)
  async listRents(@Caller() { userId }: Principal) {
    return { data: (await this.rents.list(userId)).map(toNumberRentResponse) };
  }

  @Get('adoptable')
  @ApiOperation({
    operationId: 'listAdoptableNumbers',
    summary: 'List the numbers of the own account at Twilio that no account here has, at most 1,000',
  })
  @ApiDataList(AdoptableNumberResponse)
  @ApiErrorBody(400, 503)
  async listAdoptable(@Caller() { userId }: Principal, @Query() { contains = '' }: ContainedDigitsQuery) {
    return { data: (await this.adoptions.list(userId, contains)).map(toAdoptableNumberResponse) };
  }

  @Post('adopt')
  @ActsOutside()
  @ApiOperation({
    operationId: 'adoptPhoneNumber',
    summary: 'Take over a number of the own account at Twilio: its calls come to Prosa from then on',
  })
  @ApiReply(PurchasedNumberResponse)
  @ApiErrorBody(400, 404, 503)
  async adopt(@Caller() { userId }: Principal, @Body() body: AdoptNumberRequest) {
    const number = await this.adoptions.adopt(userId, body.phone_number);
    return reply('phone_numbers.adopted', toPurchasedNumberResponse(number));
  }

  @Put(':id')
  @ReadBack(RoutedPhoneNumberResponse)
  @ApiOperation({
    operationId: 'updatePhoneNumber',
    summary: 'Change or remove the nickname of a number of the account',
  })
  @ApiReply(PhoneNumberResponse)
  async update(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() body: UpdatePhoneNumberRequest,
  ) {
    return reply('phone_numbers.updated', toPhoneNumberResponse(await this.numbers.update(userId, id, body)));
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deletePhoneNumber',
    summary: 'Delete a number of any type at once; a rented one is given back',
  })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.numbers.delete(userId, id);
    return done('phone_numbers.deleted');
  }
}
