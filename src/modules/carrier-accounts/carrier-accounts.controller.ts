import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { done, reply } from '../../common/http/reply.js';
import { CarrierAccountsService } from './carrier-accounts.service.js';
import { PutTwilioAccountRequest } from './dto/twilio-account.request.js';
import {
  StoredTwilioAccountResponse,
  toTwilioAccountResponse,
  TwilioAccountResponse,
  TwilioAccountTestResponse,
} from './dto/twilio-account.response.js';

@ApiTags('Carrier accounts')
@ForUser()
@Controller('user/carrier-accounts')
export class CarrierAccountsController {
  constructor(private readonly accounts: CarrierAccountsService) {}

  @Get('twilio')
  @ApiOperation({
    operationId: 'getTwilioAccount',
    summary: 'Read your account at Twilio; its token is not shown',
  })
  @ApiOk(StoredTwilioAccountResponse)
  async getTwilio(@Caller() { userId }: Principal) {
    const account = await this.accounts.findTwilioOf(userId);
    return { data: account && toTwilioAccountResponse(account) };
  }

  @Put('twilio')
  @ApiOperation({
    operationId: 'putTwilioAccount',
    summary: 'Store your account at Twilio, or another token for it: numbers are rented with it from then on',
  })
  @ApiReply(TwilioAccountResponse)
  @ApiMessageErrors(409)
  async putTwilio(@Caller() { userId }: Principal, @Body() body: PutTwilioAccountRequest) {
    const account = await this.accounts.putTwilio(userId, body);
    return reply('carrier_accounts.stored', toTwilioAccountResponse(account));
  }

  @Delete('twilio')
  @ApiOperation({
    operationId: 'deleteTwilioAccount',
    summary: 'Forget your account at Twilio; refused as long as numbers were rented with it',
  })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(404, 409)
  async deleteTwilio(@Caller() { userId }: Principal) {
    await this.accounts.deleteTwilio(userId);
    return done('carrier_accounts.deleted');
  }

  @Post('twilio/test')
  @ApiOperation({
    operationId: 'testTwilioAccount',
    summary: 'Ask Twilio whether the stored credentials are right',
  })
  @ApiReply(TwilioAccountTestResponse)
  @ApiMessageErrors(404)
  async testTwilio(@Caller() { userId }: Principal) {
    return reply('carrier_accounts.tested', { result: await this.accounts.testTwilio(userId) });
  }
}
